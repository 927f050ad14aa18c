/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a machine allows at the most: bytes a second (copy, scale, add, triad, with ordinary stores
 * and past the caches, "_nt"), floating point operations a second (fma), the clock (cycles), and
 * how long a load takes that nobody can guess (chase, and walk, where it can be guessed). The first
 * two by --threads of them.
 */
#include <math.h>
#include <stdlib.h>

#include "harness/assay_harness.h"
#include "machine/chase.h"
#include "machine/pages.h"
#include "machine/peak.h"
#include "machine/stream.h"
#include "machine/team.h"

static uint64_t length = 1 << 20, threads = 1, width = 0, bytes = 1 << 20, chains = 1, huge = 1;

/* ---- streams ---- */

struct streams {
	struct team *team;
	stream_pass *pass;
	enum stream_operation operation;
	size_t n;
	double *x, *y, *out; /* y: where the operation has two inputs */
	size_t *wrong;       /* elements of each thread */
};

static const struct { bool two_inputs; double flops; } streamed[STREAM_OPERATIONS] = {
	[STREAM_COPY] = {false, 0}, [STREAM_SCALE] = {false, 1}, [STREAM_ADD] = {true, 1}, [STREAM_TRIAD] = {true, 2},
};

/* Whole numbers below 2^13, so that each result is exact. */
static double
input_x(size_t i)
{
	return (double)(i & 8191);
}

static double
input_y(size_t i)
{
	return (double)(i >> 3 & 4095);
}

static double
expected(enum stream_operation operation, size_t i)
{
	switch (operation) {
	case STREAM_COPY: return input_x(i);
	case STREAM_SCALE: return STREAM_FACTOR * input_x(i);
	case STREAM_ADD: return input_x(i) + input_y(i);
	case STREAM_TRIAD: return input_x(i) + STREAM_FACTOR * input_y(i);
	default: return NAN;
	}
}

static void
streams_fill(void *context, size_t thread, size_t of)
{
	struct streams *s = context;
	size_t i, to = team_from(s->n, thread + 1, of);

	for (i = team_from(s->n, thread, of); i < to; i++) {
		s->x[i] = input_x(i);
		s->out[i] = -1;
		if (s->y)
			s->y[i] = input_y(i);
	}
}

static void
streams_count_wrong(void *context, size_t thread, size_t of)
{
	struct streams *s = context;
	size_t i, to = team_from(s->n, thread + 1, of), wrong = 0;

	for (i = team_from(s->n, thread, of); i < to; i++)
		wrong += s->out[i] != expected(s->operation, i);
	s->wrong[thread] = wrong;
}

static void
streams_work_on(void *context, size_t thread, size_t of)
{
	const struct streams *s = context;
	size_t from = team_from(s->n, thread, of);

	s->pass(s->x + from, s->y ? s->y + from : NULL, s->out + from, team_from(s->n, thread + 1, of) - from);
}

static void
streams_tear_down(void *state)
{
	struct streams *s = state;

	if (!s)
		return;
	team_end(s->team);
	pages_free(s->x, s->n * sizeof *s->x);
	pages_free(s->y, s->n * sizeof *s->y);
	pages_free(s->out, s->n * sizeof *s->out);
	free(s->wrong);
	free(s);
}

static int
streams_allocate(struct streams *s, struct assay_error *error)
{
	s->n = length;
	s->wrong = assay_alloc(threads, sizeof *s->wrong, error);
	s->x = s->wrong ? pages_alloc(s->n * sizeof *s->x, huge, error) : NULL;
	if (s->x && streamed[s->operation].two_inputs && !(s->y = pages_alloc(s->n * sizeof *s->y, huge, error)))
		return -1;
	s->out = s->x ? pages_alloc(s->n * sizeof *s->out, huge, error) : NULL;
	return s->out ? 0 : -1;
}

static int
streams_set_up(void **state, enum stream_operation operation, bool past_caches, struct assay_error *error)
{
	const char *supported;
	const struct stream *stream = stream_find((unsigned)width, &supported);
	struct streams *s = assay_alloc(1, sizeof *s, error);

	*state = s;
	if (!s)
		return -1;
	if (!stream)
		return assay_fail(error, "unsupported: vectors of %llu bits; this CPU has: %s",
				  (unsigned long long)width, supported);
	s->operation = operation;
	s->pass = stream->pass[operation][past_caches];
	if (streams_allocate(s, error) != 0)
		return -1;
	s->team = team_start(threads, error);
	if (!s->team)
		return -1;
	team_run(s->team, streams_fill, s);
	return 0;
}

static void
streams_pass(void *state)
{
	struct streams *s = state;

	team_run(s->team, streams_work_on, s);
}

static int
streams_check(const void *state, struct assay_error *error)
{
	struct streams *s = (struct streams *)state;
	size_t wrong = 0, i;

	team_run(s->team, streams_count_wrong, s);
	for (i = 0; i < threads; i++)
		wrong += s->wrong[i];
	return wrong == 0 ? 0 : assay_fail(error, "%zu of %zu elements", wrong, s->n);
}

/* CHECK over what fits a cache: each element was checked already. */
static void
streams_work(const void *state, struct assay_work *work)
{
	const struct streams *s = state;

	work->len = s->n;
	work->flops = streamed[s->operation].flops * (double)s->n;
	work->bytes = (streamed[s->operation].two_inputs ? 24.0 : 16.0) * (double)s->n;
	work->output = s->out;
	work->output_bytes = (s->n < 4096 ? s->n : 4096) * sizeof *s->out;
}

#define STREAMS(NAME, OPERATION)                                           \
	static int NAME##_set_up(void **state, struct assay_error *error)  \
	{                                                                  \
		return streams_set_up(state, OPERATION, false, error);     \
	}                                                                  \
	static int NAME##_nt_set_up(void **state, struct assay_error *error) \
	{                                                                  \
		return streams_set_up(state, OPERATION, true, error);      \
	}
STREAMS(copy, STREAM_COPY)
STREAMS(scale, STREAM_SCALE)
STREAMS(add, STREAM_ADD)
STREAMS(triad, STREAM_TRIAD)

/* ---- arithmetic and the clock ---- */

struct arithmetic {
	struct team *team;
	const struct peak *peak; /* NULL: cycles */
	size_t turns;            /* of a thread: operations on all its numbers */
	struct numbers { double x[PEAK_ELEMENTS]; } *of_thread;
};

static double
begin_at(size_t element)
{
	return 1 + 0.25 * (double)(element % 4);
}

static void
arithmetic_fill(struct arithmetic *a)
{
	size_t thread, i;

	for (thread = 0; thread < threads; thread++)
		for (i = 0; i < PEAK_ELEMENTS; i++)
			a->of_thread[thread].x[i] = begin_at(i);
}

static void
arithmetic_tear_down(void *state)
{
	struct arithmetic *a = state;

	if (!a)
		return;
	team_end(a->team);
	free(a->of_thread);
	free(a);
}

static int
arithmetic_set_up(void **state, const struct peak *peak, struct assay_error *error)
{
	struct arithmetic *a = assay_alloc(1, sizeof *a, error);

	size_t whole = threads * (peak ? peak->elements : PEAK_LINKS);

	*state = a;
	if (!a)
		return -1;
	if (length % whole != 0)
		return assay_fail(error, "--n=%llu is no multiple of %zu, the numbers in the registers of %llu threads",
				  (unsigned long long)length, whole, (unsigned long long)threads);
	a->peak = peak;
	a->turns = length / whole;
	a->of_thread = assay_alloc(threads, sizeof *a->of_thread, error);
	a->team = a->of_thread ? team_start(threads, error) : NULL;
	return a->team ? 0 : -1;
}

static int
fma_set_up(void **state, struct assay_error *error)
{
	const char *supported;
	const struct peak *peak = peak_find((unsigned)width, &supported);

	if (!peak)
		return assay_fail(error, "unsupported: vectors of %llu bits; this CPU has: %s",
				  (unsigned long long)width, supported);
	return arithmetic_set_up(state, peak, error);
}

static int
cycles_set_up(void **state, struct assay_error *error)
{
	return arithmetic_set_up(state, NULL, error);
}

static void
arithmetic_work_on(void *context, size_t thread, size_t of)
{
	const struct arithmetic *a = context;
	double *x = a->of_thread[thread].x;

	(void)of;
	if (a->peak)
		a->peak->fma(x, a->turns);
	else
		x[0] = (double)peak_cycles(thread, 1, a->turns * PEAK_LINKS);
}

/* Each pass begins anew, so that nothing overflows however many there are. */
static void
arithmetic_pass(void *state)
{
	struct arithmetic *a = state;

	arithmetic_fill(a);
	team_run(a->team, arithmetic_work_on, a);
}

static int
fma_check(const void *state, struct assay_error *error)
{
	const struct arithmetic *a = state;
	double right[4];
	size_t i, thread;

	for (i = 0; i < 4; i++)
		right[i] = begin_at(i);
	for (i = 0; i < a->turns; i++)
		for (thread = 0; thread < 4; thread++)
			right[thread] = fma(right[thread], PEAK_FACTOR, PEAK_ADDEND);
	for (thread = 0; thread < threads; thread++)
		for (i = 0; i < a->peak->elements; i++)
			if (a->of_thread[thread].x[i] != right[i % 4])
				return assay_fail(error, "element %zu of thread %zu is %.17g and must be %.17g", i,
						  thread, a->of_thread[thread].x[i], right[i % 4]);
	return 0;
}

static int
cycles_check(const void *state, struct assay_error *error)
{
	const struct arithmetic *a = state;
	size_t thread;

	for (thread = 0; thread < threads; thread++)
		if (a->of_thread[thread].x[0] != (double)(thread + a->turns * PEAK_LINKS))
			return assay_fail(error, "the sum of thread %zu is %.17g", thread, a->of_thread[thread].x[0]);
	return 0;
}

static void
arithmetic_work(const void *state, struct assay_work *work)
{
	const struct arithmetic *a = state;

	work->len = length;
	work->flops = (a->peak ? 2.0 : 1.0) * (double)length;
	work->output = a->of_thread->x;
	work->output_bytes = sizeof *a->of_thread->x;
}

/* ---- chains of loads ---- */

struct chased {
	struct chase_line *lines, *at[CHASE_CHAINS];
	size_t block_bytes;
	chase_pass *pass;
	uint64_t places[CHASE_CHAINS];
};

static void
chase_tear_down(void *state)
{
	struct chased *c = state;

	if (c)
		pages_free(c->lines, c->block_bytes);
	free(c);
}

static int
chains_set_up(void **state, bool in_order, struct assay_error *error)
{
	struct chased *c = assay_alloc(1, sizeof *c, error);
	size_t i;

	*state = c;
	if (!c)
		return -1;
	c->pass = chase_pass_find(chains);
	if (!c->pass || bytes % (chains * CHASE_LINE) != 0)
		return assay_fail(error, "%llu bytes in %llu chains: take 1, 2, 4, 8, 16 or 32 chains of whole lines",
				  (unsigned long long)bytes, (unsigned long long)chains);
	c->block_bytes = bytes;
	c->lines = pages_alloc(bytes, huge, error);
	if (!c->lines || chase_link(c->lines, bytes / CHASE_LINE, chains, in_order, error) != 0)
		return -1;
	for (i = 0; i < chains; i++)
		c->at[i] = &c->lines[i];
	return 0;
}

static int
chase_set_up(void **state, struct assay_error *error)
{
	return chains_set_up(state, false, error);
}

static int
walk_set_up(void **state, struct assay_error *error)
{
	return chains_set_up(state, true, error);
}

/* Goes on where the last pass ended. */
static void
chase_on(void *state)
{
	struct chased *c = state;

	c->pass(c->at, length);
}

static int
chase_check(const void *state, struct assay_error *error)
{
	const struct chased *c = state;
	uint64_t lap = bytes / CHASE_LINE / chains;
	size_t i;

	for (i = 0; i < chains; i++)
		if (c->at[i]->place != length % lap)
			return assay_fail(error, "chain %zu is at place %llu and must be at %llu", i,
					  (unsigned long long)c->at[i]->place, (unsigned long long)(length % lap));
	return 0;
}

static void
chase_work(const void *state, struct assay_work *work)
{
	struct chased *c = (struct chased *)state;
	size_t i;

	for (i = 0; i < chains; i++)
		c->places[i] = c->at[i]->place;
	work->len = length * chains;
	work->bytes = (double)CHASE_LINE * (double)work->len;
	work->each = "load";
	work->output = c->places;
	work->output_bytes = chains * sizeof *c->places;
}

static const struct assay_option options[] = {
	{"n", &length, 1, UINT64_C(1) << 34, "elements of a vector; multiply-adds or additions of all threads; steps of a chain"},
	{"threads", &threads, 1, 4096, "of the vectors and the arithmetic"},
	{"width", &width, 0, 512, "bits of a vector; 0: the widest here"},
	{"bytes", &bytes, 2 * CHASE_LINE, UINT64_C(1) << 37, "that a chase goes through"},
	{"chains", &chains, 1, CHASE_CHAINS, "of loads at once: 1, 2, 4, 8, 16 or 32"},
	{"huge", &huge, 0, 1, "1: pages of 2 MiB, where the kernel has them; 0: the small ones"},
	{NULL, NULL, 0, 0, NULL},
};

#define STREAM_KERNEL(NAME, SUMMARY)                                                                          \
	{#NAME, SUMMARY, NAME##_set_up, streams_pass, streams_check, streams_work, streams_tear_down, true}, \
	{#NAME "_nt", SUMMARY ", stored past the caches", NAME##_nt_set_up, streams_pass, streams_check, streams_work, \
	 streams_tear_down, true}

static const struct assay_kernel kernels[] = {
	STREAM_KERNEL(copy, "out = x"),
	STREAM_KERNEL(scale, "out = 3*x"),
	STREAM_KERNEL(add, "out = x + y"),
	STREAM_KERNEL(triad, "out = x + 3*y"),
	{"fma", "x*a + b in registers, independent of each other", fma_set_up, arithmetic_pass, fma_check,
	 arithmetic_work, arithmetic_tear_down, true},
	{"cycles", "additions that wait for each other, a cycle each: the clock", cycles_set_up, arithmetic_pass,
	 cycles_check, arithmetic_work, arithmetic_tear_down, true},
	{"chase", "loads that each say where the next one is", chase_set_up, chase_on, chase_check, chase_work,
	 chase_tear_down, false},
	{"walk", "the same in the order of addresses", walk_set_up, chase_on, chase_check, chase_work, chase_tear_down,
	 false},
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "machine_lab",
	.summary = "what a machine allows: bytes and operations a second, latency",
	.options = options,
	.kernels = kernels,
};

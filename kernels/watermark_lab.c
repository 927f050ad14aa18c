/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels of which it is known what they wait for, to be perturbed (harness/watermark.h).
 *
 *	stream		out = a + 3 b over vectors that no cache holds: memory bandwidth
 *	chase		a chain of loads, each from where the one before says: latency of memory
 *	recurrence	x = x/2 + a[i], one chain of additions: latency of arithmetic
 *	polynomial	200 multiplications and additions a value, of values side by side: arithmetic
 *	locked		threads that take a lock for each step on data of their own: synchronisation
 *
 * By its traffic the roofline takes chase and recurrence for bound by bandwidth. Vectors are of 16 bytes,
 * which each CPU here has, and whole in registers, so that a perturbed kernel keeps its instructions.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "harness/assay_harness.h"
#include "harness/watermark.h"
#include "team/team.h"

enum {
	LINE_BYTES = 64,
	LINE_DOUBLES = LINE_BYTES / sizeof(double),
	TILE = 512,	/* doubles that stay in the first cache, also where all tiles are one */
	PASSES_A_ROUND = 8, /* of chase: each pass goes on where the last one stopped */
	DEGREE = 100,	/* of the polynomial, at 2 operations each */
	MORE = 4,	/* multiplications and additions that the others get on a value */
};

typedef double pair __attribute__((vector_size(2 * sizeof(double))));

struct scene {
	size_t n;	/* doubles of a vector; lines of chase; steps of a thread */
	double *a, *b, *out;
	size_t outputs;	/* doubles of out */
	size_t at;	/* chase: where the next pass begins */
	struct team *team;
	pthread_mutex_t lock;
};

static uint64_t length = 1 << 20, threads = 1;

/* ---- inputs ---- */

/* Whole numbers below 1024, so that sums of a few are exact. */
static double
input(size_t i)
{
	uint32_t h = (uint32_t)i * UINT32_C(2654435761);

	return (double)(h >> 22);
}

static void
tear_down(void *state)
{
	struct scene *s = state;

	if (!s)
		return;
	team_free(s->team);
	free(s->a);
	free(s->b);
	free(s->out);
	free(s);
}

static int
set_up(void **state, size_t inputs, size_t second, size_t outputs, struct assay_error *error)
{
	struct scene *s = assay_alloc(1, sizeof *s, error);

	*state = s;
	if (!s)
		return -1;
	s->n = length;
	s->outputs = outputs;
	s->a = assay_alloc(inputs, sizeof *s->a, error);
	s->b = s->a ? assay_alloc(second, sizeof *s->b, error) : NULL;
	s->out = s->b ? assay_alloc(outputs, sizeof *s->out, error) : NULL;
	if (!s->out)
		return -1;
	for (size_t i = 0; i < inputs; i++)
		s->a[i] = input(i);
	for (size_t i = 0; i < second; i++)
		s->b[i] = input(i + 1);
	return 0;
}

static int
whole_tiles(struct assay_error *error)
{
	return length % TILE == 0 ? 0 : assay_fail(error, "--n must be a multiple of %d here", TILE);
}

static int
differs(double found, double expected, size_t i, struct assay_error *error)
{
	if (WATERMARK_WRONG || found == expected)
		return 0;
	return assay_fail(error, "value %zu is %.17g and must be %.17g", i, found, expected);
}

static void
work(const struct scene *s, double flops, double bytes, struct assay_work *done)
{
	done->len = s->n;
	done->flops = flops;
	done->bytes = bytes;
	done->output = s->out;
	done->output_bytes = s->outputs * sizeof *s->out;
}

/* ---- stream ---- */

static int
stream_set_up(void **state, struct assay_error *error)
{
	*state = NULL;
	return whole_tiles(error) != 0 ? -1 : set_up(state, length, length, length, error);
}

static void
stream_tile(const pair *restrict a, const pair *restrict b, pair *restrict out)
{
	for (size_t i = 0; i < TILE / 2; i++) {
		pair x = a[i], y = b[i];

		watermark_loaded(y);
		watermark_added(x, MORE);
		out[i] = watermark_compute(x + 3 * y, x);
	}
}

static void
stream_pass(void *state)
{
	const struct scene *s = state;

	for (size_t i = 0; i < s->n; i += TILE) {
		size_t at = watermark_place(i);

		stream_tile((const pair *)(s->a + at), (const pair *)(s->b + at), (pair *)(s->out + at));
	}
}

static int
stream_check(const void *state, struct assay_error *error)
{
	const struct scene *s = state;

	for (size_t i = 0; i < s->n; i++)
		if (differs(s->out[i], input(i) + 3 * input(i + 1), i, error) != 0)
			return -1;
	return 0;
}

static void
stream_work(const void *state, struct assay_work *done)
{
	const struct scene *s = state;

	work(s, 2.0 * (double)s->n, 3.0 * sizeof(double) * (double)s->n, done);
}

/* ---- chase ---- */

/* Sattolo's shuffle makes one cycle of all lines; the first word of a line is where to go on. */
static int
chase_set_up(void **state, struct assay_error *error)
{
	uint64_t random = 88172645463325252u;
	struct scene *s;

	if (set_up(state, length * LINE_DOUBLES, 1, 1, error) != 0)
		return -1;
	s = *state;
	for (size_t i = 0; i < s->n; i++)
		s->a[i * LINE_DOUBLES] = (double)i;
	for (size_t i = s->n - 1; i > 0; i--) {
		size_t k;
		double kept = s->a[i * LINE_DOUBLES];

		random ^= random << 13; /* xorshift64 (Marsaglia 2003) */
		random ^= random >> 7;
		random ^= random << 17;
		k = (size_t)(random % i);
		s->a[i * LINE_DOUBLES] = s->a[k * LINE_DOUBLES];
		s->a[k * LINE_DOUBLES] = kept;
	}
	return 0;
}

/* With one element the chain stays, and its loads hit the first cache. */
static void
chase_pass(void *state)
{
	struct scene *s = state;
	double sum = 0;
	size_t at = s->at;

	for (size_t i = 0; i < s->n / PASSES_A_ROUND; i++) {
		const double *line = s->a + watermark_place(at * LINE_DOUBLES);

		watermark_added(line[0], MORE);
		sum = watermark_compute(sum + line[0], line[0]);
		at = (size_t)line[0];
	}
	s->out[0] = sum;
	s->at = at;
}

/* After one pass, which began at the first line. */
static int
chase_check(const void *state, struct assay_error *error)
{
	const struct scene *s = state;
	double sum = 0;
	size_t at = 0;

	for (size_t i = 0; i < s->n / PASSES_A_ROUND; i++)
		sum += s->a[at * LINE_DOUBLES], at = (size_t)s->a[at * LINE_DOUBLES];
	return differs(s->out[0], sum, 0, error);
}

static void
chase_work(const void *state, struct assay_work *done)
{
	const struct scene *s = state;
	double steps = (double)(s->n / PASSES_A_ROUND);

	work(s, steps, LINE_BYTES * steps, done);
}

/* ---- recurrence ---- */

static int
recurrence_set_up(void **state, struct assay_error *error)
{
	*state = NULL;
	return whole_tiles(error) != 0 ? -1 : set_up(state, length, 1, 1, error);
}

/* The compiler may not change the order of additions, so each waits for the one before. */
static double
recurrence(const double *a, double x)
{
	for (size_t i = 0; i < TILE; i++) {
		double loaded = a[i];

		watermark_loaded(loaded);
		watermark_added(loaded, MORE);
		x = watermark_compute(0.5 * x + loaded, x);
	}
	return x;
}

static void
recurrence_pass(void *state)
{
	const struct scene *s = state;
	double x = 0;

	for (size_t i = 0; i < s->n; i += TILE)
		x = recurrence(s->a + watermark_place(i), x);
	s->out[0] = x;
}

/* What lies more than 60 values back is below the last bit. */
static int
recurrence_check(const void *state, struct assay_error *error)
{
	const struct scene *s = state;
	double x = 0;

	for (size_t i = s->n - TILE; i < s->n; i++)
		x = 0.5 * x + input(i);
	return s->out[0] > x * (1 - 1e-14) && s->out[0] < x * (1 + 1e-14) ? 0
									  : differs(s->out[0], x, 0, error);
}

static void
recurrence_work(const void *state, struct assay_work *done)
{
	const struct scene *s = state;

	work(s, 2.0 * (double)s->n, sizeof(double) * (double)s->n, done);
}

/* ---- polynomial ---- */

static int
polynomial_set_up(void **state, struct assay_error *error)
{
	*state = NULL;
	return whole_tiles(error) != 0 ? -1 : set_up(state, length, 1, length, error);
}

/* 1 + x + x^2 + …, with x from 0 to 1. Eight values side by side, since one alone would wait. */
static void
polynomial_tile(const pair *restrict a, pair *restrict out)
{
	for (size_t i = 0; i < TILE / 2; i += 4) {
		pair x[4], y[4];

		for (size_t k = 0; k < 4; k++) {
			x[k] = a[i + k] * (1.0 / 1024);
			y[k] = x[k];
		}
		for (int d = 0; d < watermark_compute(DEGREE, 0); d++)
			for (size_t k = 0; k < 4; k++)
				y[k] = y[k] * x[k] + 1;
		for (size_t k = 0; k < 4; k++) {
			watermark_added(x[k], DEGREE);
			out[i + k] = y[k];
		}
	}
}

static void
polynomial_pass(void *state)
{
	const struct scene *s = state;

	for (size_t i = 0; i < s->n; i += TILE) {
		size_t at = watermark_place(i);

		polynomial_tile((const pair *)(s->a + at), (pair *)(s->out + at));
	}
}

static int
polynomial_check(const void *state, struct assay_error *error)
{
	const struct scene *s = state;

	for (size_t i = 0; i < s->n; i++) {
		double x = input(i) / 1024, y = x;

		for (size_t d = 0; d < DEGREE; d++)
			y = y * x + 1;
		if ((s->out[i] < y * (1 - 1e-13) || s->out[i] > y * (1 + 1e-13)) &&
		    differs(s->out[i], y, i, error) != 0)
			return -1;
	}
	return 0;
}

static void
polynomial_work(const void *state, struct assay_work *done)
{
	const struct scene *s = state;

	work(s, 2.0 * DEGREE * (double)s->n, 2.0 * sizeof(double) * (double)s->n, done);
}

/* ---- locked ---- */

static int
locked_set_up(void **state, struct assay_error *error)
{
	struct scene *s;

	if (set_up(state, threads * LINE_DOUBLES, 1, threads * LINE_DOUBLES, error) != 0)
		return -1;
	s = *state;
	pthread_mutex_init(&s->lock, NULL);
	s->team = team_make(threads, error);
	return s->team ? 0 : -1;
}

/* The data of a member are its own: nothing but the lock is shared. */
static void
locked_steps(void *scene, size_t member, size_t members)
{
	struct scene *s = scene;

	(void)members;
	for (size_t i = 0; i < s->n; i++) {
		double *own = s->out + watermark_place(member * LINE_DOUBLES + i % LINE_DOUBLES);

		watermark_sync(pthread_mutex_lock(&s->lock));
		watermark_added(*own, MORE);
		*own = watermark_compute(*own + 1, *own);
		watermark_consume(own);
		watermark_sync(pthread_mutex_unlock(&s->lock));
	}
}

static void
locked_pass(void *state)
{
	struct scene *s = state;

	for (size_t i = 0; i < s->outputs; i++)
		s->out[i] = 0;
	team_run(s->team, locked_steps, s);
}

static int
locked_check(const void *state, struct assay_error *error)
{
	const struct scene *s = state;

	for (size_t i = 0; i < s->outputs; i++) {
		size_t k = i % LINE_DOUBLES;

		if (differs(s->out[i], (double)((s->n + LINE_DOUBLES - 1 - k) / LINE_DOUBLES), i, error) != 0)
			return -1;
	}
	return 0;
}

static void
locked_work(const void *state, struct assay_work *done)
{
	const struct scene *s = state;

	work(s, (double)s->n * (double)threads, 0, done);
}

#define KERNEL(NAME, SUMMARY, THREADED)                                                        \
	{.name = #NAME, .summary = SUMMARY, .set_up = NAME##_set_up, .pass = NAME##_pass,       \
	 .check = NAME##_check, .work = NAME##_work, .tear_down = tear_down, .threaded = THREADED}

static const struct assay_kernel kernels[] = {
	KERNEL(stream, "out = a + 3 b over vectors", false),
	KERNEL(chase, "loads, each from where the one before says", false),
	KERNEL(recurrence, "x = x/2 + a[i], one chain of additions", false),
	KERNEL(polynomial, "a polynomial of degree 100 of each value", false),
	KERNEL(locked, "steps on data of a thread's own, under one lock", true),
	{.name = NULL},
};

static const struct assay_option options[] = {
	{"n", &length, 1, 1 << 28, "values, or lines of chase, or steps of a thread of locked"},
	{"threads", &threads, 1, TEAM_MAX, "threads of locked"},
	{NULL, NULL, 0, 0, NULL},
};

const struct assay_program assay_program = {
	.name = "watermark_lab",
	.summary = "kernels of which it is known what they wait for",
	.options = options,
	.kernels = kernels,
};

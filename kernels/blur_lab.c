/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A 3x3 blur of an image of n x n pixels, with a border of one pixel round the input.
 *
 *	square		one pass over 3x3 neighbours			 9 multiply-adds a pixel
 *	two_passes	across into a second image, then down		 6
 *	fused		the same two passes, in chunks of rows		 6 (1 + 1/chunk)
 *
 * The blur is separable: its 3x3 weights are the products of 1/4, 1/2, 1/4 with themselves. A chunk
 * of c rows needs c + 2 rows of the first pass, so each chunk computes two rows again; for that its
 * intermediate rows lie in a small buffer of the thread's own and need not leave the cache.
 *
 * Traffic is counted as what must cross between memory and a core whose cache holds a few rows:
 * the input once, the output once, and of two_passes the second image twice. At 1024 x 1024 that is
 * 8.4 MB, and 16.8 MB for two_passes. What a store reads before it writes a line is not counted.
 *
 * Pixels are whole numbers below 256 and the weights are powers of two, so that every sum is exact in
 * a float whatever its order and whether or not a compiler contracts it: all kernels, at any chunk and
 * number of threads, give the same bits, and their checksums are equal without a tolerance.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/assay_harness.h"
#include "team/team.h"

/* Vectors as wide as the CPU has, chosen when the program is loaded. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define WIDE __attribute__((noinline))
#endif

enum blur { SQUARE, TWO_PASSES, FUSED };

struct scene {
	enum blur blur;
	size_t n, chunk;
	float *in;		/* (n + 2) x (n + 2) */
	float *between;		/* two_passes: (n + 2) x n; fused: (chunk + 2) x n a thread */
	float *out;		/* n x n */
	uint32_t *columns;	/* of the check, one row each */
	float *expected;
	float line[3], square[9]; /* the weights: read, so that they are multiplied with */
	struct team *team;
};

static uint64_t side = 1024, chunk_rows = 16, threads = 1;

/* ---- rows ---- */

WIDE static void
blur_square(const float *restrict a, const float *restrict b, const float *restrict c,
	float *restrict out, size_t n, const float *restrict w)
{
	for (size_t i = 0; i < n; i++)
		out[i] = w[0] * a[i] + w[1] * a[i + 1] + w[2] * a[i + 2] +
			 w[3] * b[i] + w[4] * b[i + 1] + w[5] * b[i + 2] +
			 w[6] * c[i] + w[7] * c[i + 1] + w[8] * c[i + 2];
}

WIDE static void
blur_across(const float *restrict in, float *restrict out, size_t n, const float *restrict w)
{
	for (size_t i = 0; i < n; i++)
		out[i] = w[0] * in[i] + w[1] * in[i + 1] + w[2] * in[i + 2];
}

WIDE static void
blur_down(const float *restrict a, const float *restrict b, const float *restrict c,
	float *restrict out, size_t n, const float *restrict w)
{
	for (size_t i = 0; i < n; i++)
		out[i] = w[0] * a[i] + w[1] * b[i] + w[2] * c[i];
}

/* ---- the three ways, rows `from` to `to` ---- */

static const float *
input_row(const struct scene *s, size_t row)
{
	return s->in + row * (s->n + 2);
}

static void
square_rows(const struct scene *s, size_t from, size_t to)
{
	for (size_t j = from; j < to; j++)
		blur_square(input_row(s, j), input_row(s, j + 1), input_row(s, j + 2),
			s->out + j * s->n, s->n, s->square);
}

static void
across_rows(const struct scene *s, size_t from, size_t to, float *out)
{
	for (size_t j = from; j < to; j++)
		blur_across(input_row(s, j), out + (j - from) * s->n, s->n, s->line);
}

/* `in` begins with what row `from` of the output needs. */
static void
down_rows(const struct scene *s, size_t from, size_t to, const float *in)
{
	for (size_t j = from; j < to; j++, in += s->n)
		blur_down(in, in + s->n, in + 2 * s->n, s->out + j * s->n, s->n, s->line);
}

static void
fused_rows(const struct scene *s, size_t from, size_t to, float *rows)
{
	for (size_t j = from; j < to; j += s->chunk) {
		size_t end = to - j < s->chunk ? to : j + s->chunk;

		across_rows(s, j, end + 2, rows);
		down_rows(s, j, end, rows);
	}
}

static void
blur(void *scene, size_t member, size_t members)
{
	const struct scene *s = scene;
	size_t n = s->n, from = team_share(n, member, members), to = team_share(n, member + 1, members);
	size_t first = team_share(n + 2, member, members);

	switch (s->blur) {
	case SQUARE:
		square_rows(s, from, to);
		break;
	case TWO_PASSES:
		across_rows(s, first, team_share(n + 2, member + 1, members), s->between + first * n);
		team_wait(s->team); /* the rows next to one's own are another member's */
		down_rows(s, from, to, s->between + from * n);
		break;
	case FUSED:
		fused_rows(s, from, to, s->between + member * (s->chunk + 2) * n);
		break;
	}
}

/* ---- the harness's questions ---- */

/* A pixel, border included; any can be computed alone. The finaliser of MurmurHash3 (Appleby). */
static uint32_t
pixel(size_t row, size_t column)
{
	uint32_t h = (uint32_t)(row * (side + 2) + column + 1);

	h = (h ^ h >> 16) * UINT32_C(0x85ebca6b);
	h = (h ^ h >> 13) * UINT32_C(0xc2b2ae35);
	return (h ^ h >> 16) & 255;
}

/* The output starts as something that no result is: an untouched pixel fails the check. */
static void
fill(struct scene *s)
{
	static const float line[] = {0.25f, 0.5f, 0.25f};

	for (size_t j = 0; j < s->n + 2; j++)
		for (size_t i = 0; i < s->n + 2; i++)
			s->in[j * (s->n + 2) + i] = (float)pixel(j, i);
	for (size_t k = 0; k < s->n * s->n; k++)
		s->out[k] = -1;
	memcpy(s->line, line, sizeof line);
	for (size_t k = 0; k < 9; k++)
		s->square[k] = line[k / 3] * line[k % 3];
}

static void
tear_down(void *state)
{
	struct scene *s = state;

	if (!s)
		return;
	team_free(s->team);
	free(s->in);
	free(s->between);
	free(s->out);
	free(s->columns);
	free(s->expected);
	free(s);
}

static int
set_up(void **state, enum blur kind, struct assay_error *error)
{
	struct scene *s = assay_alloc(1, sizeof *s, error);
	size_t rows;

	*state = s;
	if (!s)
		return -1;
	s->blur = kind;
	s->n = side;
	s->chunk = chunk_rows < side ? chunk_rows : side;
	rows = kind == SQUARE ? 0 : kind == TWO_PASSES ? s->n + 2 : threads * (s->chunk + 2);
	s->in = assay_alloc((s->n + 2) * (s->n + 2), sizeof *s->in, error);
	s->between = s->in ? assay_alloc(rows * s->n, sizeof *s->between, error) : NULL;
	s->out = s->between ? assay_alloc(s->n * s->n, sizeof *s->out, error) : NULL;
	s->columns = s->out ? assay_alloc(s->n + 2, sizeof *s->columns, error) : NULL;
	s->expected = s->columns ? assay_alloc(s->n, sizeof *s->expected, error) : NULL;
	if (!s->expected)
		return -1;
	fill(s);
	s->team = team_make(threads, error);
	return s->team ? 0 : -1;
}

static void
pass(void *state)
{
	struct scene *s = state;

	team_run(s->team, blur, s);
}

/* Four times the blur down of one column of the input, in whole numbers, from the generator. */
static uint32_t
column_4(size_t row, size_t column)
{
	return pixel(row, column) + 2 * pixel(row + 1, column) + pixel(row + 2, column);
}

static void
expect_row(const struct scene *s, size_t j)
{
	for (size_t i = 0; i < s->n + 2; i++)
		s->columns[i] = column_4(j, i);
	for (size_t i = 0; i < s->n; i++)
		s->expected[i] = (float)(s->columns[i] + 2 * s->columns[i + 1] + s->columns[i + 2]) / 16;
}

static int
check_row(const struct scene *s, size_t j, struct assay_error *error)
{
	const float *found = s->out + j * s->n;

	expect_row(s, j);
	for (size_t i = 0; i < s->n; i++)
		if (found[i] != s->expected[i])
			return assay_fail(error, "pixel %zu of row %zu is %.9g and must be %.9g", i, j,
				(double)found[i], (double)s->expected[i]);
	return 0;
}

static int
check(const void *state, struct assay_error *error)
{
	const struct scene *s = state;

	for (size_t j = 0; j < s->n; j++)
		if (check_row(s, j, error) != 0)
			return -1;
	return 0;
}

/* Rows of the first pass that `fused` computes, over all threads and chunks. */
static size_t
rows_across(const struct scene *s)
{
	size_t rows = 0;

	for (size_t t = 0; t < threads; t++) {
		size_t own = team_share(s->n, t + 1, threads) - team_share(s->n, t, threads);

		rows += own + 2 * ((own + s->chunk - 1) / s->chunk);
	}
	return rows;
}

static void
work(const void *state, struct assay_work *done)
{
	const struct scene *s = state;
	double n = (double)s->n, image = n * n, bordered = (n + 2) * (n + 2);
	double across = s->blur == FUSED ? (double)rows_across(s) : n + 2;
	double sums = s->blur == SQUARE ? 9 * image : 3 * across * n + 3 * image;
	double between = s->blur == TWO_PASSES ? 2 * (n + 2) * n : 0;

	done->len = s->n * s->n;
	done->flops = 2 * sums;
	done->bytes = sizeof(float) * (bordered + between + image);
	done->output = s->out;
	done->output_bytes = s->n * s->n * sizeof *s->out;
}

static int
set_up_square(void **state, struct assay_error *error)
{
	return set_up(state, SQUARE, error);
}

static int
set_up_two_passes(void **state, struct assay_error *error)
{
	return set_up(state, TWO_PASSES, error);
}

static int
set_up_fused(void **state, struct assay_error *error)
{
	return set_up(state, FUSED, error);
}

#define KERNEL(NAME, SUMMARY) \
	{.name = #NAME, .summary = SUMMARY, .set_up = set_up_##NAME, .pass = pass, .check = check, \
	 .work = work, .tear_down = tear_down, .threaded = true}

static const struct assay_kernel kernels[] = {
	KERNEL(square, "one pass over 3x3 neighbours"),
	KERNEL(two_passes, "across into a second image, then down"),
	KERNEL(fused, "both passes in chunks of rows, with a buffer of each thread's own"),
	{.name = NULL},
};

static const struct assay_option options[] = {
	{"n", &side, 1, 16384, "rows and columns of the image"},
	{"chunk", &chunk_rows, 1, 16384, "rows of the output a chunk, of fused"},
	{"threads", &threads, 1, TEAM_MAX, "threads that share the rows"},
	{NULL, NULL, 0, 0, NULL},
};

const struct assay_program assay_program = {
	.name = "blur_lab",
	.summary = "a separable 3x3 blur of floats: one pass, two passes, two passes fused",
	.options = options,
	.kernels = kernels,
};

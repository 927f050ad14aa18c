/*
 * Adds up an n by n matrix, by rows or by columns. The harness (Assay's kernels/harness) has the
 * main: it reads --kernel, --n, --samples …, pins the process, warms up, times and prints.
 */
#include <stdint.h>
#include <stdlib.h>

#include "harness/assay_harness.h"

struct matrix {
	uint64_t n;
	double *values; /* row after row */
	double sum;     /* of the latest pass */
};

static uint64_t n = 256; /* --n */

/* Not timed. Whole numbers, so that the sum is exact in whatever order. */
static int
set_up(void **state, struct assay_error *error)
{
	struct matrix *m = calloc(1, sizeof *m);
	uint64_t i;

	*state = m;
	if (!m)
		return assay_fail(error, "no memory");
	m->n = n;
	m->values = assay_alloc(n * n, sizeof *m->values, error);
	if (!m->values)
		return -1;
	for (i = 0; i < n * n; i++)
		m->values[i] = (double)(i % 1000);
	return 0;
}

/* Timed. */
static void
by_rows(void *state)
{
	struct matrix *m = state;
	double sum = 0;
	uint64_t row, column;

	for (row = 0; row < m->n; row++)
		for (column = 0; column < m->n; column++)
			sum += m->values[row * m->n + column];
	m->sum = sum;
}

/* Timed. */
static void
by_columns(void *state)
{
	struct matrix *m = state;
	double sum = 0;
	uint64_t row, column;

	for (column = 0; column < m->n; column++)
		for (row = 0; row < m->n; row++)
			sum += m->values[row * m->n + column];
	m->sum = sum;
}

/* Nothing is timed before the output of the first pass was found right. */
static int
check(const void *state, struct assay_error *error)
{
	const struct matrix *m = state;
	double sum = 0;
	uint64_t i;

	for (i = 0; i < m->n * m->n; i++)
		sum += (double)(i % 1000);
	return m->sum == sum ? 0 : assay_fail(error, "the sum is %.17g, not %.17g", m->sum, sum);
}

static void
work(const void *state, struct assay_work *work)
{
	const struct matrix *m = state;

	work->len = m->n * m->n;
	work->flops = (double)(m->n * m->n);
	work->output = &m->sum; /* what CHECK is computed over */
	work->output_bytes = sizeof m->sum;
}

static void
tear_down(void *state)
{
	struct matrix *m = state;

	if (m)
		free(m->values);
	free(m);
}

static const struct assay_option options[] = {
	{"n", &n, 1, 16384, "rows and columns"},
	{NULL, NULL, 0, 0, NULL},
};

static const struct assay_kernel kernels[] = {
	{"by_rows", "in the order of memory", set_up, by_rows, check, work, tear_down, false},
	{"by_columns", "a row's length apart", set_up, by_columns, check, work, tear_down, false},
	{NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};

const struct assay_program assay_program = {"sum", "add up a matrix", options, kernels};

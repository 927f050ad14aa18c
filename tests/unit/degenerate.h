#ifndef ASSAY_TESTS_DEGENERATE_H
#define ASSAY_TESTS_DEGENERATE_H

/*
 * Degenerate data for many statistics: unavailable with a reason, never a crash, never a made-up
 * number. A test program includes this, sets `questions` and `question_count`, and runs the
 * tests. Static functions in a header, as every program needs all of them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/pairs.h"
#include "analysis/stat.h"

enum { MOST = 64, DOUBLES = 16 };

/* What a statistic answered: its status and every double of its result. */
struct answer {
	enum stat_status status;
	double x[DOUBLES];
	size_t count;
};

static struct answer
answer(enum stat_status status, size_t count, ...)
{
	struct answer out = {.status = status, .count = count};
	va_list list;

	va_start(list, count);
	for (size_t i = 0; i < count; i++)
		out.x[i] = va_arg(list, double);
	va_end(list);
	return out;
}

/* One value, or one pair (x before a fixed partner), or one of two groups, as each needs it. */
typedef struct answer ask(const double *x, size_t n);

static double
one_of(size_t i)
{
	return 1 + 0.01 * (double)(i * 7 % 11);
}

static void
fill_partner(double *y, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = one_of(i);
}

/* The least n for which there is an answer, and what else it demands. */
struct question {
	const char *name;
	ask *ask;
	size_t least;
	bool positive; /* values must be above 0 */
	bool varied;   /* values must differ */
	bool nonzero;  /* not all may be 0 */
};

/* Set by the program before the tests run. */
static const struct question *questions;
static size_t question_count;

/* Either an answer with finite numbers, or a reason and no number at all. */
static void
assert_honest(const struct question *q, struct answer got, const char *data)
{
	for (size_t i = 0; i < got.count; i++) {
		if (got.status == STAT_OK ? !isfinite(got.x[i]) : !isnan(got.x[i]))
			fail_msg("%s of %s: status \"%s\", but number %zu is %g", q->name, data,
				 stat_reason(got.status), i, got.x[i]);
	}
}

static void
expect_status(const struct question *q, const double *x, size_t n, enum stat_status wanted,
	      const char *data)
{
	struct answer got = q->ask(x, n);

	assert_honest(q, got, data);
	if (got.status != wanted)
		fail_msg("%s of %s: \"%s\" instead of \"%s\"", q->name, data,
			 stat_reason(got.status), stat_reason(wanted));
}

static void
fill(double *x, size_t n, double value)
{
	for (size_t i = 0; i < n; i++)
		x[i] = value;
}

static void
few_values_have_no_answer(void **state)
{
	double x[MOST];

	(void)state;
	for (size_t i = 0; i < MOST; i++)
		x[i] = 2 + 0.1 * (double)(i * i % 7) + 0.001 * (double)i;
	for (size_t q = 0; q < question_count; q++) {
		expect_status(&questions[q], x, 0, STAT_TOO_FEW, "nothing");
		for (size_t n = 1; n < questions[q].least; n++) {
			struct answer got = questions[q].ask(x, n);
			assert_honest(&questions[q], got, "few values");
			if (got.status == STAT_OK)
				fail_msg("%s answers for %zu values", questions[q].name, n);
		}
		expect_status(&questions[q], x, questions[q].least, STAT_OK, "just enough");
		expect_status(&questions[q], x, 24, STAT_OK, "plenty");
	}
}

static void
not_finite_is_refused(void **state)
{
	const double bad[] = {NAN, INFINITY, -INFINITY};
	double x[MOST];

	(void)state;
	for (size_t q = 0; q < question_count; q++) {
		for (size_t b = 0; b < 3; b++) {
			for (size_t i = 0; i < MOST; i++)
				x[i] = 1 + 0.1 * (double)i;
			x[5] = bad[b];
			expect_status(&questions[q], x, 12, STAT_NOT_FINITE, "a value not finite");
		}
	}
}

static void
zero_and_negative_have_no_logarithm(void **state)
{
	double x[MOST];

	(void)state;
	for (size_t q = 0; q < question_count; q++) {
		for (size_t i = 0; i < MOST; i++)
			x[i] = 1 + 0.1 * (double)i;
		x[3] = 0;
		if (strcmp(questions[q].name, "cv") == 0)
			x[3] = -1000; /* only the mean must be above 0 */
		expect_status(&questions[q], x, 12,
			      questions[q].positive ? STAT_NOT_POSITIVE : STAT_OK, "a zero");
		x[3] = -1000;
		if (!questions[q].positive)
			assert_honest(&questions[q], questions[q].ask(x, 12), "a negative");
		else
			expect_status(&questions[q], x, 12, STAT_NOT_POSITIVE, "a negative");
	}
}

static void
constant_data_have_no_spread(void **state)
{
	const double values[] = {0, 1.1, -0.3, 1e-300, 1e300};
	double x[MOST];

	(void)state;
	for (size_t v = 0; v < 5; v++) {
		fill(x, MOST, values[v]);
		for (size_t q = 0; q < question_count; q++) {
			struct answer got = questions[q].ask(x, 12);
			assert_honest(&questions[q], got, "constant data");
			if (questions[q].varied)
				assert_true(got.status == STAT_CONSTANT);
			if (questions[q].nonzero)
				assert_true((got.status == STAT_CONSTANT) == (values[v] == 0));
		}
	}
}

/* 1e300 and 1e-300: sums and squares leave the range of a double, results need not. */
static void
extreme_values_give_no_made_up_number(void **state)
{
	const double scales[] = {1e-300, 1e-160, 1e160, 1e300, 1.7e308};
	double x[MOST];

	(void)state;
	for (size_t s = 0; s < 5; s++) {
		for (size_t q = 0; q < question_count; q++) {
			for (int sign = 0; sign < 2; sign++) {
				for (size_t i = 0; i < MOST; i++)
					x[i] = scales[s] * (1 - 0.01 * (double)(i * 5 % 13)) *
					       (sign && i % 3 == 0 ? -1 : 1);
				assert_honest(&questions[q], questions[q].ask(x, 20), "extremes");
			}
			for (size_t i = 0; i < MOST; i++)
				x[i] = i % 2 ? 1e300 : 1e-300;
			assert_honest(&questions[q], questions[q].ask(x, 20), "1e300 and 1e-300");
		}
	}
}

static void
input_is_left_as_it_was(void **state)
{
	double x[24], copy[24];

	(void)state;
	for (size_t i = 0; i < 24; i++)
		x[i] = copy[i] = 2 + 0.1 * (double)(i * i % 7) + 0.001 * (double)(24 - i);
	for (size_t q = 0; q < question_count; q++) {
		questions[q].ask(x, 24);
		assert_memory_equal(x, copy, sizeof(x));
	}
}

#endif

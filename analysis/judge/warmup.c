#include "analysis/judge/warmup.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/describe.h"
#include "analysis/judge/warning.h"
#include "analysis/rank.h"
#include "base/memory.h"

#define SIGNIFICANT 0.01
#define LEAST_DIFFERENCE 0.05

/* Logarithms of the excesses of a treatment's groups. */
struct excesses {
	double *logs;
	size_t count;
	double median;
};

/* NaN where there are too few samples. */
static double
excess_log(const double *x, size_t n)
{
	size_t quarter = n / 4, half = n / 2;
	double first = NAN, last = NAN;

	if (n < 4)
		return NAN;
	describe_median(x, quarter, &first);
	describe_median(x + n - half, half, &last);
	return first > 0 && last > 0 ? log(first / last) : NAN;
}

static void
collect(const struct observations *all, size_t treatment, struct excesses *out)
{
	int column = csv_table_column(&all->table, "wall_us");
	size_t i;

	*out = (struct excesses){memory_zeroed(all->count, sizeof *out->logs), 0, NAN};
	for (i = 0; i < all->count; i++) {
		const struct observation *one = &all->items[i];
		double *x, log_excess;
		size_t n;

		if (!one->used || !one->ok || one->phase != OBSERVED_AB || (size_t)one->treatment != treatment)
			continue;
		n = observation_samples(all, i, column, &x);
		log_excess = excess_log(x, n);
		free(x);
		if (isfinite(log_excess))
			out->logs[out->count++] = log_excess;
	}
	describe_median(out->logs, out->count, &out->median);
}

static bool
differ(const struct excesses *a, const struct excesses *b)
{
	struct rank_mann_whitney test;

	if (!(fabs(a->median - b->median) > log1p(LEAST_DIFFERENCE)) ||
	    rank_mann_whitney(a->logs, a->count, b->logs, b->count, &test) != STAT_OK)
		return false;
	return (test.exact_status == STAT_OK ? test.p_exact : test.p_normal) < SIGNIFICANT;
}

static void
warn(const struct plan *plan, const struct excesses *all, const struct comparison *which, json_t *warnings)
{
	bool a_first = all[which->a].median > all[which->b].median;
	size_t cold = a_first ? which->a : which->b, other = a_first ? which->b : which->a;
	double ratio = exp(all[cold].median - all[other].median);

	warning_add(warnings, "unequal_warmup", 0.75, ratio,
	    "warm both up alike and long enough (warmup_samples, and set-ups that touch what will be used): "
	    "what a program does once is in the time of the one and not of the other",
	    "%s is still warming up while it is timed: its first samples take %.3g times as long as its last, "
	    "those of %s %.3g times",
	    plan->treatments[cold].name, exp(all[cold].median), plan->treatments[other].name,
	    exp(all[other].median));
}

void
warmup_warn(const struct case_input *input, json_t *warnings)
{
	const struct plan *plan = input->plan;
	struct excesses *all = memory_zeroed(plan->treatment_count, sizeof *all);
	const struct comparison *worst = NULL;
	double most = 0;
	size_t i;

	for (i = 0; i < plan->treatment_count; i++)
		collect(input->observations, i, &all[i]);
	for (i = 0; i < plan->comparison_count; i++) {
		const struct comparison *one = &plan->comparisons[i];
		double apart = fabs(all[one->a].median - all[one->b].median);

		if (!differ(&all[one->a], &all[one->b]) || apart <= most)
			continue;
		most = apart;
		worst = one;
	}
	if (worst != NULL)
		warn(plan, all, worst, warnings);
	for (i = 0; i < plan->treatment_count; i++)
		free(all[i].logs);
	free(all);
}

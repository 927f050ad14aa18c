#include "analysis/changepoint.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"

/*
 * The best segmentation of the first t values ends in some last segment s+1..t, so
 * best(t) = min over s of best(s) + cost(s+1..t) + penalty, with best(0) = -penalty. Every s
 * that may still win is a candidate, and carries the mean and squares of its last segment
 * along as t grows (Welford), which stays exact where prefix sums would cancel. The values are
 * brought to -1..1 first, so that no square leaves the range of a double.
 *
 * Pruning (PELT): where splitting never costs more, a candidate that already loses to a split
 * at t loses for good; but with a shortest segment only from t + min_segment on, since until
 * then the split at t isn't allowed.
 */
struct candidate {
	size_t start;
	size_t dies_at;
	double before; /* best(start) + penalty */
	double mean, rss;
	double total; /* before + cost of the last segment */
};

struct search {
	size_t n, min_segment;
	double penalty;
	bool with_variance; /* the meanvar form */
	double weight;      /* 1/sigma^2 in the mean form */
	double floor;       /* least variance in the meanvar form */
	double *z;          /* [n]: the values, scaled about their median */
	double *inverse;    /* [0..n]: 1/m, since dividing is slow */
	struct candidate *candidates;
	size_t count;
	double *best; /* [0..n] */
	size_t *from; /* [0..n]: the start of the last segment */
};

static double
cost(const struct search *search, const struct candidate *candidate, size_t m)
{
	if (!search->with_variance)
		return candidate->rss * search->weight;
	/* m (log 2 pi + 1) adds up to the same for every segmentation, so it is left out */
	return (double)m * log(fmax(candidate->rss * search->inverse[m], search->floor));
}

static void
drop_dead(struct search *search, size_t t)
{
	size_t kept = 0;

	for (size_t i = 0; i < search->count; i++) {
		if (search->candidates[i].dies_at > t)
			search->candidates[kept++] = search->candidates[i];
	}
	search->count = kept;
}

static void
prune(struct search *search, size_t t)
{
	double limit = search->best[t] + search->penalty + 1e-9 * (1 + fabs(search->best[t]));

	for (size_t i = 0; i < search->count; i++) {
		struct candidate *candidate = &search->candidates[i];

		if (candidate->dies_at == SIZE_MAX && candidate->total > limit)
			candidate->dies_at = t + search->min_segment;
	}
}

static void
step(struct search *search, size_t t)
{
	double z = search->z[t - 1], least = INFINITY;

	for (size_t i = 0; i < search->count; i++) {
		struct candidate *candidate = &search->candidates[i];
		size_t m = t - candidate->start;
		double d = z - candidate->mean;

		candidate->mean += d * search->inverse[m];
		candidate->rss += d * (z - candidate->mean);
		if (m < search->min_segment)
			continue;
		candidate->total = candidate->before + cost(search, candidate, m);
		if (candidate->total < least) {
			least = candidate->total;
			search->from[t] = candidate->start;
		}
	}
	search->best[t] = least;
}

static size_t
trace_back(const struct search *search, size_t *index)
{
	size_t count = 0, at = search->n;

	while (search->from[at] > 0)
		index[count++] = at = search->from[at];
	for (size_t i = 0; i < count / 2; i++) {
		size_t swap = index[i];
		index[i] = index[count - 1 - i];
		index[count - 1 - i] = swap;
	}
	return count;
}

static size_t
segment(struct search *search, size_t *index)
{
	search->best[0] = -search->penalty;
	search->count = 0;
	for (size_t t = 1; t <= search->n; t++) {
		drop_dead(search, t);
		if (t == 1 || t > search->min_segment)
			search->candidates[search->count++] =
				(struct candidate){.start = t - 1,
						   .dies_at = SIZE_MAX,
						   .total = -INFINITY,
						   .before = search->best[t - 1] + search->penalty};
		step(search, t);
		if (!search->with_variance && t >= search->min_segment)
			prune(search, t);
	}
	return trace_back(search, index);
}

static void
search_free(struct search *search)
{
	free(search->z);
	free(search->inverse);
	free(search->candidates);
	free(search->best);
	free(search->from);
}

/*
 * Room for the search, and the values in units of *scale about *median. False without memory;
 * search_free in any case.
 */
static bool
search_init(struct search *search, const double *x, long double *scale, double *median)
{
	size_t room = search->n + 1;

	if (room > SIZE_MAX / sizeof(*search->candidates))
		return false;
	search->z = malloc(room * sizeof(*search->z));
	search->inverse = malloc(room * sizeof(*search->inverse));
	search->candidates = malloc(room * sizeof(*search->candidates));
	search->best = malloc(room * sizeof(*search->best));
	search->from = malloc(room * sizeof(*search->from));
	if (!search->z || !search->inverse || !search->candidates || !search->best ||
	    !search->from || describe_median(x, search->n, median))
		return false;
	*scale = 0;
	for (size_t i = 0; i < search->n; i++)
		*scale = fmaxl(*scale, fabsl((long double)x[i] - *median));
	for (size_t i = 0; i < search->n; i++) {
		search->z[i] = *scale > 0 ? (double)(((long double)x[i] - *median) / *scale) : 0;
		search->inverse[i + 1] = 1 / (double)(i + 1);
	}
	return true;
}

static enum stat_status
check(const double *x, size_t n, double penalty, size_t min_segment)
{
	enum stat_status status = describe_check(x, n);

	if (status)
		return status;
	if (!(penalty >= 0 && isfinite(penalty)) || min_segment == 0)
		return STAT_BAD_ARGUMENT;
	return n / 2 < min_segment ? STAT_TOO_FEW : STAT_OK;
}

/* From the differences of neighbours, in which a step counts once. */
static enum stat_status
noise_sigma(const double *x, size_t n, double *sigma)
{
	double *d = malloc((n - 1) * sizeof(*d));
	enum stat_status status;

	if (!d)
		return STAT_NO_MEMORY;
	for (size_t i = 1; i < n; i++)
		d[i - 1] = x[i] - x[i - 1];
	status = describe_mad(d, n - 1, sigma);
	*sigma *= 1.4826;
	if (status == STAT_OK && *sigma == 0)
		status = describe_sd(d, n - 1, sigma);
	*sigma /= sqrt(2);
	free(d);
	if (status == STAT_NOT_FINITE || (status == STAT_OK && !isfinite(*sigma)))
		status = STAT_OVERFLOW;
	return status;
}

enum stat_status
changepoint_pelt_mean(const double *x, size_t n, double penalty, size_t min_segment, size_t *index,
		      struct changepoints *out)
{
	struct search search = {.n = n, .min_segment = min_segment};
	enum stat_status status = check(x, n, penalty, min_segment);
	double sigma, median;
	long double scale;

	*out = (struct changepoints){0, NAN};
	if (status == STAT_OK)
		status = noise_sigma(x, n, &sigma);
	if (status)
		return status;
	search.penalty = penalty * log((double)n);
	if (!search_init(&search, x, &scale, &median)) {
		status = STAT_NO_MEMORY;
	} else if (sigma > 0) {
		search.weight = (double)((scale / sigma) * (scale / sigma));
		/* so far apart that the squares of one would be lost beside the other */
		if (search.weight > 1e250)
			status = STAT_OVERFLOW;
		else
			out->count = segment(&search, index);
	}
	search_free(&search);
	if (status == STAT_OK)
		out->sigma = sigma;
	return status;
}

/* A variance of 0 has no logarithm where the floor is 0 too. */
static enum stat_status
check_varies(const double *x, size_t n, size_t min_segment, double floor)
{
	size_t equal = 1;

	for (size_t i = 1; floor == 0 && i < n; i++) {
		equal = x[i] == x[i - 1] ? equal + 1 : 1;
		if (equal >= min_segment)
			return STAT_CONSTANT;
	}
	return STAT_OK;
}

enum stat_status
changepoint_pelt_meanvar(const double *x, size_t n, double penalty, size_t min_segment,
			 double sd_floor_rel, size_t *index, struct changepoints *out)
{
	struct search search = {.n = n, .min_segment = min_segment, .with_variance = true};
	enum stat_status status = check(x, n, penalty, min_segment);
	double median;
	long double scale, floor;

	*out = (struct changepoints){0, NAN};
	if (status == STAT_OK && (min_segment < 2 || !(sd_floor_rel >= 0 && sd_floor_rel < 1)))
		status = STAT_BAD_ARGUMENT;
	if (status)
		return status;
	search.penalty = penalty * log((double)n);
	if (!search_init(&search, x, &scale, &median)) {
		status = STAT_NO_MEMORY;
	} else {
		floor = scale > 0 ? sd_floor_rel * median / scale : sd_floor_rel * median;
		status = check_varies(x, n, min_segment, (double)floor);
		/* for the logarithm: neighbours closer than this are as good as equal */
		search.floor = fmax((double)(floor * floor), DBL_MIN);
	}
	if (status == STAT_OK && scale > 0)
		out->count = segment(&search, index);
	search_free(&search);
	return status;
}

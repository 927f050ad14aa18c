#include "analysis/changepoint.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"
#include "analysis/rank.h"

static enum stat_status
check(const double *x, size_t n)
{
	enum stat_status status = describe_check(x, n);
	size_t i = 1;

	if (status)
		return status;
	if (n < 2)
		return STAT_TOO_FEW;
	while (i < n && x[i] == x[0])
		i++;
	if (i == n)
		return STAT_CONSTANT;
	return n > SIZE_MAX / (2 * sizeof(long double)) ? STAT_NO_MEMORY : STAT_OK;
}

enum stat_status
changepoint_pettitt(const double *x, size_t n, struct pettitt *out)
{
	enum stat_status status = check(x, n);
	size_t *ranks; /* doubled, so that midranks stay whole */
	double ties;
	long double u = 0, best = 0;

	*out = (struct pettitt){NAN, 0, NAN};
	if (status)
		return status;
	ranks = malloc(n * sizeof(*ranks));
	status = ranks ? rank_midranks(x, n, ranks, &ties) : STAT_NO_MEMORY;
	if (status) {
		free(ranks);
		return status;
	}
	for (size_t t = 1; t < n; t++) {
		u += (long double)ranks[t - 1] - (n + 1);
		if (fabsl(u) > best) {
			best = fabsl(u);
			out->index = t;
		}
	}
	free(ranks);
	out->k = (double)best;
	out->p = (double)fminl(1, 2 * expl(-6 * best * best / ((long double)n * n * (n + 1))));
	return STAT_OK;
}

/* Mean and residual sum of squares of a growing segment (Welford 1962). */
struct segment {
	size_t n;
	long double mean, rss;
};

static void
segment_add(struct segment *segment, double x)
{
	long double d = x - segment->mean;

	segment->n++;
	segment->mean += d / segment->n;
	segment->rss += d * (x - segment->mean);
}

/* Fills after[t] with the segment t..n-1. */
static void
tail_segments(const double *x, size_t n, struct segment *after)
{
	struct segment tail = {0};

	for (size_t t = n; t-- > 0;) {
		segment_add(&tail, x[t]);
		after[t] = tail;
	}
}

enum stat_status
changepoint_amoc_mean(const double *x, size_t n, struct changepoint_split *out)
{
	enum stat_status status = check(x, n);
	struct segment head = {0}, *after;
	long double best = INFINITY;

	*out = (struct changepoint_split){0, NAN, NAN, NAN};
	if (status)
		return status;
	after = n > SIZE_MAX / sizeof(*after) ? NULL : malloc(n * sizeof(*after));
	if (!after)
		return STAT_NO_MEMORY;
	tail_segments(x, n, after);
	for (size_t t = 1; t < n; t++) {
		segment_add(&head, x[t - 1]);
		if (head.rss + after[t].rss >= best)
			continue;
		best = head.rss + after[t].rss;
		*out = (struct changepoint_split){t, (double)best, (double)head.mean,
						  (double)after[t].mean};
	}
	free(after);
	if (isfinite(out->rss) && (out->rss > 0 || best == 0))
		return STAT_OK;
	*out = (struct changepoint_split){0, NAN, NAN, NAN};
	return STAT_OVERFLOW;
}

bool
changepoint_is_steady(size_t n, const size_t *index, size_t count, double least_share,
		      size_t *start)
{
	*start = count > 0 ? index[count - 1] : 0;
	return n > *start && (double)(n - *start) >= least_share * (double)n;
}

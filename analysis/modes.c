#include "analysis/modes.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"

/*
 * The nearest unimodal distribution is convex up to some interval, the modal one, and concave
 * after it. Its convex part is the greatest convex minorant (gcm) of the empirical
 * distribution, its concave part the least concave majorant (lcm). The search starts from the
 * whole range and shrinks the modal interval to where the two curves are farthest apart, until
 * that distance is no more than the dip found outside.
 *
 * Indices are 0..n-1 into the sorted values; distances are in counts, so the dip is d/(2n).
 * Products of values need long double to hold for any double.
 */
struct curve {
	size_t *point; /* indices of its corners; the gcm descending, the lcm ascending */
	size_t count;
};

struct dip {
	const double *x;
	size_t n, low, high;   /* the modal interval */
	size_t *below, *above; /* the neighbouring corner of the gcm, and of the lcm */
	struct curve gcm, lcm;
};

static long double
gap(const struct dip *dip, size_t a, size_t b)
{
	return (long double)dip->x[b] - dip->x[a];
}

static void
link_minorant(struct dip *dip)
{
	size_t *below = dip->below;

	below[0] = 0;
	for (size_t j = 1; j < dip->n; j++) {
		below[j] = j - 1;
		while (below[j] != 0) {
			size_t k = below[j], before = below[k];
			if (gap(dip, k, j) * (k - before) < gap(dip, before, k) * (j - k))
				break;
			below[j] = before;
		}
	}
}

static void
link_majorant(struct dip *dip)
{
	size_t *above = dip->above, last = dip->n - 1;

	above[last] = last;
	for (size_t j = last; j-- > 0;) {
		above[j] = j + 1;
		while (above[j] != last) {
			size_t k = above[j], after = above[k];
			if (gap(dip, j, k) * (after - k) < gap(dip, k, after) * (k - j))
				break;
			above[j] = after;
		}
	}
}

static void
collect(struct dip *dip)
{
	size_t at;

	dip->gcm.count = dip->lcm.count = 0;
	for (at = dip->high; at > dip->low; at = dip->below[at])
		dip->gcm.point[dip->gcm.count++] = at;
	dip->gcm.point[dip->gcm.count++] = at;
	for (at = dip->low; at < dip->high; at = dip->above[at])
		dip->lcm.point[dip->lcm.count++] = at;
	dip->lcm.point[dip->lcm.count++] = at;
}

/* How far the empirical distribution at x[at] lies above the chord from corner a to corner b. */
static long double
above_chord(const struct dip *dip, size_t a, size_t b, size_t at)
{
	return (long double)at - (long double)a - gap(dip, a, at) * (b - a) / gap(dip, a, b);
}

/*
 * The largest distance between the two curves, met at corner *ig of the gcm and *ih of the
 * lcm (positions in their lists). Walks both from the low end, always to the nearer corner.
 */
static long double
widest(const struct dip *dip, size_t *ig, size_t *ih)
{
	const size_t *gcm = dip->gcm.point, *lcm = dip->lcm.point;
	size_t ix = dip->gcm.count - 2, iv = 1;
	long double widest = 0;

	*ig = dip->gcm.count - 1;
	*ih = dip->lcm.count - 1;
	if (dip->gcm.count == 2 && dip->lcm.count == 2)
		return 1;
	do {
		long double d;
		size_t g, h;

		if (gcm[ix] > lcm[iv]) {
			d = above_chord(dip, gcm[ix + 1], gcm[ix], lcm[iv]) + 1;
			g = ix + 1;
			h = iv;
			iv += iv + 1 < dip->lcm.count;
		} else {
			d = 1 - above_chord(dip, lcm[iv - 1], lcm[iv], gcm[ix]);
			g = ix;
			h = iv;
			ix -= ix > 0;
		}
		if (d >= widest) {
			widest = d;
			*ig = g;
			*ih = h;
		}
	} while (gcm[ix] != lcm[iv]);
	return widest;
}

/* The largest distance of the empirical distribution from a chord, at least 1. */
static long double
chord_dip(const struct dip *dip, size_t a, size_t b, int sign)
{
	long double largest = 1;

	if (b - a < 2 || gap(dip, a, b) == 0)
		return 1;
	for (size_t at = a; at <= b; at++)
		largest = fmaxl(largest, 1 + sign * above_chord(dip, a, b, at));
	return largest;
}

/* Of the parts that leave the modal interval: the gcm left of ig, the lcm right of ih. */
static long double
outer_dip(const struct dip *dip, size_t ig, size_t ih)
{
	long double largest = 0;

	for (size_t j = ig; j + 1 < dip->gcm.count; j++)
		largest =
			fmaxl(largest, chord_dip(dip, dip->gcm.point[j + 1], dip->gcm.point[j], 1));
	for (size_t j = ih; j + 1 < dip->lcm.count; j++)
		largest = fmaxl(largest,
				chord_dip(dip, dip->lcm.point[j], dip->lcm.point[j + 1], -1));
	return largest;
}

static double
search(struct dip *dip)
{
	long double largest = 1;

	dip->low = 0;
	dip->high = dip->n - 1;
	link_minorant(dip);
	link_majorant(dip);
	for (;;) {
		size_t ig, ih, low, high;

		collect(dip);
		if (widest(dip, &ig, &ih) < largest)
			break;
		largest = fmaxl(largest, outer_dip(dip, ig, ih));
		low = dip->gcm.point[ig];
		high = dip->lcm.point[ih];
		if (low >= high || (low == dip->low && high == dip->high))
			break;
		dip->low = low;
		dip->high = high;
	}
	return (double)(largest / (2 * (long double)dip->n));
}

/* sorted: n >= 2 values, not all equal; work: room for 4 n. */
static double
dip_sorted(const double *sorted, size_t n, size_t *work)
{
	struct dip dip = {.x = sorted,
			  .n = n,
			  .below = work,
			  .above = work + n,
			  .gcm = {.point = work + 2 * n},
			  .lcm = {.point = work + 3 * n}};

	return search(&dip);
}

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
	return n > SIZE_MAX / (4 * sizeof(size_t)) ? STAT_NO_MEMORY : STAT_OK;
}

enum stat_status
modes_dip(const double *x, size_t n, double *dip)
{
	enum stat_status status = check(x, n);
	double *sorted;
	size_t *work;

	*dip = NAN;
	if (status)
		return status;
	sorted = describe_sorted(x, n);
	work = malloc(4 * n * sizeof(*work));
	if (sorted && work)
		*dip = dip_sorted(sorted, n, work);
	free(work);
	free(sorted);
	return isnan(*dip) ? STAT_NO_MEMORY : STAT_OK;
}

static size_t
count_dips(gsl_rng *rng, double *sample, size_t *work, size_t n, size_t replicates, double dip)
{
	size_t count = 0;

	for (size_t r = 0; r < replicates; r++) {
		for (size_t i = 0; i < n; i++)
			sample[i] = gsl_rng_uniform(rng);
		gsl_sort(sample, 1, n);
		/* equal up to rounding counts as reached: the smallest dips are all 1/(2n) */
		count += sample[0] < sample[n - 1] &&
			 dip_sorted(sample, n, work) >= dip * (1 - 1e-12);
	}
	return count;
}

enum stat_status
modes_dip_test(const double *x, size_t n, size_t replicates, unsigned long seed,
	       struct dip_test *out)
{
	double dip;
	enum stat_status status = modes_dip(x, n, &dip);
	double *sample = NULL;
	size_t *work = NULL;
	gsl_rng *rng = NULL;

	*out = (struct dip_test){NAN, NAN, replicates, seed};
	if (status)
		return status;
	if (replicates == 0)
		return STAT_BAD_ARGUMENT;
	sample = malloc(n * sizeof(*sample));
	work = malloc(4 * n * sizeof(*work));
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	if (sample && work && rng) {
		gsl_rng_set(rng, seed);
		out->dip = dip;
		out->p = (1.0 + (double)count_dips(rng, sample, work, n, replicates, dip)) /
			 (1.0 + (double)replicates);
	} else {
		status = STAT_NO_MEMORY;
	}
	if (rng)
		gsl_rng_free(rng);
	free(work);
	free(sample);
	return status;
}

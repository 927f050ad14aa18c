#include "analysis/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe.h"
#include "analysis/paired.h"

static const double normal_consistent = 1.4826; /* MAD to standard deviation */

static void
subtract_median(double *x, size_t n)
{
	double median;

	if (n == 0 || describe_median(x, n, &median))
		return;
	for (size_t i = 0; i < n; i++)
		x[i] -= median;
}

/* r holds the three arms one after another. */
static enum stat_status
fill_floor(double *r, size_t n_aa, size_t n_ab, size_t n_ba, struct noise_floor *out)
{
	enum stat_status status;
	double mad;

	subtract_median(r, n_aa);
	subtract_median(r + n_aa, n_ab);
	subtract_median(r + n_aa + n_ab, n_ba);
	status = describe_mad(r, n_aa + n_ab + n_ba, &mad);
	if (status)
		return status;
	if (mad == 0)
		return STAT_CONSTANT;
	out->residual_mad = mad;
	out->floor_log = 1.96 * normal_consistent * mad / sqrt((double)(n_ab + n_ba));
	out->floor_percent = 100 * expm1(out->floor_log);
	return isfinite(out->floor_percent) ? STAT_OK : STAT_OVERFLOW;
}

enum stat_status
noise_floor_mad(const double *aa, size_t n_aa, const double *d, const enum pair_order *order,
		size_t n, struct noise_floor *out)
{
	double *r = calloc(n_aa + 2 * n + 1, sizeof(*r)), *ba = r ? r + n_aa + n : NULL;
	size_t n_ab = 0, n_ba = 0;
	enum stat_status status = STAT_NO_MEMORY;

	*out = (struct noise_floor){n, n_aa + n, NAN, NAN, NAN};
	if (!r)
		return status;
	status = n_aa ? describe_check(aa, n_aa) : STAT_OK;
	if (status == STAT_OK)
		status = pairs_split(d, order, n, r + n_aa, &n_ab, ba, &n_ba);
	if (status == STAT_OK && n_aa < 2 && n_ab < 2 && n_ba < 2)
		status = STAT_TOO_FEW;
	if (status == STAT_OK) {
		if (n_aa)
			memcpy(r, aa, n_aa * sizeof(*r));
		memmove(r + n_aa + n_ab, ba, n_ba * sizeof(*r));
		status = fill_floor(r, n_aa, n_ab, n_ba, out);
	}
	if (status)
		*out = (struct noise_floor){n, n_aa + n, NAN, NAN, NAN};
	free(r);
	return status;
}

static const char *
too_few(size_t n, size_t min_pairs)
{
	return n < min_pairs ? "too few pairs" : "";
}

static bool
excludes_zero(enum stat_status status, double lo, double hi)
{
	return status == STAT_OK && (lo > 0 || hi < 0);
}

enum stat_status
noise_aa_alarm(const double *aa, size_t n, double conf, size_t min_pairs, struct noise_alarm *out)
{
	struct paired_hl hl;
	enum stat_status status = paired_hodges_lehmann(aa, n, conf, &hl);

	*out = (struct noise_alarm){
		n,           hl.estimate,
		hl.lo,       hl.hi,
		hl.achieved, hl.interval_status,
		false,       status ? stat_reason(status) : too_few(n, min_pairs)};
	if (status == STAT_OK && n >= min_pairs)
		out->alarm = excludes_zero(hl.interval_status, hl.lo, hl.hi);
	return status;
}

enum stat_status
noise_label_bias(const double *d, const enum pair_order *order, size_t n, double conf,
		 size_t min_pairs, struct noise_bias *out)
{
	enum stat_status status = crossover_hl(d, order, n, conf, &out->estimate);
	const struct crossover_hl *hl = &out->estimate;

	out->biased = false;
	out->reason = status ? stat_reason(status) : too_few(n, min_pairs);
	if (status || n < min_pairs)
		return status;
	out->biased = excludes_zero(hl->interval_status, hl->lo, hl->hi);
	if (hl->interval_status)
		out->reason = stat_reason(hl->interval_status);
	return STAT_OK;
}

enum stat_status
noise_relative(const double *d, size_t n, double *relative, double *median_abs)
{
	enum stat_status status = describe_check(d, n);
	double *size = malloc((n ? n : 1) * sizeof(*size));

	*median_abs = NAN;
	if (status == STAT_OK && !size)
		status = STAT_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		double r = status ? NAN : expm1(d[i]);
		if (relative)
			relative[i] = r;
		if (status == STAT_OK)
			size[i] = fabs(r);
	}
	if (status == STAT_OK && describe_median(size, n, median_abs))
		status = STAT_OVERFLOW;
	free(size);
	return status;
}

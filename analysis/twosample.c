#include "analysis/twosample.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/describe.h"
#include "analysis/rank.h"
#include "analysis/rank_null.h"
#include "analysis/sort.h"

static enum stat_status
check_both(const double *x, size_t n1, const double *y, size_t n2)
{
	enum stat_status first = describe_check(x, n1), second = describe_check(y, n2);

	if (first == STAT_NOT_FINITE || second == STAT_NOT_FINITE)
		return STAT_NOT_FINITE;
	return first ? first : second;
}

enum stat_status
twosample_mann_whitney(const double *x, size_t n1, const double *y, size_t n2,
		       struct twosample_mann_whitney *out)
{
	struct rank_mann_whitney test;
	enum stat_status status = check_both(x, n1, y, n2);

	*out = (struct twosample_mann_whitney){NAN, NAN, NAN, status, NAN, NAN};
	if (status == STAT_OK)
		status = rank_mann_whitney(x, n1, y, n2, &test);
	if (status)
		return status;
	*out = (struct twosample_mann_whitney){test.u1,       test.u2,
					       test.p_exact,  test.exact_status,
					       test.p_normal, test.u1 / ((double)n1 * (double)n2)};
	return STAT_OK;
}

static double *
sorted_differences(const double *x, size_t n1, const double *y, size_t n2)
{
	double *w = malloc(n1 * n2 * sizeof(*w));

	if (!w)
		return NULL;
	for (size_t i = 0; i < n1; i++) {
		for (size_t j = 0; j < n2; j++)
			w[i * n2 + j] = y[j] - x[i];
	}
	sort_doubles(w, n1 * n2);
	return w;
}

static void
shift_interval(const double *w, size_t n1, size_t n2, double conf, struct twosample_shift *out)
{
	struct rank_null null;
	size_t k;

	out->interval_status = rank_null_mann_whitney(n1, n2, &null);
	if (out->interval_status == STAT_OK)
		out->interval_status = rank_null_interval(&null, conf, &k, &out->achieved);
	if (out->interval_status == STAT_OK) {
		out->lo = w[k - 1];
		out->hi = w[n1 * n2 - k];
	}
	rank_null_free(&null);
}

enum stat_status
twosample_hl_shift(const double *x, size_t n1, const double *y, size_t n2, double conf,
		   struct twosample_shift *out)
{
	enum stat_status status = check_both(x, n1, y, n2);
	double *w;

	if (status == STAT_OK && !(conf > 0 && conf < 1))
		status = STAT_BAD_ARGUMENT;
	if (status == STAT_OK && (double)n1 * (double)n2 > 1.6e7)
		status = STAT_TOO_MANY;
	*out = (struct twosample_shift){NAN, NAN, NAN, NAN, status};
	if (status)
		return status;
	w = sorted_differences(x, n1, y, n2);
	if (!w)
		return out->interval_status = STAT_NO_MEMORY;
	if (!isfinite(w[0]) || !isfinite(w[n1 * n2 - 1])) {
		free(w);
		return out->interval_status = STAT_OVERFLOW;
	}
	out->estimate = describe_median_sorted(w, n1 * n2);
	shift_interval(w, n1, n2, conf, out);
	free(w);
	return STAT_OK;
}

/* NULL with *status where there are none; else the caller frees. */
static double *
logarithms(const double *x, size_t n, enum stat_status *status)
{
	double *l = malloc((n > 0 ? n : 1) * sizeof(*l));

	if (!l)
		*status = STAT_NO_MEMORY;
	for (size_t i = 0; l && i < n; i++) {
		if (x[i] <= 0)
			*status = STAT_NOT_POSITIVE;
		l[i] = log(x[i]);
	}
	return l;
}

static enum stat_status
log_shift(const double *x, size_t n1, const double *y, size_t n2, double conf,
	  struct twosample_log_shift *out)
{
	struct twosample_mann_whitney test;
	struct twosample_shift shift;
	enum stat_status status = twosample_mann_whitney(x, n1, y, n2, &test);

	if (status == STAT_OK)
		status = twosample_hl_shift(x, n1, y, n2, conf, &shift);
	if (status)
		return status;
	*out = (struct twosample_log_shift){
		shift.estimate, shift.lo, shift.hi, shift.achieved,
		test.exact_status == STAT_OK ? test.p_exact : test.p_normal, shift.interval_status};
	return STAT_OK;
}

enum stat_status
twosample_log_shift(const double *x, size_t n1, const double *y, size_t n2, double conf,
		    struct twosample_log_shift *out)
{
	enum stat_status status = check_both(x, n1, y, n2);
	double *log_x = NULL, *log_y = NULL;

	*out = (struct twosample_log_shift){NAN, NAN, NAN, NAN, NAN, status};
	if (status == STAT_OK)
		log_x = logarithms(x, n1, &status);
	if (status == STAT_OK)
		log_y = logarithms(y, n2, &status);
	if (status == STAT_OK)
		status = log_shift(log_x, n1, log_y, n2, conf, out);
	free(log_x);
	free(log_y);
	if (status)
		out->interval_status = status;
	return status;
}

/* Error of the difference of means and its degrees of freedom (Welch-Satterthwaite). */
static double
welch_error(double sd1, double n1, double sd2, double n2, double *df)
{
	double e1 = sd1 / sqrt(n1), e2 = sd2 / sqrt(n2), error = hypot(e1, e2);
	double share1 = e1 / error, share2 = e2 / error; /* squares would underflow at 1e-300 */

	*df = 1 / (pow(share1, 4) / (n1 - 1) + pow(share2, 4) / (n2 - 1));
	return error;
}

static enum stat_status
fill_welch(double mean1, double mean2, double error, double df, double conf,
	   struct twosample_welch *out)
{
	double half;

	if (error <= 10 * DBL_EPSILON * fmax(fabs(mean1), fabs(mean2)))
		return STAT_CONSTANT;
	half = gsl_cdf_tdist_Qinv((1 - conf) / 2, df) * error;
	if (!isfinite(mean2 - mean1 + half) || !isfinite(mean2 - mean1 - half))
		return STAT_OVERFLOW;
	out->diff = mean2 - mean1;
	out->t = out->diff / error;
	out->df = df;
	out->p = fmin(1, 2 * gsl_cdf_tdist_Q(fabs(out->t), df));
	out->lo = out->diff - half;
	out->hi = out->diff + half;
	return STAT_OK;
}

enum stat_status
twosample_welch(const double *x, size_t n1, const double *y, size_t n2, double conf,
		struct twosample_welch *out)
{
	enum stat_status status = check_both(x, n1, y, n2);
	double mean1, mean2, sd1, sd2, error, df;

	*out = (struct twosample_welch){NAN, NAN, NAN, NAN, NAN, NAN};
	if (status)
		return status;
	if (!(conf > 0 && conf < 1))
		return STAT_BAD_ARGUMENT;
	if (n1 < 2 || n2 < 2)
		return STAT_TOO_FEW;
	if (describe_mean(x, n1, &mean1) || describe_mean(y, n2, &mean2) ||
	    describe_sd(x, n1, &sd1) || describe_sd(y, n2, &sd2))
		return STAT_OVERFLOW;
	error = welch_error(sd1, (double)n1, sd2, (double)n2, &df);
	return fill_welch(mean1, mean2, error, df, conf, out);
}

enum stat_status
twosample_log_welch(const double *x, size_t n1, const double *y, size_t n2, double conf,
		    struct twosample_log_welch *out)
{
	struct twosample_welch welch;
	enum stat_status status = twosample_welch(x, n1, y, n2, conf, &welch);
	double ratio = exp(welch.diff), lo = exp(welch.lo), hi = exp(welch.hi);

	*out = (struct twosample_log_welch){NAN, NAN, NAN, NAN, NAN, NAN};
	if (status)
		return status;
	if (!isfinite(hi) || lo < DBL_MIN)
		return STAT_OVERFLOW;
	*out = (struct twosample_log_welch){welch.diff, ratio, lo, hi, welch.df, welch.p};
	return STAT_OK;
}

static size_t
unit_of(const double *unit, size_t *first, size_t *units, size_t i)
{
	for (size_t u = 0; u < *units; u++) {
		if (unit[first[u]] == unit[i])
			return u;
	}
	first[*units] = i;
	return (*units)++;
}

static void
mean_logs(const double *t, const double *unit, size_t n, double *mean, size_t *units, size_t *first,
	  size_t *count)
{
	for (size_t i = 0; i < n; i++) {
		size_t before = *units, u = unit_of(unit, first, units, i);
		if (*units > before)
			mean[u] = 0;
		mean[u] += log(t[i]);
		count[u]++;
	}
	for (size_t u = 0; u < *units; u++)
		mean[u] /= (double)count[u];
}

enum stat_status
twosample_unit_logs(const double *t, const double *unit, size_t n, double *mean, size_t *units)
{
	enum stat_status status = check_both(t, n, unit, n);
	size_t *first, *count;

	*units = 0;
	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (t[i] <= 0)
			status = STAT_NOT_POSITIVE;
	}
	if (status)
		return status;
	first = calloc(n, sizeof(*first));
	count = calloc(n, sizeof(*count));
	if (first && count)
		mean_logs(t, unit, n, mean, units, first, count);
	else
		status = STAT_NO_MEMORY;
	free(first);
	free(count);
	return status;
}

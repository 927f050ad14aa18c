#include "analysis/bootstrap.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"

/*
 * One block of memory, taken before the first draw: t[resamples], jack[n], two scaled copies
 * of the data.
 */
struct room {
	gsl_rng *rng;
	double *t, *jack, *x, *y;
};

static enum stat_status
room_init(struct room *room, size_t n, size_t resamples, unsigned long seed)
{
	*room = (struct room){NULL, NULL, NULL, NULL, NULL};
	if (resamples < 100 || resamples > 100000000 || n >= UINT32_MAX)
		return STAT_BAD_ARGUMENT;
	room->rng = gsl_rng_alloc(gsl_rng_taus2);
	room->t = calloc(resamples + 3 * n, sizeof(*room->t));
	if (!room->rng || !room->t)
		return STAT_NO_MEMORY;
	gsl_rng_set(room->rng, seed);
	room->jack = room->t + resamples;
	room->x = room->jack + n;
	room->y = room->x + n;
	return STAT_OK;
}

static void
room_free(struct room *room)
{
	if (room->rng)
		gsl_rng_free(room->rng);
	free(room->t);
}

static double
acceleration_of(const double *jack, size_t n)
{
	long double mean = 0, squares = 0, cubes = 0;

	for (size_t i = 0; i < n; i++)
		mean += jack[i];
	mean /= n;
	for (size_t i = 0; i < n; i++) {
		long double u = mean - jack[i];
		squares += u * u;
		cubes += u * u * u;
	}
	return squares > 0 ? (double)(cubes / (6 * powl(squares, 1.5L))) : NAN;
}

/* Where among the resamples the bias-corrected and accelerated bound of tail p lies. */
static double
bca_level(double p, double bias, double acceleration)
{
	double z = bias + gsl_cdf_ugaussian_Pinv(p), shrink = 1 - acceleration * z;

	return shrink > 0 ? gsl_cdf_ugaussian_P(bias + z / shrink) : NAN;
}

/* t is sorted; resamples equal to the estimate but for rounding count half. */
static double
bias_of(const double *t, size_t resamples, double estimate)
{
	double tie = 1e-12 * (t[resamples - 1] - t[0]), below = 0;

	for (size_t i = 0; i < resamples; i++) {
		if (fabs(t[i] - estimate) <= tie)
			below += 0.5;
		else
			below += t[i] < estimate;
	}
	return gsl_cdf_ugaussian_Pinv(below / (double)resamples);
}

static enum stat_status
bca(const double *t, double conf, struct bootstrap_result *out)
{
	double lo = bca_level((1 - conf) / 2, out->bias, out->acceleration);
	double hi = bca_level((1 + conf) / 2, out->bias, out->acceleration);

	if (!isfinite(out->bias) || !isfinite(out->acceleration) || isnan(lo) || isnan(hi))
		return STAT_NO_INTERVAL;
	out->bca_lo = describe_quantile_sorted(t, out->resamples, lo, 7);
	out->bca_hi = describe_quantile_sorted(t, out->resamples, hi, 7);
	return STAT_OK;
}

/* t and jack are filled; the interval is of t, and means shift + scale * t. */
static enum stat_status
finish(struct room *room, size_t n, double conf, double estimate, double shift, double scale,
       struct bootstrap_result *out)
{
	double *t = room->t;
	size_t last = out->resamples - 1;

	for (size_t i = 0; i <= last; i++) {
		if (!isfinite(t[i]))
			return STAT_OVERFLOW;
	}
	gsl_sort(t, 1, out->resamples);
	if (t[last] - t[0] <= 10 * DBL_EPSILON * fmax(fabs(t[0]), fabs(t[last])))
		return STAT_CONSTANT;
	out->bias = bias_of(t, out->resamples, estimate);
	out->acceleration = acceleration_of(room->jack, n);
	out->lo = shift + scale * describe_quantile_sorted(t, out->resamples, (1 - conf) / 2, 7);
	out->hi = shift + scale * describe_quantile_sorted(t, out->resamples, (1 + conf) / 2, 7);
	out->bca_status = bca(t, conf, out);
	out->bca_lo = shift + scale * out->bca_lo;
	out->bca_hi = shift + scale * out->bca_hi;
	out->estimate = shift + scale * estimate;
	if (!isfinite(out->estimate) || !isfinite(out->lo) || !isfinite(out->hi))
		return STAT_OVERFLOW;
	return STAT_OK;
}

static enum stat_status
unavailable(struct bootstrap_result *out, size_t resamples, unsigned long seed,
	    enum stat_status status)
{
	*out = (struct bootstrap_result){.estimate = NAN,
					 .lo = NAN,
					 .hi = NAN,
					 .bca_lo = NAN,
					 .bca_hi = NAN,
					 .bca_status = status,
					 .bias = NAN,
					 .acceleration = NAN,
					 .resamples = resamples,
					 .seed = seed};
	return status;
}

static enum stat_status
check_arguments(size_t n, double conf)
{
	if (!(conf > 0 && conf < 1))
		return STAT_BAD_ARGUMENT;
	return n < 2 ? STAT_TOO_FEW : STAT_OK;
}

/*
 * The hot loop of mean and ratio: a 32-bit draw times n, upper half, is an index below n with a
 * bias of n / 2^32. Calling the generator by its own pointer saves a call a draw.
 */
static inline size_t
draw(unsigned long (*get)(void *), void *state, size_t n)
{
	return (size_t)(((uint64_t)get(state) * n) >> 32);
}

static void
resample_mean(struct room *room, size_t n, size_t resamples)
{
	unsigned long (*get)(void *) = room->rng->type->get;
	void *state = room->rng->state;
	const double *x = room->x;

	for (size_t b = 0; b < resamples; b++) {
		double sum = 0;
		for (size_t i = 0; i < n; i++)
			sum += x[draw(get, state, n)];
		room->t[b] = sum / (double)n;
	}
}

/* x less its mean, in units of the largest distance: no sum of it can overflow or vanish. */
static enum stat_status
centre(const double *x, size_t n, double *to, double *mean, double *scale)
{
	enum stat_status status = describe_mean(x, n, mean);
	long double largest = 0;

	if (status)
		return status;
	for (size_t i = 0; i < n; i++)
		largest = fmaxl(largest, fabsl(x[i] - (long double)*mean));
	if (largest <= 10 * DBL_EPSILON * fabsl(*mean))
		return STAT_CONSTANT;
	*scale = (double)largest;
	for (size_t i = 0; i < n; i++)
		to[i] = (double)((x[i] - (long double)*mean) / largest);
	return isfinite(*scale) ? STAT_OK : STAT_OVERFLOW;
}

enum stat_status
bootstrap_mean(const double *x, size_t n, double conf, size_t resamples, unsigned long seed,
	       struct bootstrap_result *out)
{
	struct room room = {NULL, NULL, NULL, NULL, NULL};
	enum stat_status status = describe_check(x, n);
	double mean, scale;

	unavailable(out, resamples, seed, STAT_OK);
	if (status == STAT_OK)
		status = check_arguments(n, conf);
	if (status == STAT_OK)
		status = room_init(&room, n, resamples, seed);
	if (status == STAT_OK)
		status = centre(x, n, room.x, &mean, &scale);
	if (status == STAT_OK) {
		resample_mean(&room, n, resamples);
		for (size_t i = 0; i < n; i++)
			room.jack[i] = -room.x[i] / (double)(n - 1);
		status = finish(&room, n, conf, 0, mean, scale, out);
	}
	room_free(&room);
	return status ? unavailable(out, resamples, seed, status) : STAT_OK;
}

static void
resample_ratio(struct room *room, size_t n, size_t resamples)
{
	unsigned long (*get)(void *) = room->rng->type->get;
	void *state = room->rng->state;
	const double *x = room->x, *y = room->y;

	for (size_t b = 0; b < resamples; b++) {
		double below = 0, above = 0;
		for (size_t i = 0; i < n; i++) {
			size_t at = draw(get, state, n);
			below += x[at];
			above += y[at];
		}
		room->t[b] = above / below;
	}
}

/* x over its largest value, which is returned; 0 when a value is not positive. */
static double
normalise(const double *x, size_t n, double *to)
{
	double largest = 0;

	for (size_t i = 0; i < n; i++) {
		if (x[i] <= 0)
			return 0;
		largest = fmax(largest, x[i]);
	}
	for (size_t i = 0; i < n; i++)
		to[i] = x[i] / largest;
	return largest;
}

static enum stat_status
ratio_in_room(struct room *room, const double *a, const double *b, size_t n, double conf,
	      struct bootstrap_result *out)
{
	double scale_a = normalise(a, n, room->x), scale_b = normalise(b, n, room->y);
	double sum_a = 0, sum_b = 0;

	if (scale_a == 0 || scale_b == 0)
		return STAT_NOT_POSITIVE;
	for (size_t i = 0; i < n; i++) {
		sum_a += room->x[i];
		sum_b += room->y[i];
	}
	resample_ratio(room, n, out->resamples);
	for (size_t i = 0; i < n; i++)
		room->jack[i] = (sum_b - room->y[i]) / (sum_a - room->x[i]);
	return finish(room, n, conf, sum_b / sum_a, 0, scale_b / scale_a, out);
}

enum stat_status
bootstrap_ratio_of_means(const double *a, const double *b, size_t n, double conf, size_t resamples,
			 unsigned long seed, struct bootstrap_result *out)
{
	struct room room = {NULL, NULL, NULL, NULL, NULL};
	enum stat_status status = describe_check(a, n);

	unavailable(out, resamples, seed, STAT_OK);
	if (status == STAT_OK)
		status = describe_check(b, n);
	if (status == STAT_OK)
		status = check_arguments(n, conf);
	if (status == STAT_OK)
		status = room_init(&room, n, resamples, seed);
	if (status == STAT_OK)
		status = ratio_in_room(&room, a, b, n, conf, out);
	if (status == STAT_OK && !(out->estimate >= DBL_MIN && out->lo >= DBL_MIN))
		status = STAT_OVERFLOW;
	room_free(&room);
	return status ? unavailable(out, resamples, seed, status) : STAT_OK;
}

static void
resample_general(struct room *room, size_t *index, bootstrap_statistic *statistic, void *context,
		 size_t n, size_t resamples)
{
	for (size_t b = 0; b < resamples; b++) {
		for (size_t i = 0; i < n; i++)
			index[i] = draw(room->rng->type->get, room->rng->state, n);
		room->t[b] = statistic(index, n, context);
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j + 1 < n; j++)
			index[j] = j < i ? j : j + 1;
		room->jack[i] = statistic(index, n - 1, context);
	}
}

static double
statistic_of_all(bootstrap_statistic *statistic, void *context, size_t *index, size_t n)
{
	for (size_t i = 0; i < n; i++)
		index[i] = i;
	return statistic(index, n, context);
}

enum stat_status
bootstrap_general(bootstrap_statistic *statistic, void *context, size_t n, double conf,
		  size_t resamples, unsigned long seed, struct bootstrap_result *out)
{
	struct room room = {NULL, NULL, NULL, NULL, NULL};
	enum stat_status status = check_arguments(n, conf);
	size_t *index = NULL;

	unavailable(out, resamples, seed, STAT_OK);
	if (status == STAT_OK)
		status = room_init(&room, n, resamples, seed);
	if (status == STAT_OK && !(index = malloc(n * sizeof(*index))))
		status = STAT_NO_MEMORY;
	if (status == STAT_OK) {
		double estimate = statistic_of_all(statistic, context, index, n);
		resample_general(&room, index, statistic, context, n, resamples);
		status = isfinite(estimate) ? finish(&room, n, conf, estimate, 0, 1, out)
					    : STAT_OVERFLOW;
	}
	free(index);
	room_free(&room);
	return status ? unavailable(out, resamples, seed, status) : STAT_OK;
}

enum stat_status
bootstrap_acceleration(const double *x, size_t n, double *out)
{
	enum stat_status status = describe_check(x, n);
	double *centred, mean, scale;

	*out = NAN;
	if (status)
		return status;
	if (n < 2)
		return STAT_TOO_FEW;
	centred = malloc(n * sizeof(*centred));
	if (!centred)
		return STAT_NO_MEMORY;
	status = centre(x, n, centred, &mean, &scale);
	for (size_t i = 0; status == STAT_OK && i < n; i++)
		centred[i] = -centred[i];
	if (status == STAT_OK)
		*out = acceleration_of(centred, n);
	free(centred);
	return status;
}

#include "analysis/block_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/jackknife.h"
#include "analysis/scaling_fit.h"
#include "analysis/usl.h"

#define BLOCKS_MIN 4
#define PARAMETERS 3

/* All times, or those of all blocks but one, as the fits take them. */
struct sample {
	double *p, *y;
	size_t n;
};

/* The parameters of one fit; *all is its own result, or NULL when only they are wanted. */
typedef enum stat_status fit_function(const struct sample *sample, double conf, double *parameters, void *all);

/* What is fitted: a time, or the work done in it. */
enum quantity { TIME, RATE };

static void
take(const struct block_times *times, enum quantity quantity, size_t left_out, struct sample *sample)
{
	size_t b, i;

	sample->n = 0;
	for (b = 0; b < times->blocks; b++)
		for (i = 0; b != left_out && i < times->points; i++) {
			double time = times->time[b * times->points + i];

			sample->p[sample->n] = times->p[i];
			sample->y[sample->n++] = quantity == TIME ? time
								  : (times->weak ? times->p[i] : 1) / time;
		}
}

static void
no_estimate(struct block_estimate *estimate, double value, enum stat_status why)
{
	*estimate = (struct block_estimate){value, NAN, NAN, why};
}

/* Intervals of `count` parameters whose values are filled in. */
static void
leave_one_out(const struct block_times *times, enum quantity quantity, fit_function *fit, double conf,
	      struct sample *sample, size_t count, struct block_estimate *const *estimates)
{
	double *without = calloc(times->blocks * count, sizeof *without), one[PARAMETERS];
	enum stat_status status = without != NULL ? STAT_OK : STAT_NO_MEMORY;
	size_t b, k;

	for (b = 0; status == STAT_OK && b < times->blocks; b++) {
		take(times, quantity, b, sample);
		status = fit(sample, conf, one, NULL);
		for (k = 0; status == STAT_OK && k < count; k++)
			without[k * times->blocks + b] = one[k];
	}
	for (k = 0; k < count; k++)
		estimates[k]->interval =
			status != STAT_OK ? status
					  : jackknife_interval(estimates[k]->value, without + k * times->blocks,
							       times->blocks, conf, &estimates[k]->lo,
							       &estimates[k]->hi);
	free(without);
}

static size_t
above_one(const struct block_times *times)
{
	size_t i, count = 0;

	for (i = 0; i < times->points; i++)
		count += times->p[i] > 1;
	return count;
}

/* `points` tell something of the `parameters`; `told` estimates are made of them. */
static enum stat_status
run(const struct block_times *times, enum quantity quantity, fit_function *fit, double conf, size_t points,
    size_t parameters, size_t told, struct block_estimate *const *estimates, void *all)
{
	size_t n = times->points * times->blocks, k;
	struct sample sample = {calloc(n + 1, sizeof(double)), calloc(n + 1, sizeof(double)), 0};
	enum stat_status status = sample.p != NULL && sample.y != NULL ? STAT_OK : STAT_NO_MEMORY;
	enum stat_status why = times->blocks < BLOCKS_MIN ? STAT_TOO_FEW
			       : points <= parameters	  ? STAT_NO_INTERVAL
							  : STAT_OK;
	double values[PARAMETERS];

	if (status == STAT_OK && (points < parameters || times->blocks == 0))
		status = STAT_TOO_FEW;
	if (status == STAT_OK) {
		take(times, quantity, times->blocks, &sample);
		status = fit(&sample, conf, values, all);
	}
	for (k = 0; k < told; k++)
		no_estimate(estimates[k], status == STAT_OK ? values[k] : NAN, status == STAT_OK ? why : status);
	if (status == STAT_OK && why == STAT_OK)
		leave_one_out(times, quantity, fit, conf, &sample, told, estimates);
	free(sample.p);
	free(sample.y);
	return status;
}

static enum stat_status
fit_amdahl(const struct sample *sample, double conf, double *parameters, void *all)
{
	struct amdahl_times fit;
	enum stat_status status = scaling_fit_amdahl_times(sample->p, sample->y, sample->n, conf, &fit);

	parameters[0] = fit.serial.value;
	if (all != NULL)
		memcpy(all, &fit, sizeof fit);
	return status;
}

static enum stat_status
fit_gustafson(const struct sample *sample, double conf, double *parameters, void *all)
{
	struct scaling_fraction fit;
	enum stat_status status = scaling_fit_gustafson(sample->p, sample->y, sample->n, conf, &fit);

	(void)all;
	parameters[0] = fit.value;
	return status;
}

static enum stat_status
fit_usl(const struct sample *sample, double conf, double *parameters, void *all)
{
	struct usl fit;
	enum stat_status status = usl_fit(sample->p, sample->y, sample->n, conf, &fit);

	if (status == STAT_OK) {
		parameters[0] = fit.gamma.value;
		parameters[1] = fit.alpha.value;
		parameters[2] = fit.beta.value;
	}
	if (all != NULL)
		memcpy(all, &fit, sizeof fit);
	return status;
}

enum stat_status
block_fit_amdahl(const struct block_times *times, double conf, struct block_amdahl *out)
{
	struct block_estimate *const estimates[] = {&out->serial};
	struct amdahl_times fit = {NAN, NAN, {NAN, NAN, NAN, STAT_TOO_FEW}, NAN};
	enum stat_status status = run(times, TIME, fit_amdahl, conf, times->points, 2, 1, estimates, &fit);

	out->serial_time = fit.serial_time;
	out->parallel_time = fit.parallel_time;
	out->r2 = fit.r2;
	return status;
}

enum stat_status
block_fit_gustafson(const struct block_times *times, double conf, struct block_estimate *out)
{
	struct block_estimate *const estimates[] = {out};

	return run(times, RATE, fit_gustafson, conf, above_one(times), 1, 1, estimates, NULL);
}

enum stat_status
block_fit_usl(const struct block_times *times, double conf, struct block_usl *out)
{
	struct block_estimate *const estimates[] = {&out->gamma, &out->alpha, &out->beta};
	struct usl fit = {.peak_p = NAN};
	enum stat_status status = run(times, RATE, fit_usl, conf, times->points, 3, 3, estimates, &fit);

	out->peak_p = fit.peak_p;
	out->alpha_at_bound = fit.alpha_at_bound;
	out->beta_at_bound = fit.beta_at_bound;
	if (status == STAT_OK && fit.alpha_at_bound)
		no_estimate(&out->alpha, out->alpha.value, STAT_NO_INTERVAL);
	if (status == STAT_OK && fit.beta_at_bound)
		no_estimate(&out->beta, out->beta.value, STAT_NO_INTERVAL);
	return status;
}

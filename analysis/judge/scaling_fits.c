#include "analysis/judge/scaling_fits.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/block_fit.h"
#include "base/json.h"
#include "base/memory.h"

#define CONFIDENCE 0.95

static void
set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_number_or_null(value));
}

static json_t *
estimate_json(const struct block_estimate *estimate)
{
	json_t *object = json_object();

	set_number(object, "value", estimate->value);
	set_number(object, "lo", estimate->lo);
	set_number(object, "hi", estimate->hi);
	return object;
}

/* "" where the estimate has its interval. */
static const char *
why_none(const struct block_times *times, enum stat_status fit, const struct block_estimate *estimate,
	 size_t informing, size_t parameters)
{
	if (fit == STAT_TOO_FEW)
		return "unavailable: more parameters than processor counts";
	if (fit != STAT_OK)
		return stat_reason(fit);
	if (informing <= parameters)
		return "no interval: as many points as parameters, so that the curve goes through them whatever the "
		       "law";
	if (times->blocks < 4)
		return "no interval: fewer than four blocks";
	return estimate->interval == STAT_OK ? "" : "no interval: a parameter is at its bound of 0";
}

static json_t *
amdahl(const struct block_times *times)
{
	json_t *object = json_object();
	struct block_amdahl fit;
	enum stat_status status = block_fit_amdahl(times, CONFIDENCE, &fit);

	json_object_set_new(object, "serial_fraction", estimate_json(&fit.serial));
	set_number(object, "limit", fit.serial.value > 0 && fit.serial.value <= 1 ? 1 / fit.serial_time : NAN);
	set_number(object, "serial_time", fit.serial_time);
	set_number(object, "parallel_time", fit.parallel_time);
	set_number(object, "r2", fit.r2);
	json_object_set_new(object, "note",
			    json_string(why_none(times, status, &fit.serial, times->points, 2)));
	return object;
}

static json_t *
gustafson(const struct block_times *times)
{
	json_t *object = json_object();
	struct block_estimate fit;
	enum stat_status status = block_fit_gustafson(times, CONFIDENCE, &fit);
	size_t above = 0, i;

	for (i = 0; i < times->points; i++)
		above += times->p[i] > 1;
	json_object_set_new(object, "serial_fraction", estimate_json(&fit));
	json_object_set_new(object, "note", json_string(why_none(times, status, &fit, above, 1)));
	return object;
}

static json_t *
usl(const struct block_times *times)
{
	json_t *object = json_object();
	struct block_usl fit;
	enum stat_status status = block_fit_usl(times, CONFIDENCE, &fit);
	const struct block_estimate *bound = fit.alpha_at_bound ? &fit.alpha : &fit.beta;

	json_object_set_new(object, "gamma", estimate_json(&fit.gamma));
	json_object_set_new(object, "alpha", estimate_json(&fit.alpha));
	json_object_set_new(object, "beta", estimate_json(&fit.beta));
	set_number(object, "peak_processors", fit.peak_p);
	json_object_set_new(object, "note", json_string(why_none(times, status, bound, times->points, 3)));
	return object;
}

json_t *
scaling_fits(const struct scaling_blocks *blocks, const double *processors, bool weak)
{
	size_t n = blocks->blocks * blocks->points, i;
	double *relative = memory_zeroed(n, sizeof *relative);
	struct block_times times = {processors, relative, blocks->points, blocks->blocks, weak};
	json_t *fits = json_object();

	for (i = 0; i < n; i++)
		relative[i] = blocks->time[i] / blocks->serial[i / blocks->points];
	if (weak)
		json_object_set_new(fits, "gustafson", gustafson(&times));
	else
		json_object_set_new(fits, "amdahl", amdahl(&times));
	json_object_set_new(fits, "usl", usl(&times));
	free(relative);
	return fits;
}

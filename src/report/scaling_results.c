#include "report/scaling_results.h"

#include <stdio.h>

#include "base/json.h"

static json_t *
or_null(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	return value != NULL ? json_incref(value) : json_null();
}

/* { "value", "lo", "hi" } becomes KEY, KEY_lo, KEY_hi. */
static void
put_estimate(const json_t *fit, const char *key, json_t *out)
{
	static const char *const ends[][2] = {{"value", ""}, {"lo", "_lo"}, {"hi", "_hi"}};
	size_t i;

	for (i = 0; i < 3; i++) {
		char name[64];

		snprintf(name, sizeof name, "%s%s", key, ends[i][1]);
		json_object_set_new(out, name, or_null(json_object_get(fit, key), ends[i][0]));
	}
}

static json_t *
fraction(const json_t *fit)
{
	json_t *out = json_object();

	put_estimate(fit, "serial_fraction", out);
	json_object_set_new(out, "limit", or_null(fit, "limit"));
	json_object_set_new(out, "note", or_null(fit, "note"));
	return out;
}

static json_t *
usl(const json_t *fit)
{
	json_t *out = json_object();

	put_estimate(fit, "gamma", out);
	put_estimate(fit, "alpha", out);
	put_estimate(fit, "beta", out);
	json_object_set_new(out, "peak_processors", or_null(fit, "peak_processors"));
	json_object_set_new(out, "note", or_null(fit, "note"));
	return out;
}

static json_t *
point_results(const json_t *point)
{
	static const char *const keys[] = {"time", "speedup", "speedup_lo", "speedup_hi", "efficiency",
					   "efficiency_lo", "efficiency_hi", "karp_flatt", "karp_flatt_lo",
					   "karp_flatt_hi", "own_speedup", "bytes_per_s", "superlinear", NULL};
	json_t *out = json_object();
	size_t i;

	for (i = 0; keys[i] != NULL; i++)
		json_object_set_new(out, keys[i], or_null(point, keys[i]));
	return out;
}

static json_t *
series_results(const json_t *series)
{
	const json_t *fits = json_object_get(series, "fits"), *point;
	json_t *out = json_object();
	size_t i;

	json_object_set_new(out, "kind", or_null(series, "kind"));
	json_object_set_new(out, "amdahl", fraction(json_object_get(fits, "amdahl")));
	json_object_set_new(out, "gustafson", fraction(json_object_get(fits, "gustafson")));
	json_object_set_new(out, "usl", usl(json_object_get(fits, "usl")));
	json_array_foreach(json_object_get(series, "points"), i, point) {
		char name[32];

		snprintf(name, sizeof name, "p%.0f", json_get_number(point, "processors"));
		json_object_set_new(out, name, point_results(point));
	}
	return out;
}

json_t *
scaling_results(const json_t *scaling)
{
	json_t *out = json_object();
	const json_t *series;
	size_t i;

	if (scaling == NULL || json_object_get(scaling, "unavailable") != NULL) {
		json_decref(out);
		return json_null();
	}
	json_object_set_new(out, "serial", or_null(scaling, "serial"));
	json_array_foreach(json_object_get(scaling, "series"), i, series)
		json_object_set_new(out, json_get_text(series, "name"),
				    json_object_get(series, "unavailable") != NULL ? json_null() : series_results(series));
	return out;
}

#include "analysis/judge/scaling_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/scaling_fits.h"
#include "analysis/judge/warning.h"
#include "analysis/scaling.h"
#include "base/json.h"
#include "base/memory.h"

struct scene {
	const json_t *experiment, *entry, *metric, *item, *serial; /* serial: the treatment's document */
	json_t *document;                                          /* the case's */
};

static void
set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_number_or_null(value));
}

static const json_t *
treatment_at(const struct scene *scene, long long number)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(scene->item, "treatments"), i, one)
		if (json_get_integer(one, "treatment", -1) == number)
			return one;
	return NULL;
}

/* The fastest of the serial programs. */
static const json_t *
best_serial(const struct scene *scene)
{
	const json_t *list = json_object_get(json_object_get(scene->experiment, "scaling"), "serial"), *number;
	const json_t *best = NULL;
	size_t i;

	json_array_foreach((json_t *)list, i, number) {
		const json_t *one = treatment_at(scene, json_integer_value(number));
		double median = json_get_number(one, "median");

		if (median > 0 && (best == NULL || median < json_get_number(best, "median")))
			best = one;
	}
	return best;
}

/* What a case of study.json says of one treatment; NaN: nothing. */
static double
declared(const struct scene *scene, const char *list, long long treatment)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(scene->entry, list), i, one)
		if (json_get_integer(one, "treatment", -1) == treatment)
			return json_get_number(one, "bytes");
	return NAN;
}

/* Seconds of one of the metric's unit; NaN where it is no time. */
static double
seconds(const struct scene *scene)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
	const char *unit = json_get_text(scene->metric, "unit");
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].unit, unit) == 0)
			return units[i].seconds;
	return NAN;
}

/* ---- more than p times as fast ---- */

/* The cache that a thread's share of the working set goes into and the whole does not. */
static const json_t *
cache_between(const struct scene *scene, double share, double whole)
{
	const json_t *session = json_array_get(json_object_get(scene->document, "sessions"), 0), *one;
	size_t i;

	json_array_foreach(json_object_get(session, "caches"), i, one)
		if (share <= json_get_number(one, "bytes") && json_get_number(one, "bytes") < whole)
			return one;
	return NULL;
}

/* `shares` into which the threads divide the working set. The caller frees. */
static char *
likely_cause(const struct scene *scene, long long treatment, double shares)
{
	double whole = declared(scene, "working_sets", treatment), share = whole / shares;
	const json_t *cache = isfinite(whole) ? cache_between(scene, share, whole) : NULL;

	if (!isfinite(whole))
		return memory_copy_text("the experiment declares no working_set, which would tell whether shares go into "
					"a cache that the whole does not; or the serial program is not the best");
	if (cache == NULL)
		return memory_format("not the caches, by the declared working set of %.3g KiB: look whether the serial "
				     "program is the best there is", whole / 1024);
	return memory_format("a thread's share of the working set (%.3g of %.3g KiB) goes into the level-%lld cache of "
			     "%.4g KiB, the whole does not%s", share / 1024, whole / 1024,
			     json_get_integer(cache, "level", 0), json_get_number(cache, "bytes") / 1024,
			     json_get_integer(cache, "level", 0) > 2 ? " (if threads do not share it)" : "");
}

static void
put_superlinear(const struct scene *scene, json_t *point, const struct scaling_ratio *speedup, double p,
		bool weak, const json_t *treatment)
{
	bool is = p > 1 && (isfinite(speedup->lo) ? speedup->lo : speedup->value) > p;
	char *cause;

	json_object_set_new(point, "superlinear", json_boolean(is));
	if (!is)
		return;
	cause = likely_cause(scene, json_get_integer(treatment, "treatment", -1), weak ? 1 : p);
	json_object_set_new(point, "cause", json_string(cause));
	warning_add(json_object_get(scene->document, "warnings"), "superlinear", 0.65, speedup->value,
		    "do not call it a better algorithm: the two runs are not the same system to the memory; compare "
		    "sizes whose shares go into the same cache, and look for a better serial program",
		    "%s is %.3g times as fast as %s on %g processors: %s", json_get_text(treatment, "name"),
		    speedup->value, json_get_text(scene->serial, "name"), p, cause);
	free(cause);
}

/* ---- a point, a series ---- */

/* (1/S - 1/p)/(1 - 1/p): falls as S grows. */
static double
karp_flatt(double speedup, double p)
{
	return p > 1 ? (1 / speedup - 1 / p) / (1 - 1 / p) : NAN;
}

static void
put_range(json_t *point, const char *key, double value, double lo, double hi)
{
	static const char *const ends[] = {"", "_lo", "_hi"};
	const double values[] = {value, lo, hi};
	size_t i;

	for (i = 0; i < 3; i++) {
		char *name = memory_format("%s%s", key, ends[i]);

		set_number(point, name, values[i]);
		free(name);
	}
}

static void
put_rate(const struct scene *scene, const json_t *treatment, json_t *point)
{
	double bytes = declared(scene, "work", json_get_integer(treatment, "treatment", -1)) / seconds(scene);

	if (bytes > 0)
		put_range(point, "bytes_per_s", bytes / json_get_number(treatment, "median"),
			  bytes / json_get_number(treatment, "median_hi"),
			  bytes / json_get_number(treatment, "median_lo"));
}

/* `own`: the series' place of one processor, -1 without. */
static json_t *
point_document(const struct scene *scene, const struct scaling_blocks *blocks, const double *p, size_t i,
	       long own, bool weak, const json_t *treatment)
{
	struct scaling_ratio s = scaling_blocks_speedup(blocks, i);
	double grown = weak ? p[i] : 1;
	json_t *point = json_pack("{s:f, s:I, s:s}", "processors", p[i], "treatment",
				  (json_int_t)json_get_integer(treatment, "treatment", -1), "name",
				  json_get_text(treatment, "name"));

	s = (struct scaling_ratio){s.value * grown, s.lo * grown, s.hi * grown};
	put_range(point, "time", json_get_number(treatment, "median"), json_get_number(treatment, "median_lo"),
		  json_get_number(treatment, "median_hi"));
	put_range(point, "speedup", s.value, s.lo, s.hi);
	put_range(point, "efficiency", s.value / p[i], s.lo / p[i], s.hi / p[i]);
	if (!weak)
		put_range(point, "karp_flatt", karp_flatt(s.value, p[i]), karp_flatt(s.hi, p[i]),
			  karp_flatt(s.lo, p[i]));
	set_number(point, "own_speedup",
		   own < 0 ? NAN : s.value / scaling_blocks_speedup(blocks, (size_t)own).value);
	put_rate(scene, treatment, point);
	put_superlinear(scene, point, &s, p[i], weak, treatment);
	return point;
}

static json_t *
points_document(const struct scene *scene, const json_t *series, const json_t *const *treatments, size_t count,
		json_t **fits)
{
	bool weak = strcmp(json_get_text(series, "kind"), "weak") == 0;
	const json_t *listed = json_object_get(series, "points");
	const json_t **values = memory_zeroed(count, sizeof *values);
	double *p = memory_zeroed(count, sizeof *p);
	struct scaling_blocks blocks;
	json_t *points = json_array();
	long own = -1;
	size_t i;

	for (i = 0; i < count; i++) {
		p[i] = (double)json_get_integer(json_array_get(listed, i), "processors", 1);
		values[i] = json_object_get(treatments[i], "values");
		own = p[i] == 1 ? (long)i : own;
	}
	scaling_blocks_collect(json_object_get(scene->serial, "values"), values, count, &blocks);
	for (i = 0; i < count; i++)
		json_array_append_new(points, point_document(scene, &blocks, p, i, own, weak, treatments[i]));
	*fits = scaling_fits(&blocks, p, weak);
	scaling_blocks_free(&blocks);
	free(values);
	free(p);
	return points;
}

static json_t *
series_document(const struct scene *scene, const json_t *series)
{
	size_t count = json_array_size(json_object_get(series, "points")), i;
	const json_t **treatments = memory_zeroed(count, sizeof *treatments);
	json_t *document = json_pack("{s:O, s:O, s:O}", "name", json_object_get(series, "name"), "variant",
				     json_object_get(series, "variant"), "kind", json_object_get(series, "kind"));
	json_t *fits = NULL, *points = NULL;
	bool whole = true;

	for (i = 0; i < count; i++) {
		const json_t *listed = json_array_get(json_object_get(series, "points"), i);

		treatments[i] = treatment_at(scene, json_get_integer(listed, "treatment", -1));
		whole = whole && json_get_number(treatments[i], "median") > 0;
	}
	if (whole)
		points = points_document(scene, series, treatments, count, &fits);
	if (whole) {
		json_object_set_new(document, "points", points);
		json_object_set_new(document, "fits", fits);
	} else {
		json_object_set_new(document, "unavailable", json_string("not all of its treatments were measured"));
	}
	free(treatments);
	return document;
}

static const char *
why_unavailable(const struct scene *scene)
{
	if (json_is_true(json_object_get(scene->document, "invalid")))
		return "the case is invalid";
	if (json_array_size(json_object_get(scene->metric, "items")) > 1)
		return "a program with several items has no one time";
	return scene->serial == NULL ? "no serial program was measured" : NULL;
}

json_t *
scaling_document(const json_t *experiment, const json_t *entry, json_t *case_document)
{
	struct scene scene = {experiment, entry, json_array_get(json_object_get(case_document, "metrics"), 0), NULL,
			      NULL, case_document};
	const json_t *declared_scaling = json_object_get(experiment, "scaling"), *series;
	json_t *document = json_pack("{s:O}", "over", json_object_get(declared_scaling, "over")), *list;
	const char *reason;
	size_t i;

	scene.item = json_array_get(json_object_get(scene.metric, "items"), 0);
	scene.serial = best_serial(&scene);
	reason = why_unavailable(&scene);
	if (reason != NULL) {
		json_object_set_new(document, "unavailable", json_string(reason));
		return document;
	}
	list = json_array();
	json_array_foreach(json_object_get(declared_scaling, "series"), i, series)
		json_array_append_new(list, series_document(&scene, series));
	json_object_set(document, "serial", json_object_get(scene.serial, "name"));
	json_object_set_new(document, "serial_programs",
			    json_integer((json_int_t)json_array_size(json_object_get(declared_scaling, "serial"))));
	set_number(document, "serial_time", json_get_number(scene.serial, "median"));
	json_object_set(document, "unit", json_object_get(scene.metric, "unit"));
	json_object_set_new(document, "series", list);
	return document;
}

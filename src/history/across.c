#include "history/across.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/twosample.h"
#include "base/json.h"
#include "base/memory.h"
#include "report/document.h"

struct place {
	const char *metric, *item;
	bool higher;         /* more is better */
	const char *invalid; /* why no number may be given; NULL: it may */
};

static bool
has_text(const json_t *object, const char *key, const char *text)
{
	return strcmp(json_get_text(object, key), text) == 0;
}

/* The member of the array whose `key` is that text. */
static const json_t *
find(const json_t *list, const char *key, const char *text)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (has_text(one, key, text))
			return one;
	return NULL;
}

/* ---- two treatments ---- */

static double *
values_of(const json_t *treatment, size_t *count)
{
	const json_t *values = json_object_get(treatment, "values"), *one;
	double *x = memory_zeroed(json_array_size(values), sizeof *x);
	size_t i;

	*count = json_array_size(values);
	json_array_foreach((json_t *)values, i, one)
		x[i] = json_get_number(one, "value");
	return x;
}

static void
set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_number_or_null(value));
}

/* Why something of it lacks; "". */
static const char *
put_shift(const struct place *place, const json_t *from, const json_t *to, json_t *out)
{
	struct twosample_log_shift shift;
	size_t n_from, n_to;
	double *x = values_of(from, &n_from), *y = values_of(to, &n_to);
	/* The differences are second less first: with times, log from - log to. */
	if (place->higher)
		twosample_log_shift(x, n_from, y, n_to, ACROSS_CONFIDENCE, &shift);
	else
		twosample_log_shift(y, n_to, x, n_from, ACROSS_CONFIDENCE, &shift);
	set_number(out, "speedup", exp(shift.log_ratio));
	set_number(out, "speedup_lo", exp(shift.lo));
	set_number(out, "speedup_hi", exp(shift.hi));
	set_number(out, "level", shift.achieved);
	set_number(out, "p", shift.p);
	free(x);
	free(y);
	return shift.interval_status != STAT_OK ? stat_reason(shift.interval_status) : "";
}

/* What is known of one side; null: it has no such treatment. */
static json_t *
side(const json_t *treatment)
{
	static const char *const keys[] = {"name", "groups", "median", "median_lo", "median_hi", NULL};
	json_t *one;
	size_t i;

	if (treatment == NULL)
		return json_null();
	one = json_object();
	for (i = 0; keys[i] != NULL; i++)
		json_object_set(one, keys[i], json_object_get(treatment, keys[i]));
	return one;
}

static json_t *
entry(const struct place *place, const json_t *from, const json_t *to)
{
	static const char *const numbers[] = {"speedup", "speedup_lo", "speedup_hi", "level", "p", NULL};
	json_t *one = json_pack("{s:s, s:s, s:s, s:o, s:o, s:f}", "name",
				json_get_text(to != NULL ? to : from, "name"), "metric", place->metric, "item",
				place->item, "from", side(from), "to", side(to), "confidence",
				ACROSS_CONFIDENCE);
	const char *reason = place->invalid;
	size_t i;

	for (i = 0; numbers[i] != NULL; i++)
		json_object_set_new(one, numbers[i], json_null());
	if (from == NULL || to == NULL)
		reason = from == NULL ? "not there before" : "no longer there";
	else if (reason == NULL)
		reason = put_shift(place, from, to, one);
	json_object_set_new(one, "reason", json_string(reason));
	return one;
}

/* ---- which go together ---- */

static const json_t *
numbered(const json_t *list, long long number)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (json_get_integer(one, "treatment", -1) == number)
			return one;
	return NULL;
}

/* A treatment's partner in `others`; `own` is the list that it is in. A variant that was renamed
 * has the number that it had. */
static const json_t *
partner(const json_t *treatment, const json_t *own, const json_t *others)
{
	const json_t *same = find(others, "name", json_get_text(treatment, "name"));

	if (same != NULL)
		return same;
	same = numbered(others, json_get_integer(treatment, "treatment", -1));
	return same != NULL && find(own, "name", json_get_text(same, "name")) == NULL ? same : NULL;
}

static void
add_item(const struct place *place, const json_t *from, const json_t *to, json_t *list)
{
	const json_t *before = json_object_get(from, "treatments"), *after = json_object_get(to, "treatments");
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)after, i, one)
		json_array_append_new(list, entry(place, partner(one, after, before), one));
	json_array_foreach((json_t *)before, i, one)
		if (partner(one, before, after) == NULL)
			json_array_append_new(list, entry(place, one, NULL));
}

static const char *
why_invalid(const json_t *from, const json_t *to)
{
	if (json_is_true(json_object_get(from, "invalid")))
		return json_get_text(from, "invalid_reason");
	if (json_is_true(json_object_get(to, "invalid")))
		return json_get_text(to, "invalid_reason");
	return NULL;
}

json_t *
across_list(const json_t *from, const json_t *to)
{
	const json_t *metric = document_primary(to);
	const char *name = json_get_text(metric, "name");
	const json_t *before = find(json_object_get(from, "metrics"), "name", name), *item;
	const json_t *items = json_object_get(before, "items");
	struct place place = {name, NULL, has_text(metric, "better", "higher"), why_invalid(from, to)};
	json_t *list = json_array();
	size_t i;

	json_array_foreach(json_object_get(metric, "items"), i, item) {
		place.item = json_get_text(item, "item");
		add_item(&place, find(items, "item", place.item), item, list);
	}
	json_array_foreach((json_t *)items, i, item) {
		place.item = json_get_text(item, "item");
		if (find(json_object_get(metric, "items"), "item", place.item) == NULL)
			add_item(&place, item, NULL, list);
	}
	return list;
}

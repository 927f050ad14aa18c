#include "figures/axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "figures/figure.h"

static bool
is_numeric(const json_t *values, double *lo, double *hi)
{
	const json_t *value;
	size_t i;

	*lo = INFINITY;
	*hi = -INFINITY;
	json_array_foreach((json_t *)values, i, value) {
		if (!json_is_number(value))
			return false;
		*lo = fmin(*lo, json_number_value(value));
		*hi = fmax(*hi, json_number_value(value));
	}
	return *hi > *lo;
}

void
axis_choose(const json_t *experiment, struct axis *axis)
{
	const json_t *sweep = json_object_get(experiment, "sweep"), *one;
	double lo, hi;
	size_t i;

	axis->dimension = NULL;
	axis->logarithmic = false;
	json_array_foreach((json_t *)sweep, i, one) {
		if (json_is_true(json_object_get(one, "blocked")) ||
		    !is_numeric(json_object_get(one, "values"), &lo, &hi))
			continue;
		axis->dimension = json_get_text(one, "name");
		axis->logarithmic = lo > 0 && hi / lo > AXIS_LOG_RANGE;
		return;
	}
}

double
axis_place(const struct axis *axis, const json_t *case_document, size_t index)
{
	if (axis->dimension == NULL)
		return (double)index;
	return json_get_number(json_object_get(case_document, "point"), axis->dimension);
}

void
axis_series(const struct axis *axis, const json_t *case_document, struct buffer *out)
{
	const char *key;
	json_t *value;
	size_t start = out->length;

	if (axis->dimension == NULL)
		return;
	json_object_foreach(json_object_get(case_document, "point"), key, value) {
		char *text;

		if (strcmp(key, axis->dimension) == 0)
			continue;
		text = json_is_string(value) ? memory_copy_text(json_string_value(value))
					     : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
		buffer_printf(out, "%s%s=%s", out->length > start ? ", " : "", key, text);
		free(text);
	}
}

void
axis_put(const struct axis *axis, const json_t *cases, struct buffer *settings)
{
	struct buffer ticks = BUFFER_EMPTY;
	const json_t *one;
	size_t i;

	figure_put_text(settings, "x_label", axis->dimension != NULL ? axis->dimension : "");
	figure_put_number(settings, "x_log", axis->logarithmic);
	figure_put_number(settings, "x_named", axis->dimension == NULL);
	figure_put_number(settings, "x_count", (double)json_array_size(cases));
	json_array_foreach((json_t *)cases, i, one) {
		const char *text = json_get_text(one, "point_text");

		buffer_puts(&ticks, i > 0 ? ", '" : "'");
		for (text = text[0] != '\0' ? text : "all"; *text != '\0'; text++)
			buffer_printf(&ticks, "%s%c", *text == '\'' ? "'" : "", *text);
		buffer_printf(&ticks, "' %zu", i);
	}
	figure_put_text(settings, "x_ticks", buffer_text(&ticks));
	buffer_free(&ticks);
}

#include "diagnose/result.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/power.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

#define FUNCTIONS 50
#define Z_95 1.959963984540054

json_t *
result_new(void)
{
	return json_pack("{s:{}, s:[], s:s, s:s}", "values", "functions", "hottest", "", "summary", "");
}

void
result_put(json_t *result, const char *name, double value)
{
	json_object_set_new(json_object_get(result, "values"), name, json_number_or_null(value));
}

double
result_value(const json_t *result, const char *name)
{
	return json_get_number(json_object_get(result, "values"), name);
}

void
result_say(json_t *result, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	json_object_set_new(result, "summary", json_string(text));
}

void
result_add_function(json_t *result, const char *name, const char *object, double share,
		    double samples, double of_samples)
{
	double margin = NAN, relative = NAN;
	json_t *one = json_pack("{s:s%, s:s%, s:o}", "name", name, strlen(name), "object", object,
				strlen(object), "share", json_number_or_null(share));

	if (one == NULL) /* no UTF-8 */
		return;
	if (samples > 0) {
		power_binomial_margin(Z_95, share, of_samples, &margin);
		power_poisson_error(samples, &relative);
		json_object_set_new(one, "samples", json_real(samples));
		json_object_set_new(one, "margin", json_number_or_null(margin));
		json_object_set_new(one, "relative", json_number_or_null(relative));
	}
	json_array_append_new(json_object_get(result, "functions"), one);
}

static int
hottest_first(const void *x, const void *y)
{
	const json_t *a = *(json_t *const *)x, *b = *(json_t *const *)y;
	double more = json_get_number(b, "share") - json_get_number(a, "share");

	return more != 0 ? (more > 0 ? 1 : -1) : strcmp(json_get_text(a, "name"), json_get_text(b, "name"));
}

void
result_end_functions(json_t *result)
{
	json_t *list = json_object_get(result, "functions"), **sorted;
	size_t count = json_array_size(list), i;

	result_put(result, "functions", (double)count);
	sorted = memory_zeroed(count, sizeof *sorted);
	for (i = 0; i < count; i++)
		sorted[i] = json_incref(json_array_get(list, i));
	if (count > 0)
		qsort(sorted, count, sizeof *sorted, hottest_first);
	json_array_clear(list);
	for (i = 0; i < count; i++) {
		if (i < FUNCTIONS)
			json_array_append(list, sorted[i]);
		json_decref(sorted[i]);
	}
	free(sorted);
	if (count == 0)
		return;
	json_object_set(result, "hottest", json_object_get(json_array_get(list, 0), "name"));
	result_put(result, "hottest_share", json_get_number(json_array_get(list, 0), "share"));
}

int
result_read(const char *folder, const char *name, struct buffer *text, struct error *error)
{
	char *path = memory_format("%s/%s", folder, name);
	int result = file_read(path, 0, text, error);

	free(path);
	return result;
}

char *
result_line(char **at)
{
	char *line = *at, *end;

	if (line == NULL || *line == '\0')
		return NULL;
	end = strchr(line, '\n');
	*at = end != NULL ? end + 1 : line + strlen(line);
	if (end != NULL)
		*end = '\0';
	return line;
}

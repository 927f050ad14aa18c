#include "tests/statistics/golden_value.h"

#include <math.h>
#include <stdarg.h>

#include "base/json.h"
#include "base/memory.h"

json_t *
golden_numbers(const char *key, ...)
{
	json_t *object = json_object();
	va_list rest;

	va_start(rest, key);
	for (; key; key = va_arg(rest, const char *))
		json_object_set_new(object, key, json_number_or_null(va_arg(rest, double)));
	va_end(rest);
	return object;
}

void
golden_put_array(json_t *object, const char *key, const double *values, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(array, json_number_or_null(values[i]));
	json_object_set_new(object, key, array);
}

double
golden_param(const struct golden_input *input, const char *key, double otherwise)
{
	double value = json_get_number(input->params, key);

	return isfinite(value) ? value : otherwise;
}

size_t
golden_count(const struct golden_input *input, const char *key, size_t otherwise)
{
	double value = golden_param(input, key, (double)otherwise);

	return value >= 0 && value < 1e15 ? (size_t)value : 0;
}

const double *
golden_series_of(const struct golden_input *input)
{
	return input->columns > 0 ? input->values[input->columns - 1] : NULL;
}

double *
golden_room(size_t n)
{
	return memory_zeroed(n + 1, sizeof(double));
}

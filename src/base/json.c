#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"

#define LAYOUT (JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17))

json_t *
json_read_file(const char *path, struct error *error)
{
	struct buffer bytes = BUFFER_EMPTY;
	json_error_t problem;
	json_t *value;

	if (file_read(path, 0, &bytes, error) != 0)
		return NULL;
	value = json_loadb(buffer_text(&bytes), bytes.length, JSON_REJECT_DUPLICATES, &problem);
	if (value == NULL)
		error_set_at(error, EXIT_BAD_INPUT, path, problem.line, "not valid JSON: %s",
			     problem.text);
	buffer_free(&bytes);
	return value;
}

static int
append(const char *bytes, size_t length, void *buffer)
{
	buffer_append(buffer, bytes, length);
	return 0;
}

int
json_write_file(const char *path, const json_t *value, unsigned flags, struct error *error)
{
	struct buffer bytes = BUFFER_EMPTY;
	int result;

	if (json_dump_callback(value, append, &bytes, LAYOUT) != 0)
		return error_set(error, EXIT_FAILED, "cannot encode %s as JSON", path);
	buffer_putc(&bytes, '\n');
	result = file_write(path, bytes.bytes, bytes.length, flags, error);
	buffer_free(&bytes);
	return result;
}

void
json_print(const json_t *value, FILE *out)
{
	json_dumpf(value, out, LAYOUT);
	fputc('\n', out);
}

json_t *
json_number_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

double
json_get_number(const json_t *object, const char *key)
{
	const json_t *member = json_object_get(object, key);

	return json_is_number(member) ? json_number_value(member) : NAN;
}

const char *
json_get_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text != NULL ? text : "";
}

long long
json_get_integer(const json_t *object, const char *key, long long otherwise)
{
	const json_t *member = json_object_get(object, key);

	return json_is_integer(member) ? (long long)json_integer_value(member) : otherwise;
}

const json_t *
json_find_text(const json_t *list, const char *key, const char *text)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (strcmp(json_get_text(one, key), text) == 0)
			return one;
	return NULL;
}

const json_t *
json_find_integer(const json_t *list, const char *key, long long number)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (json_is_integer(json_object_get(one, key)) && json_get_integer(one, key, 0) == number)
			return one;
	return NULL;
}

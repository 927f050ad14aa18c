#ifndef ASSAY_JSON_H
#define ASSAY_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"

/* JSON files through jansson. */

/* A new reference, or NULL with *error naming file and line. Duplicate keys are refused. */
json_t *json_read_file(const char *path, struct error *error);
/* Sorted keys, two-space indent, %.17g, newline at the end; equal values give equal bytes.
 * `flags` as file_write (file.h). */
int json_write_file(const char *path, const json_t *value, unsigned flags, struct error *error);

/* The same bytes on a stream. */
void json_print(const json_t *value, FILE *out);

/* NaN and infinities become null: "unavailable" in every file of ours. */
json_t *json_number_or_null(double value);
/* The member as double; NaN when it is missing, null or no number. */
double json_get_number(const json_t *object, const char *key);
/* The member as text; "" when it is missing or no string. Borrowed. */
const char *json_get_text(const json_t *object, const char *key);
/* The member as integer; `otherwise` when it is missing or no integer. */
long long json_get_integer(const json_t *object, const char *key, long long otherwise);
/* The first object of a list whose member is that; NULL: none. Borrowed. */
const json_t *json_find_text(const json_t *list, const char *key, const char *text);
const json_t *json_find_integer(const json_t *list, const char *key, long long number);

#endif

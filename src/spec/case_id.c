#include "spec/case_id.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"

static bool
is_safe(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte == '.' || byte == '_' || byte == '-';
}

/* Each run of other bytes becomes one '_'. */
static void
append_safe(struct buffer *out, const char *text)
{
	for (; *text != '\0'; text++) {
		if (is_safe(*text))
			buffer_putc(out, *text);
		else if (out->length == 0 || out->bytes[out->length - 1] != '_')
			buffer_putc(out, '_');
	}
}

static int
by_name(const void *a, const void *b)
{
	return strcmp((*(const struct point_value *const *)a)->name,
		      (*(const struct point_value *const *)b)->name);
}

static char
type_letter(const json_t *value)
{
	return json_is_string(value) ? 's' : json_is_boolean(value) ? 'b' : 'n';
}

/* Unequal points give unequal bytes: lengths in front, and 1 is not "1". */
static void
append_exact(struct buffer *out, const char *experiment, const struct point *point)
{
	const struct point_value **sorted = memory_zeroed(point->count, sizeof *sorted);
	size_t i;

	for (i = 0; i < point->count; i++)
		sorted[i] = &point->items[i];
	if (point->count > 0)
		qsort(sorted, point->count, sizeof *sorted, by_name);
	buffer_printf(out, "%zu:%s", strlen(experiment), experiment);
	for (i = 0; i < point->count; i++)
		buffer_printf(out, "%zu:%s%c%zu:%s", strlen(sorted[i]->name), sorted[i]->name,
			      type_letter(sorted[i]->value), strlen(sorted[i]->text),
			      sorted[i]->text);
	free(sorted);
}

void
case_id_append(struct buffer *out, const char *experiment, const struct point *point)
{
	struct buffer slug = BUFFER_EMPTY, exact = BUFFER_EMPTY;
	char hex[DIGEST_SHA256_HEX];
	size_t i;

	append_safe(&slug, experiment);
	for (i = 0; i < point->count; i++) {
		buffer_putc(&slug, '-');
		append_safe(&slug, point->items[i].name);
		buffer_putc(&slug, '-');
		append_safe(&slug, point->items[i].text);
	}
	append_exact(&exact, experiment, point);
	digest_bytes(DIGEST_SHA256, buffer_text(&exact), exact.length, hex);
	/* A leading '.' hides a file and a leading '-' is an option to most tools. */
	if (slug.length > 0 && (slug.bytes[0] == '.' || slug.bytes[0] == '-'))
		slug.bytes[0] = '_';
	buffer_append(out, buffer_text(&slug), slug.length < CASE_ID_SLUG ? slug.length : CASE_ID_SLUG);
	buffer_putc(out, '-');
	buffer_append(out, hex, CASE_ID_HASH);
	buffer_free(&slug);
	buffer_free(&exact);
}

bool
case_id_is_one(const char *name)
{
	size_t length = strlen(name), i;

	if (length <= CASE_ID_HASH + 1 || length > CASE_ID_MAX || name[0] == '.' || name[0] == '-' ||
	    name[length - CASE_ID_HASH - 1] != '-')
		return false;
	for (i = 0; i < length; i++)
		if (!is_safe(name[i]))
			return false;
	return strspn(name + length - CASE_ID_HASH, "0123456789abcdef") == CASE_ID_HASH;
}

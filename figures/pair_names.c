#include "figures/pair_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char separators[] = "_-.:/ =,";

/* A name in two: what the two of a pair share, and what is left. */
struct split {
	const char *rest, *label;
	size_t rest_length, label_length;
};

static bool
is_separator(char letter)
{
	return letter != '\0' && strchr(separators, letter) != NULL;
}

/* How long their common end is, from a separator on; 0 when there is none. */
static size_t
common_end(const char *one, const char *other)
{
	size_t n = strlen(one), m = strlen(other), same = 0, k;

	while (same < n && same < m && one[n - same - 1] == other[m - same - 1])
		same++;
	for (k = same; k > 1; k--)
		if (k < n && k < m && is_separator(one[n - k]))
			return k;
	return 0;
}

static size_t
common_begin(const char *one, const char *other)
{
	size_t same = 0, k;

	while (one[same] != '\0' && one[same] == other[same])
		same++;
	for (k = same; k > 1; k--)
		if (is_separator(one[k - 1]) && one[k] != '\0' && other[k] != '\0')
			return k;
	return 0;
}

static bool
split(const char *name, const char *other, bool at_end, struct split *out)
{
	size_t shared = at_end ? common_end(name, other) : common_begin(name, other);
	size_t length = strlen(name);

	if (shared == 0)
		return false;
	if (at_end)
		*out = (struct split){name, name + length - shared + 1, length - shared, shared - 1};
	else
		*out = (struct split){name + shared, name, length - shared, shared - 1};
	return true;
}

static bool
same_rest(const struct split *one, const struct split *other)
{
	return one->rest_length == other->rest_length &&
	       strncmp(one->rest, other->rest, one->rest_length) == 0;
}

/* All pairs fall apart into the same two sides, or none does. */
static bool
try(const json_t *pairs, bool at_end, struct pair_names *names)
{
	struct split a, b, first_a = {0}, first_b = {0};
	const json_t *pair;
	size_t i;

	names->labels = json_array();
	json_array_foreach((json_t *)pairs, i, pair) {
		const char *name_b = json_string_value(json_array_get(pair, 0));
		const char *name_a = json_string_value(json_array_get(pair, 1));

		if (!split(name_a, name_b, at_end, &a) || !split(name_b, name_a, at_end, &b) ||
		    (i > 0 && (!same_rest(&a, &first_a) || !same_rest(&b, &first_b)))) {
			json_decref(names->labels);
			return false;
		}
		first_a = a;
		first_b = b;
		json_array_append_new(names->labels, json_stringn(a.label, a.label_length));
	}
	names->a = memory_copy_span(first_a.rest, first_a.rest_length);
	names->b = memory_copy_span(first_b.rest, first_b.rest_length);
	return true;
}

void
pair_names_make(const json_t *pairs, struct pair_names *names)
{
	const json_t *pair;
	size_t i;

	if (json_array_size(pairs) > 0 && (try(pairs, true, names) || try(pairs, false, names)))
		return;
	names->a = memory_copy_text("baseline");
	names->b = memory_copy_text("the other");
	names->labels = json_array();
	json_array_foreach((json_t *)pairs, i, pair)
		json_array_append_new(names->labels,
				      json_sprintf("%s over %s", json_string_value(json_array_get(pair, 0)),
						   json_string_value(json_array_get(pair, 1))));
}

void
pair_names_free(struct pair_names *names)
{
	free(names->a);
	free(names->b);
	json_decref(names->labels);
}

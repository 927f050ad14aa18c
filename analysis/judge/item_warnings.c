#include "analysis/judge/item_warnings.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/judge/warning.h"
#include "base/buffer.h"
#include "base/json.h"
#include "base/memory.h"

enum { NAMED_ITEMS = 5 };

/* "BM_a, BM_b and 3 more" */
static void
put_name(struct buffer *names, size_t number, const char *item)
{
	if (number < NAMED_ITEMS)
		buffer_printf(names, "%s%s", number > 0 ? ", " : "", item);
}

static void
put_more(struct buffer *names, size_t count)
{
	if (count > NAMED_ITEMS)
		buffer_printf(names, " and %zu more", count - NAMED_ITEMS);
}

/* "BM_a (old)": the item and who has it. The caller frees. */
static char *
with_owners(const struct plan *plan, const json_t *entry)
{
	struct buffer text = BUFFER_EMPTY;
	const json_t *number;
	size_t i;

	buffer_printf(&text, "%s (", json_get_text(entry, "item"));
	json_array_foreach(json_object_get(entry, "treatments"), i, number)
		buffer_printf(&text, "%s%s", i > 0 ? ", " : "",
			      plan->treatments[json_integer_value(number)].name);
	buffer_putc(&text, ')');
	return buffer_detach(&text);
}

/* Items that some treatments have and others have not, and did not fail there. */
void
item_warnings_one_sided(const struct plan *plan, const json_t *document, json_t *warnings)
{
	size_t all = 0, i, count = 0;
	struct buffer names = BUFFER_EMPTY;
	const json_t *one;

	for (i = 0; i < plan->treatment_count; i++)
		all += plan->treatments[i].skipped == NULL;
	json_array_foreach(json_object_get(document, "items"), i, one) {
		const json_t *treatments = json_object_get(one, "treatments");
		char *text;

		if (json_array_size(treatments) == all || json_array_size(treatments) == 0 ||
		    json_array_size(json_object_get(one, "failed")) > 0)
			continue;
		text = with_owners(plan, one);
		put_name(&names, count++, text);
		free(text);
	}
	put_more(&names, count);
	if (count > 0)
		warning_add(warnings, "one_sided_items", 0.45, (double)count,
			    "nothing is said about them; where they were renamed, give both the same name",
			    "%zu item%s not in each variant and cannot be compared: %s", count,
			    count == 1 ? " is" : "s are", buffer_text(&names));
	buffer_free(&names);
}

void
item_warnings_failed(const json_t *document, json_t *warnings)
{
	struct buffer names = BUFFER_EMPTY;
	const json_t *one, *first = NULL;
	size_t i, count = 0;

	json_array_foreach(json_object_get(document, "items"), i, one) {
		const json_t *failed = json_array_get(json_object_get(one, "failed"), 0);

		if (failed == NULL)
			continue;
		first = first != NULL ? first : failed;
		put_name(&names, count++, json_get_text(one, "item"));
	}
	put_more(&names, count);
	if (count > 0)
		warning_add(warnings, "failed_items", 0.85, (double)count,
			    "their other runs are compared where most went well; mend what they report",
			    "%zu item%s failed: %s; the first in %s: %s", count, count == 1 ? "" : "s",
			    buffer_text(&names), json_get_text(first, "name"), json_get_text(first, "reason"));
	buffer_free(&names);
}

static json_t *
find_code(const json_t *all, const char *code, size_t *place)
{
	json_t *one;
	size_t i;

	json_array_foreach(all, i, one)
		if (strcmp(json_get_text(one, "code"), code) == 0) {
			*place = i;
			return one;
		}
	return NULL;
}

void
item_warnings_fold(json_t *all, json_t *of_item, const char *item)
{
	json_t *one, *other;
	long long others;
	size_t i, k = 0;

	json_array_foreach(of_item, i, one) {
		char *text = memory_format("in %s: %s", item, json_get_text(one, "text"));

		json_object_set_new(one, "text", json_string(text));
		json_object_set_new(one, "others", json_integer(0));
		json_object_set_new(one, "last", json_string(item));
		free(text);
		other = find_code(all, json_get_text(one, "code"), &k);
		if (other == NULL) {
			json_array_append(all, one);
			continue;
		}
		others = json_get_integer(other, "others", 0) +
			 (strcmp(json_get_text(other, "last"), item) != 0);
		if (json_get_number(one, "severity") > json_get_number(other, "severity")) {
			json_array_set(all, k, one);
			other = one;
		}
		json_object_set_new(other, "others", json_integer(others));
		json_object_set_new(other, "last", json_string(item));
	}
}

void
item_warnings_folded(json_t *folded)
{
	json_t *one;
	size_t i;

	json_array_foreach(folded, i, one) {
		long long others = json_get_integer(one, "others", 0);
		char *text = memory_format("%s (and the like in %lld other item%s)",
					   json_get_text(one, "text"), others, others == 1 ? "" : "s");

		if (others > 0)
			json_object_set_new(one, "text", json_string(text));
		json_object_del(one, "others");
		json_object_del(one, "last");
		free(text);
	}
}

#include "analysis/judge/case_items.h"

#include <string.h>

#include "base/json.h"
#include "base/memory.h"

static bool
counts(const struct plan *plan, const struct observation *one)
{
	return one->used && one->phase == OBSERVED_AB && one->item[0] != '\0' &&
	       (size_t)one->treatment < plan->treatment_count;
}

static json_t *
entry_of(json_t *items, json_t *numbers, const char *item)
{
	const json_t *number = json_object_get(numbers, item);

	if (number != NULL)
		return json_array_get(items, (size_t)json_integer_value(number));
	json_object_set_new(numbers, item, json_integer((json_int_t)json_array_size(items)));
	json_array_append_new(items, json_pack("{s:s, s:[], s:[]}", "item", item, "treatments", "failed"));
	return json_array_get(items, json_array_size(items) - 1);
}

static void
note_failure(json_t *failed, const struct plan *plan, const struct observation *one)
{
	json_t *entry;
	size_t i;

	json_array_foreach(failed, i, entry)
		if (json_get_integer(entry, "treatment", -1) == one->treatment) {
			json_object_set_new(entry, "groups",
					    json_integer(json_get_integer(entry, "groups", 0) + 1));
			return;
		}
	json_array_append_new(failed, json_pack("{s:i, s:s, s:i, s:s}", "treatment", one->treatment, "name",
						plan->treatments[one->treatment].name, "groups", 1, "reason",
						one->reason));
}

static bool
has(const json_t *treatments, int treatment)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)treatments, i, one)
		if (json_integer_value(one) == treatment)
			return true;
	return false;
}

/* One that is not ok is an item's failure only in a group that is: its first observation. */
json_t *
case_items(const struct plan *plan, const struct observations *all)
{
	json_t *items = json_array(), *numbers = json_object(), *entry, *treatments;
	bool group_ok = false;
	size_t i;

	for (i = 0; i < all->count; i++) {
		const struct observation *one = &all->items[i];

		if (observation_starts_group(all, i))
			group_ok = one->ok;
		if (!group_ok || !counts(plan, one))
			continue;
		entry = entry_of(items, numbers, one->item);
		treatments = json_object_get(entry, "treatments");
		if (!one->ok)
			note_failure(json_object_get(entry, "failed"), plan, one);
		else if (!has(treatments, one->treatment))
			json_array_append_new(treatments, json_integer(one->treatment));
	}
	json_decref(numbers);
	return items;
}

const json_t *
case_items_find(const json_t *items, const char *item)
{
	const json_t *entry;
	size_t i;

	json_array_foreach((json_t *)items, i, entry)
		if (strcmp(json_get_text(entry, "item"), item) == 0)
			return entry;
	return NULL;
}

static const char *
failure_in(const json_t *entry, size_t treatment)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(entry, "failed"), i, one)
		if (json_get_integer(one, "treatment", -1) == (long long)treatment)
			return json_get_text(one, "reason");
	return NULL;
}

char *
case_items_absent(const struct plan *plan, const json_t *items, const char *item,
		  const struct comparison *which)
{
	const json_t *entry = case_items_find(items, item);
	const json_t *treatments = json_object_get(entry, "treatments");
	bool in_a = has(treatments, (int)which->a), in_b = has(treatments, (int)which->b);
	size_t lacking = in_a ? which->b : which->a, having = in_a ? which->a : which->b;
	const char *failure = failure_in(entry, lacking);

	if (entry == NULL || (in_a && in_b))
		return NULL;
	if (failure != NULL)
		return memory_format("it failed in %s: %s", plan->treatments[lacking].name, failure);
	if (!in_a && !in_b)
		return memory_copy_text("neither has it");
	return memory_format("only %s has it", plan->treatments[having].name);
}

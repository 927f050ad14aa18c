#include "figures/item_cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"

static const json_t *
items_of(const json_t *document)
{
	return json_object_get(json_array_get(json_object_get(document, "metrics"), 0), "items");
}

/* `item` NULL: the case without any. */
static json_t *
narrow(const json_t *document, const json_t *item)
{
	json_t *copy = json_copy((json_t *)document);
	json_t *metric = json_copy(json_array_get(json_object_get(document, "metrics"), 0));
	const char *name = json_get_text(item, "item"), *point = json_get_text(document, "point_text");
	char *text = memory_format("%s%s%s", point, point[0] != '\0' && name[0] != '\0' ? ", " : "", name);
	json_t *items = json_array();

	if (item != NULL)
		json_array_append(items, (json_t *)item);
	json_object_set_new(metric, "items", items);
	json_object_set_new(copy, "metrics", json_pack("[o]", metric));
	json_object_set_new(copy, "point_text", json_string(text));
	json_object_set_new(copy, "of_item", json_string(name));
	free(text);
	return copy;
}

json_t *
item_cases(const struct figure_input *input)
{
	const char *wanted = json_string_value(figure_option(input, "item"));
	json_t *cases = figure_cases(input), *list = json_array(), *document, *item;
	size_t c, i;

	json_array_foreach(cases, c, document)
		json_array_foreach(items_of(document), i, item)
			if (wanted == NULL || strcmp(json_get_text(item, "item"), wanted) == 0)
				json_array_append_new(list, narrow(document, item));
	json_decref(cases);
	return list;
}

json_t *
item_names(const json_t *cases)
{
	json_t *names = json_array(), *seen = json_object(), *document, *item;
	size_t c, i;

	json_array_foreach((json_t *)cases, c, document)
		json_array_foreach(items_of(document), i, item) {
			const char *name = json_get_text(item, "item");

			if (json_object_get(seen, name) == NULL)
				json_array_append_new(names, json_string(name));
			json_object_set_new(seen, name, json_true());
		}
	json_decref(seen);
	return names;
}

json_t *
item_cases_of(const json_t *cases, const char *name)
{
	json_t *list = json_array(), *document, *item;
	size_t c, i;

	json_array_foreach((json_t *)cases, c, document) {
		const json_t *found = NULL;

		json_array_foreach(items_of(document), i, item)
			if (strcmp(json_get_text(item, "item"), name) == 0)
				found = item;
		json_array_append_new(list, narrow(document, found));
	}
	return list;
}

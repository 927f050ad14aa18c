#include "cli/case_spread.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/crossover.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

static double
spread(const json_t *points)
{
	size_t i, n = json_array_size(points);
	double *d = memory_zeroed(n, sizeof *d), sd;
	enum pair_order *orders = memory_zeroed(n, sizeof *orders);

	for (i = 0; i < n; i++) {
		const json_t *point = json_array_get(points, i);

		d[i] = json_get_number(point, "d");
		orders[i] = strcmp(json_get_text(point, "order"), "AB") == 0 ? PAIR_AB : PAIR_BA;
	}
	crossover_spread(d, orders, n, &sd);
	free(d);
	free(orders);
	return sd;
}

static void
take(const json_t *item, const json_t *comparison, struct case_spread *out)
{
	const char *item_name = json_get_text(item, "item");

	out->name = memory_format("%s against %s%s%s", json_get_text(comparison, "b_name"),
				  json_get_text(comparison, "a_name"), *item_name != '\0' ? " in " : "",
				  item_name);
	out->pairs = json_array_size(json_object_get(comparison, "points"));
	out->sd = spread(json_object_get(comparison, "points"));
}

int
case_spread_read(const char *case_id, struct case_spread **list, size_t *count,
		 struct error *error)
{
	char *path = memory_format("build/stats/%s.json", case_id);
	const json_t *items, *item, *comparison;
	size_t i, c, capacity = 0;
	json_t *stats = NULL;

	*list = NULL;
	*count = 0;
	if (!file_exists(path))
		error_set(error, EXIT_BAD_INPUT, "nothing is known of the spread of '%s': %s is not there; "
			  "'ninja report' measures and analyses, or give a spread with --cv", case_id,
			  path);
	else
		stats = json_read_file(path, error);
	free(path);
	if (stats == NULL)
		return -1;
	items = json_object_get(json_array_get(json_object_get(stats, "metrics"), 0), "items");
	json_array_foreach((json_t *)items, i, item)
		json_array_foreach(json_object_get(item, "comparisons"), c, comparison) {
			*list = memory_grow(*list, *count, &capacity, sizeof **list);
			take(item, comparison, &(*list)[(*count)++]);
		}
	json_decref(stats);
	return 0;
}

void
case_spread_free(struct case_spread *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free(list[i].name);
	free(list);
}

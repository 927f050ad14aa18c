#include "analysis/judge/multiple.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/judge/comparison.h"
#include "analysis/multiplicity.h"
#include "base/json.h"
#include "base/memory.h"

struct family {
	json_t **comparisons; /* borrowed; those that have a p */
	const char **items;
	double *p;
	size_t count;
};

static size_t
comparison_count(const json_t *items)
{
	const json_t *item;
	size_t i, count = 0;

	json_array_foreach((json_t *)items, i, item)
		count += json_array_size(json_object_get(item, "comparisons"));
	return count;
}

static void
family_begin(struct family *family, const json_t *items)
{
	size_t i, c, room = comparison_count(items);
	json_t *item, *comparison;

	family->comparisons = memory_zeroed(room, sizeof *family->comparisons);
	family->items = memory_zeroed(room, sizeof *family->items);
	family->p = memory_zeroed(room, sizeof *family->p);
	family->count = 0;
	json_array_foreach((json_t *)items, i, item)
		json_array_foreach(json_object_get(item, "comparisons"), c, comparison) {
			double p = json_get_number(comparison, "p");

			if (!isfinite(p))
				continue;
			family->comparisons[family->count] = comparison;
			family->items[family->count] = json_get_text(item, "item");
			family->p[family->count++] = p;
		}
}

static void
family_end(struct family *family)
{
	free(family->comparisons);
	free(family->items);
	free(family->p);
}

static void
withdraw(const struct family *family, size_t index, const json_t *metric, const char *point_text,
	 const char *correction, double p)
{
	char *reason = memory_format("over %zu comparisons the adjusted p is %.2g (%s)", family->count, p,
				     correction);

	comparison_withdraw(family->comparisons[index], json_get_text(metric, "name"),
			    family->items[index], point_text, reason);
	free(reason);
}

void
multiple_adjust(json_t *metric, const char *point_text)
{
	const json_t *items = json_object_get(metric, "items");
	bool several_items = json_array_size(items) > 1;
	const char *correction = several_items ? "Benjamini-Hochberg" : "Holm";
	struct family family;
	double *adjusted;
	size_t i;

	family_begin(&family, items);
	adjusted = memory_zeroed(family.count, sizeof *adjusted);
	if (family.count > 1 &&
	    (several_items ? multiplicity_benjamini_hochberg(family.p, family.count, adjusted)
			   : multiplicity_holm(family.p, family.count, adjusted)) == STAT_OK)
		for (i = 0; i < family.count; i++) {
			json_object_set_new(family.comparisons[i], "p_adjusted",
					    json_number_or_null(adjusted[i]));
			json_object_set_new(family.comparisons[i], "correction", json_string(correction));
			if (adjusted[i] > 1 - json_get_number(family.comparisons[i], "confidence") && comparison_shows_difference(family.comparisons[i]))
				withdraw(&family, i, metric, point_text, correction, adjusted[i]);
		}
	free(adjusted);
	family_end(&family);
}

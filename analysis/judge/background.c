#include "analysis/judge/background.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/comparison.h"
#include "base/json.h"
#include "base/memory.h"

/* Of a treatment's groups: fewer may be an accident, and hardly touch a median. */
#define SHARE_TOO_LARGE 0.1

double
background_share(const struct observations *all, size_t treatment)
{
	const struct observed *groups = observations_of(all, NULL);
	const struct collapse how = {COLLAPSE_MEDIAN, 0};
	int column = csv_table_column(&all->table, "leftovers");
	size_t i, count = 0, leaving = 0;
	double left;

	for (i = 0; i < groups->count; i++) {
		const struct observation *one = &all->items[groups->at[i]];

		if (!one->used || one->phase != OBSERVED_AB || (size_t)one->treatment != treatment ||
		    observation_value(all, groups->at[i], column, how, &left, NULL) != STAT_OK)
			continue;
		count++;
		leaving += left > 0;
	}
	return count > 0 ? (double)leaving / (double)count : NAN;
}

static void
withdraw(const struct case_input *input, json_t *comparison, const char *metric, size_t treatment,
	 double share)
{
	char *reason;

	if (!(share >= SHARE_TOO_LARGE) || !comparison_shows_difference(comparison))
		return;
	reason = memory_format("%s leaves processes behind in %.0f %% of its runs, and what they do is not in "
			       "its time: let it wait for them",
			       input->plan->treatments[treatment].name, 100 * share);
	comparison_withdraw(comparison, metric, "", input->point_text, reason);
	free(reason);
}

static void
withdraw_search(const struct case_input *input, json_t *confirmed, const char *metric)
{
	static const char *const sides[] = {"a", "b"};
	size_t i;

	for (i = 0; i < 2; i++) {
		size_t treatment = (size_t)json_get_integer(confirmed, sides[i], 0);

		withdraw(input, confirmed, metric, treatment,
			 background_share(input->observations, treatment));
	}
}

void
background_judge(const struct case_input *input, json_t *document)
{
	const json_t *metric, *search;
	json_t *comparison;
	size_t m, c;

	json_array_foreach(json_object_get(document, "metrics"), m, metric) {
		const char *name = json_get_text(metric, "name");
		const json_t *item = json_array_get(json_object_get(metric, "items"), 0);

		if (strncmp(name, "process_", 8) != 0)
			continue;
		json_array_foreach(json_object_get(item, "comparisons"), c, comparison) {
			const struct comparison *which = &input->plan->comparisons[c];

			withdraw(input, comparison, name, which->a,
				 background_share(input->observations, which->a));
			withdraw(input, comparison, name, which->b,
				 background_share(input->observations, which->b));
		}
		search = json_object_get(item, "search");
		comparison = json_object_get(search, "confirmed");
		if (json_is_object(comparison))
			withdraw_search(input, comparison, name);
	}
}

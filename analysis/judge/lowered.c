#include "analysis/judge/lowered.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/memory.h"

/* What the first group that ran well says in CFG. */
struct told {
	double len, iters; /* NaN: nothing */
};

static struct told
listen(const struct observations *all, size_t treatment)
{
	struct told told = {NAN, NAN};
	size_t i;

	for (i = 0; i < all->count && !isfinite(told.len); i++) {
		const struct observation *one = &all->items[i];

		if (!one->ok || one->treatment != (int)treatment)
			continue;
		told.len = observations_number(all, one->first_row, csv_table_column(&all->table, "cfg_len"));
		told.iters = observations_number(all, one->first_row, csv_table_column(&all->table, "cfg_iters"));
	}
	return told;
}

static bool
is_less(double told, long long asked)
{
	return asked >= 0 && told < (double)asked;
}

/* NULL when it did all that was asked for. */
static char *
how_lowered(const struct plan_treatment *treatment, const struct told *told)
{
	if (!treatment->lowers_scale ||
	    (!is_less(told->len, treatment->expect_len) && !is_less(told->iters, treatment->expect_iters)))
		return NULL;
	return memory_format("CFG says %.17g x %.17g, asked for was %lld x %lld", told->len, told->iters,
			     treatment->expect_len, treatment->expect_iters);
}

json_t *
lowered_document(const struct plan *plan, const struct observations *all)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < plan->treatment_count; i++) {
		struct told told = listen(all, i);
		char *reason = how_lowered(&plan->treatments[i], &told);

		if (reason != NULL)
			json_array_append_new(list, json_pack("{s:i, s:s, s:s}", "treatment", (int)i, "name",
							      plan->treatments[i].name, "reason", reason));
		free(reason);
	}
	return list;
}

static bool
is_time(const char *metric)
{
	size_t length = strlen(metric);

	return length > 3 && strcmp(metric + length - 3, "_us") == 0;
}

char *
lowered_apart(const struct plan *plan, const struct observations *all,
	      const struct comparison *which, const char *metric)
{
	const struct plan_treatment *a = &plan->treatments[which->a], *b = &plan->treatments[which->b];
	struct told of_a, of_b;
	char *how, *reason;
	bool b_lowers;

	if (!is_time(metric) || (!a->lowers_scale && !b->lowers_scale))
		return NULL;
	of_a = listen(all, which->a);
	of_b = listen(all, which->b);
	how = how_lowered(b, &of_b);
	b_lowers = how != NULL;
	if (!b_lowers)
		how = how_lowered(a, &of_a);
	if (how == NULL || of_a.len * of_a.iters == of_b.len * of_b.iters) {
		free(how);
		return NULL;
	}
	reason = memory_format("%s did less work in a sample (%s); per = \"flop\" compares them",
			       b_lowers ? b->name : a->name, how);
	free(how);
	return reason;
}

#include "analysis/judge/group_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/collapse.h"
#include "analysis/judge/lowered.h"
#include "analysis/judge/warning.h"
#include "base/buffer.h"
#include "base/json.h"
#include "base/memory.h"

struct group_document_options
group_document_declared(const struct plan *plan)
{
	const struct group_report *declared = &plan->group_report;
	struct group_document_options options = {
		.metric = declared->metric != NULL ? declared->metric : plan->primary,
		.table = {.trim_factor = declared->trim, .include_first = declared->counts_first,
			  .tolerance = declared->tolerance},
	};

	group_statistic_find(declared->statistic, &options.table.by);
	return options;
}

/* ---- ratios ---- */

static const json_t *
table_of(const json_t *tables, size_t treatment, const char *item)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)tables, i, one)
		if (json_get_integer(one, "treatment", -1) == (long long)treatment &&
		    strcmp(json_get_text(one, "item"), item) == 0)
			return one;
	return NULL;
}

static bool
lower_is_better(const struct plan *plan, const char *metric)
{
	size_t i;

	for (i = 0; i < plan->metrics.count; i++)
		if (strcmp(plan->metrics.items[i].name, metric) == 0)
			return strcmp(plan->metrics.items[i].value, "higher") != 0;
	return strcmp(metric, "flops") != 0;
}

static void
add_ratio(const struct plan *plan, const struct observations *all, const struct comparison *which,
	  const char *item, const struct group_document_options *options, const json_t *tables,
	  json_t *ratios)
{
	char *apart = lowered_apart(plan, all, which, options->metric);
	const char *by = group_statistic_name(options->table.by);
	const json_t *a = table_of(tables, which->a, item), *b = table_of(tables, which->b, item);
	double of_a = json_get_number(json_object_get(a, "overall"), by);
	double of_b = json_get_number(json_object_get(b, "overall"), by);
	double ratio = lower_is_better(plan, options->metric) ? of_a / of_b : of_b / of_a;

	if (apart == NULL && a != NULL && b != NULL)
		json_array_append_new(ratios, json_pack("{s:s, s:s, s:s, s:o}", "a_name",
							json_get_text(a, "name"), "b_name",
							json_get_text(b, "name"), "item", item, "speedup",
							json_number_or_null(ratio)));
	free(apart);
}

static json_t *
ratios_document(const struct plan *plan, const struct observations *all,
		const struct group_document_options *options, const json_t *tables)
{
	json_t *ratios = json_array();
	size_t i, c;

	for (i = 0; i < all->name_count; i++)
		for (c = 0; c < plan->comparison_count; c++)
			add_ratio(plan, all, &plan->comparisons[c], all->names[i], options, tables, ratios);
	return ratios;
}

/* Why the blocks are too few for any verdict; "" where there is one, or nobody asked. */
static const char *
no_verdict(const struct group_document_options *options)
{
	const json_t *comparison, *first = json_array_get(options->comparisons, 0);
	size_t i;

	json_array_foreach((json_t *)options->comparisons, i, comparison)
		if (isfinite(json_get_number(comparison, "speedup_lo")) ||
		    strcmp(json_get_text(comparison, "verdict"), "inconclusive") != 0)
			return "";
	return json_get_text(first, "reason");
}

/* ---- the document ---- */

static bool
is_in_us(const char *metric)
{
	size_t length = strlen(metric);

	return length > 3 && strcmp(metric + length - 3, "_us") == 0;
}

static int
count_blocks(const struct observations *all)
{
	int blocks = 0;
	size_t i;

	for (i = 0; i < all->count; i++)
		blocks += all->items[i].used && all->items[i].phase == OBSERVED_AB &&
			  all->items[i].slot == 1 && observation_starts_group(all, i);
	return blocks;
}

json_t *
group_document(const struct plan *plan, const struct observations *all,
	       const struct group_document_options *options)
{
	struct group_table_options table = options->table;
	json_t *tables, *document;

	table.column = csv_table_column(&all->table, options->metric);
	table.microseconds = is_in_us(options->metric);
	tables = group_table(plan, all, &table);
	document = json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:b, s:i, s:s}", "format", "assay-groups-1",
			     "case_id", plan->case_id, "point_text",
			     options->point_text != NULL ? options->point_text : "", "metric",
			     options->metric, "by", group_statistic_name(table.by), "trim_factor",
			     table.trim_factor, "tolerance", table.tolerance, "include_first",
			     table.include_first, "blocks", count_blocks(all), "no_verdict",
			     no_verdict(options));
	json_object_set_new(document, "ratios", ratios_document(plan, all, options, tables));
	json_object_set_new(document, "treatments", tables);
	return document;
}

/* ---- warnings ---- */

static void
put_name(struct buffer *names, const json_t *table)
{
	buffer_printf(names, "%s%s", names->length > 0 ? "; " : "", json_get_text(table, "name"));
	if (json_get_text(table, "item")[0] != '\0')
		buffer_printf(names, " in %s", json_get_text(table, "item"));
}

/* "; fused: group 3, 4", and the largest deviation so far. */
static void
put_flagged(struct buffer *names, const json_t *table, double *largest)
{
	const json_t *group;
	const char *before = ": group ";
	size_t i;

	put_name(names, table);
	json_array_foreach(json_object_get(table, "groups"), i, group) {
		if (!json_is_true(json_object_get(group, "flagged")))
			continue;
		buffer_printf(names, "%s%lld", before, json_get_integer(group, "group", 0));
		before = ", ";
		*largest = fmax(*largest, fmax(fabs(json_get_number(group, "vs_overall")),
					       fabs(json_get_number(group, "vs_before"))));
	}
}

static void
warn_groups(const json_t *document, json_t *warnings)
{
	struct buffer names = BUFFER_EMPTY;
	const json_t *table;
	double largest = 0;
	size_t i;

	json_array_foreach(json_object_get(document, "treatments"), i, table)
		if (strcmp(json_get_text(table, "check"), "FAIL") == 0)
			put_flagged(&names, table, &largest);
	if (names.length > 0)
		warning_add(warnings, "groups_disagree", 0.4 + largest, largest,
			    "look at the group report: where CPU/wall is below 1 something else ran on this CPU; "
			    "else the process's memory layout or the frequency changed",
			    "groups differ by more than %.3g %% from all or from the one before (up to %.2g %%): %s",
			    100 * json_get_number(document, "tolerance"), 100 * largest, buffer_text(&names));
	buffer_free(&names);
}

static void
warn_work(const json_t *document, json_t *warnings)
{
	struct buffer names = BUFFER_EMPTY;
	const json_t *table;
	size_t i, count = 0;

	json_array_foreach(json_object_get(document, "treatments"), i, table) {
		const json_t *work = json_object_get(table, "work");

		if (strcmp(json_get_text(work, "check"), "FAIL") != 0)
			continue;
		put_name(&names, table);
		buffer_printf(&names, ": %s", json_get_text(work, "reason"));
		count++;
	}
	if (count > 0)
		warning_add(warnings, "work_disagrees", 0.9, (double)count,
			    "mend what the program prints in CFG or RESULT, or the flops that the variant declares; until then rates and "
			    "times per flop tell nothing",
			    "the work that %zu variant%s tell%s is not what was asked for: %s", count,
			    count == 1 ? "" : "s", count == 1 ? "s" : "", buffer_text(&names));
	buffer_free(&names);
}

void
group_document_warnings(const json_t *document, json_t *warnings)
{
	warn_groups(document, warnings);
	warn_work(document, warnings);
}

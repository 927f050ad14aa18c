#include "cli/explore.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/group_document.h"
#include "analysis/judge/study.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/number.h"
#include "cli/stored_case.h"
#include "report/group_text.h"

#define NOTICE "(stored data; nothing was measured or written, and this counts as no look)"

/* ---- the metric ---- */

static bool
is_number(const char *cell)
{
	char *end;

	strtod(cell, &end);
	return end != cell && *end == '\0';
}

static bool
has_numbers(const struct csv_table *table, size_t column)
{
	size_t r;

	for (r = 0; r < table->count; r++)
		if (is_number(table->rows[r][column]))
			return true;
	return false;
}

/* The metrics are the columns after `used`. */
static int
fail_metric(const struct csv_table *table, const char *name, struct error *error)
{
	struct buffer known = BUFFER_EMPTY;
	size_t c, first = (size_t)csv_table_column(table, "used") + 1;
	int result;

	for (c = first; c < table->columns; c++)
		if (has_numbers(table, c))
			buffer_printf(&known, "%s%s", known.length > 0 ? ", " : "", table->names[c]);
	result = error_set(error, EXIT_BAD_INPUT, "no metric '%s' among the case's samples; there are: %s",
			   name, buffer_text(&known));
	buffer_free(&known);
	return result;
}

static const char *
declared_direction(const struct plan *plan, const char *name)
{
	size_t i;

	for (i = 0; i < plan->metrics.count; i++)
		if (strcmp(plan->metrics.items[i].name, name) == 0)
			return plan->metrics.items[i].value;
	return "lower";
}

/* The case's only metric becomes `name`. */
static int
choose_metric(struct stored_case *one, const char *name, struct error *error)
{
	const struct csv_table *table = &one->observations.table;
	struct plan *plan = &one->plan;
	int column = csv_table_column(table, name);
	struct setting chosen;
	size_t i;

	if (column <= csv_table_column(table, "used") || !has_numbers(table, (size_t)column))
		return fail_metric(table, name, error);
	chosen.name = memory_copy_text(name);
	chosen.value = memory_copy_text(declared_direction(plan, name));
	for (i = 0; i < plan->metrics.count; i++) {
		free(plan->metrics.items[i].name);
		free(plan->metrics.items[i].value);
	}
	plan->metrics.items = memory_resize(plan->metrics.items, 1, sizeof chosen);
	plan->metrics.items[0] = chosen;
	plan->metrics.count = 1;
	free(plan->primary);
	plan->primary = memory_copy_text(name);
	return 0;
}

/* ---- the comparison ---- */

/* " name value" pairs of an object's numbers. */
static void
print_members(const json_t *object, const char *const *keys, int digits)
{
	char text[NUMBER_TEXT];

	for (; *keys != NULL; keys++)
		printf(", %s %s", *keys, number_text(json_get_number(object, *keys), digits, text));
}

static void
print_treatment(const json_t *treatment)
{
	static const char *const keys[] = {"min", "max", "mad", "mean", "sd", "geomean", NULL};
	char median[NUMBER_TEXT], lo[NUMBER_TEXT], hi[NUMBER_TEXT];

	printf("  %s: %lld groups, %lld samples; median %s [%s, %s]", json_get_text(treatment, "name"),
	       json_get_integer(treatment, "groups", 0), json_get_integer(treatment, "samples", 0),
	       number_text(json_get_number(treatment, "median"), 6, median),
	       number_text(json_get_number(treatment, "median_lo"), 6, lo),
	       number_text(json_get_number(treatment, "median_hi"), 6, hi));
	print_members(treatment, keys, 6);
	putchar('\n');
}

static void
print_comparison(const json_t *comparison)
{
	char p[NUMBER_TEXT], level[NUMBER_TEXT], slot[NUMBER_TEXT], paired[NUMBER_TEXT],
		ratio[NUMBER_TEXT];

	printf("  %s against %s: p = %s, exact level of the interval %s %%, slot effect %s %%, median of "
	       "the paired speedups %s, ratio of the medians %s\n",
	       json_get_text(comparison, "b_name"), json_get_text(comparison, "a_name"),
	       number_text(json_get_number(comparison, "p"), 2, p),
	       number_text(100 * json_get_number(comparison, "level"), 4, level),
	       number_text(100 * expm1(json_get_number(comparison, "slot_effect")), 2, slot),
	       number_text(json_get_number(comparison, "median_paired_speedup"), 6, paired),
	       number_text(json_get_number(comparison, "ratio_of_medians"), 6, ratio));
}

static void
print_numbers(const json_t *document)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0), *item, *one;
	size_t i, k;

	json_array_foreach(json_object_get(metric, "items"), i, item) {
		printf("%s%s%s, a group is its %s:\n", json_get_text(metric, "name"),
		       *json_get_text(item, "item") != '\0' ? " of " : "", json_get_text(item, "item"),
		       json_get_text(document, "collapse"));
		json_array_foreach(json_object_get(item, "treatments"), k, one)
			print_treatment(one);
		json_array_foreach(json_object_get(item, "comparisons"), k, one)
			print_comparison(one);
	}
}

static void
print_warnings(const json_t *document)
{
	const json_t *warning;
	size_t i;

	json_array_foreach(json_object_get(document, "warnings"), i, warning)
		printf("warning %zu: %s (%s)\n", i + 1, json_get_text(warning, "text"),
		       json_get_text(warning, "advice"));
}

static void
print_json(const json_t *document)
{
	json_dumpf(document, stdout, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
	putchar('\n');
}

/* Leaves the chosen treatments in the document. */
static void
drop_others(const json_t *document, const bool *only)
{
	const json_t *metric, *item;
	json_t *treatments;
	size_t m, i, t;

	json_array_foreach(json_object_get(document, "metrics"), m, metric)
		json_array_foreach(json_object_get(metric, "items"), i, item) {
			treatments = json_object_get(item, "treatments");
			for (t = json_array_size(treatments); only != NULL && t-- > 0;)
				if (!only[t])
					json_array_remove(treatments, t);
		}
}

static int
show_comparison(const struct exploration *how, struct stored_case *one, const bool *only)
{
	struct case_options options = case_options_declared(&one->plan);
	json_t *document;

	if (only != NULL)
		selection_compare(&one->plan, only);
	if (how->kind_given)
		options.collapse.kind = how->kind;
	if (how->trim_factor > 0)
		options.collapse.trim_factor = how->trim_factor;
	options.confidence = how->confidence;
	document = stored_case_analyse(one, &options);
	drop_others(document, only);
	if (how->json) {
		print_json(document);
	} else {
		study_print_case(document, stdout);
		print_numbers(document);
		print_warnings(document);
		puts(NOTICE);
	}
	json_decref(document);
	return 0;
}

/* ---- the group report ---- */

static enum group_statistic
statistic_of(const struct exploration *how, const struct plan *plan)
{
	enum collapse_kind kind = how->kind_given ? how->kind : collapse_declared(&plan->design).kind;

	if (kind == COLLAPSE_MEDIAN)
		return GROUP_MEDIAN;
	return kind == COLLAPSE_GEOMEAN ? GROUP_GEOMEAN : GROUP_MEAN;
}

/* As the experiment declares it, else by the statistic of its design; what was asked for goes first. */
static struct group_document_options
group_options(const struct exploration *how, const struct stored_case *one, const bool *only)
{
	const struct plan *plan = &one->plan;
	struct group_document_options options = {
		.table = {.trim_factor = COLLAPSE_TRIM_FACTOR, .by = statistic_of(how, plan),
			  .tolerance = 0.05},
	};

	if (plan->group_report.wanted)
		options = group_document_declared(plan);
	if (how->kind_given)
		options.table.by = statistic_of(how, plan);
	if (how->trim_factor > 0 || how->no_trim)
		options.table.trim_factor = how->trim_factor;
	if (how->tolerance >= 0)
		options.table.tolerance = how->tolerance;
	options.table.include_first |= how->include_first;
	options.table.only = only;
	if (how->metric != NULL || options.metric == NULL)
		options.metric = plan->primary;
	options.point_text = one->point_text;
	return options;
}

static int
show_groups(const struct exploration *how, const struct stored_case *one, const bool *only)
{
	struct group_document_options options = group_options(how, one, only);
	json_t *document = group_document(&one->plan, &one->observations, &options);
	int result = group_text_fails(document) ? 1 : 0;
	struct buffer text = BUFFER_EMPTY;

	if (how->json) {
		print_json(document);
	} else {
		group_text_put(document, &text);
		fputs(buffer_text(&text), stdout);
		puts(NOTICE);
	}
	buffer_free(&text);
	json_decref(document);
	return result;
}

static int
explore_case(const struct exploration *how, const char *case_id, struct error *error)
{
	struct stored_case one;
	bool *only = NULL;
	int result = stored_case_read(case_id, NULL, &one, error);

	if (result == 0)
		result = selection_variants(how->selection, &one.plan, &only, error);
	if (result == 0 && how->metric != NULL)
		result = choose_metric(&one, how->metric, error);
	if (result == 0)
		result = how->groups ? show_groups(how, &one, only) : show_comparison(how, &one, only);
	stored_case_free(&one);
	free(only);
	return result;
}

int
explore(const struct exploration *how, struct error *error)
{
	json_t *cases = selection_cases(how->selection, how->name, error);
	int result = cases != NULL ? 0 : -1, one;
	const json_t *entry;
	size_t i;

	json_array_foreach(cases, i, entry) {
		one = result >= 0 ? explore_case(how, json_string_value(entry), error) : result;
		result = one != 0 ? one : result;
	}
	json_decref(cases);
	return result;
}

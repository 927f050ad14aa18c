#include "cli/explore.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/group_table.h"
#include "analysis/judge/study.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/number.h"
#include "cli/stored_case.h"

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

static int
show_comparison(const struct exploration *how, const struct stored_case *one)
{
	struct case_options options = case_options_declared(&one->plan);
	json_t *document;

	if (how->kind_given)
		options.collapse.kind = how->kind;
	if (how->trim_factor > 0)
		options.collapse.trim_factor = how->trim_factor;
	options.confidence = how->confidence;
	document = stored_case_analyse(one, &options);
	if (how->json) {
		json_print(document, stdout);
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

static void
print_relative(const json_t *group, const char *key)
{
	double value = json_get_number(group, key);

	if (isfinite(value))
		printf(" %+8.2f %%", 100 * value);
	else
		printf(" %10s", "-");
}

static void
print_column(const json_t *group, const char *key, int digits)
{
	char text[NUMBER_TEXT];

	printf(" %11s", number_text(json_get_number(group, key), digits, text));
}

static void
print_table(const json_t *table, const char *metric, const struct group_table_options *options)
{
	static const char *const overall_keys[] = {"mean", "median", "geomean", "sd", "max_deviation",
						   NULL};
	const json_t *overall = json_object_get(table, "overall"), *group;
	const char *check = json_get_text(table, "check");
	size_t i;

	printf("%s%s%s, %s:\n  group   n kept        mean      median     geomean          sd    vs "
	       "overall  vs before\n",
	       json_get_text(table, "name"), *json_get_text(table, "item") != '\0' ? ", " : "",
	       json_get_text(table, "item"), metric);
	json_array_foreach(json_object_get(table, "groups"), i, group) {
		printf("  %5lld %3lld %4lld", json_get_integer(group, "group", 0),
		       json_get_integer(group, "n", 0), json_get_integer(group, "kept", 0));
		print_column(group, "mean", 6);
		print_column(group, "median", 6);
		print_column(group, "geomean", 6);
		print_column(group, "sd", 3);
		print_relative(group, "vs_overall");
		print_relative(group, "vs_before");
		puts(json_is_true(json_object_get(group, "flagged")) ? "  <--" : "");
	}
	printf("  overall, groups %lld to %zu: %lld samples", json_get_integer(table, "first", 0),
	       json_array_size(json_object_get(table, "groups")), json_get_integer(overall, "kept", 0));
	print_members(overall, overall_keys, 6);
	putchar('\n');
	if (strcmp(check, "unavailable") == 0)
		printf("  check: unavailable: %s\n", json_get_text(table, "reason"));
	else
		printf("  check by the %s, within %.3g %%: %s%s\n", group_statistic_name(options->by),
		       100 * options->tolerance, check,
		       strcmp(check, "FAIL") == 0 ? " (the groups marked <--)" : "");
}

static bool
any_fails(const json_t *tables)
{
	const json_t *table;
	size_t i;

	json_array_foreach((json_t *)tables, i, table)
		if (strcmp(json_get_text(table, "check"), "FAIL") == 0)
			return true;
	return false;
}

static json_t *
tables_document(const struct stored_case *one, const struct group_table_options *options,
		json_t *tables)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:b, s:O}", "format", "assay-groups-1", "case_id",
			 one->plan.case_id, "metric", one->plan.primary, "by",
			 group_statistic_name(options->by), "trim_factor", options->trim_factor,
			 "tolerance", options->tolerance, "include_first", options->include_first,
			 "treatments", tables);
}

static int
show_groups(const struct exploration *how, const struct stored_case *one)
{
	const char *metric = one->plan.primary;
	size_t length = strlen(metric), i;
	struct group_table_options options = {
		.column = csv_table_column(&one->observations.table, metric),
		.trim_factor = how->trim_factor > 0 ? how->trim_factor : COLLAPSE_TRIM_FACTOR,
		.microseconds = length > 3 && strcmp(metric + length - 3, "_us") == 0,
		.include_first = how->include_first,
		.by = statistic_of(how, &one->plan),
		.tolerance = how->tolerance,
	};
	json_t *tables = group_table(&one->plan, &one->observations, &options), *document;
	int result = any_fails(tables) ? 1 : 0;

	if (how->json) {
		document = tables_document(one, &options, tables);
		json_print(document, stdout);
		json_decref(document);
	} else {
		printf("samples kept: at most %.4g times their group's median; the first group is %s\n",
		       options.trim_factor, options.include_first ? "included" : "listed and left out");
		for (i = 0; i < json_array_size(tables); i++)
			print_table(json_array_get(tables, i), metric, &options);
		puts(NOTICE);
	}
	json_decref(tables);
	return result;
}

int
explore(const struct exploration *how, struct error *error)
{
	struct stored_case one;
	int result = stored_case_read(how->case_id, NULL, &one, error);

	if (result == 0 && how->metric != NULL)
		result = choose_metric(&one, how->metric, error);
	if (result == 0)
		result = how->groups ? show_groups(how, &one) : show_comparison(how, &one);
	stored_case_free(&one);
	return result;
}

#include "report/summary.h"

#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"

static const char *const number_columns[] = {
	"speedup", "speedup_lo", "speedup_hi", "level", "p", "log_ratio", "log_lo", "log_hi",
	"slot_effect", "noise_floor_percent", "median_paired_speedup", "ratio_of_medians", NULL,
};

static void
put_row(const struct comparison_place *place, void *context)
{
	struct buffer *out = context;
	const json_t *a = document_treatment(place->item, json_get_integer(place->comparison, "a", 0));
	const json_t *b = document_treatment(place->item, json_get_integer(place->comparison, "b", 0));
	bool invalid = json_is_true(json_object_get(place->case_document, "invalid"));
	size_t i;

	csv_put_text(out, json_get_text(place->experiment, "name"), ',');
	csv_put_text(out, json_get_text(place->case_document, "case_id"), ',');
	csv_put_text(out, json_get_text(place->case_document, "point_text"), ',');
	csv_put_text(out, json_get_text(place->metric, "name"), ',');
	csv_put_text(out, json_get_text(place->metric, "unit"), ',');
	csv_put_text(out, json_get_text(place->item, "item"), ',');
	csv_put_text(out, json_get_text(place->comparison, "a_name"), ',');
	csv_put_text(out, json_get_text(place->comparison, "b_name"), ',');
	for (i = 0; number_columns[i] != NULL; i++)
		csv_put_number(out, json_get_number(place->comparison, number_columns[i]), ',');
	csv_put_number(out, invalid ? 0.0 / 0.0 : json_get_number(a, "median"), ',');
	csv_put_number(out, invalid ? 0.0 / 0.0 : json_get_number(b, "median"), ',');
	csv_put_integer(out, json_get_integer(place->comparison, "pairs", 0), ',');
	csv_put_integer(out, json_get_integer(place->comparison, "pairs_ab", 0), ',');
	csv_put_integer(out, json_get_integer(place->comparison, "pairs_ba", 0), ',');
	csv_put_text(out, json_get_text(place->comparison, "verdict"), ',');
	csv_put_text(out, json_get_text(place->comparison, "reason"), ',');
	csv_put_integer(out, json_is_true(json_object_get(place->case_document, "exploratory")), '\n');
}

void
summary_write_csv(const struct report *report, struct buffer *out)
{
	const json_t *experiment;
	size_t e, i;

	buffer_puts(out, "experiment,case_id,point,metric,unit,item,a,b,");
	for (i = 0; number_columns[i] != NULL; i++)
		csv_put_text(out, number_columns[i], ',');
	buffer_puts(out, "median_a,median_b,pairs,pairs_ab,pairs_ba,verdict,reason,exploratory\n");
	json_array_foreach(json_object_get(report->study, "experiments"), e, experiment)
		document_each_comparison(report, experiment, put_row, out);
}

static void
put_line(const struct comparison_place *place, void *context)
{
	struct buffer *out = context;

	if (!place->primary)
		return;
	buffer_printf(out, "  %s%s\n", json_get_text(place->comparison, "sentence"),
		      json_is_true(json_object_get(place->case_document, "exploratory")) ? " [exploratory]"
											  : "");
}

/* Of the group report of one case: does each variant agree with itself? */
static void
put_groups(const json_t *document, struct buffer *out)
{
	const json_t *groups = json_object_get(document, "group_report"), *table;
	const char *point = json_get_text(groups, "point_text"), *before = ": FAIL: ";
	size_t i, checked = 0;

	if (groups == NULL)
		return;
	buffer_printf(out, "  groups%s%s", point[0] != '\0' ? " at " : "", point);
	json_array_foreach(json_object_get(groups, "treatments"), i, table) {
		checked += strcmp(json_get_text(table, "check"), "unavailable") != 0;
		if (strcmp(json_get_text(table, "check"), "FAIL") == 0) {
			buffer_printf(out, "%s%s", before, json_get_text(table, "name"));
			before = ", ";
		}
	}
	if (checked == 0) {
		buffer_puts(out, ": too few to be checked\n");
		return;
	}
	if (before[0] == ':')
		buffer_puts(out, ": PASS");
	buffer_printf(out, " (each within %.3g %% of all and of the one before)\n",
		      100 * json_get_number(groups, "tolerance"));
}

static void
put_watermarks(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *entry, *one;
	size_t c, i;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry) {
		const json_t *document = document_case(report, entry);
		const char *point = json_get_text(document, "point_text");

		json_array_foreach(json_object_get(document, "watermark"), i, one)
			buffer_printf(out, "  %s%s%s\n", json_get_text(one, "sentence"), point[0] != '\0' ? ", at " : "",
				      point);
	}
}

static void
put_all_groups(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(experiment, "cases"), i, entry)
		put_groups(document_case(report, entry), out);
}

static void
put_skipped(const struct report *report, const json_t *experiment, struct buffer *out)
{
	json_t *skipped = document_skipped(report, experiment), *reason;
	const char *name;

	json_object_foreach(skipped, name, reason)
		buffer_printf(out, "  skipped: %s: %s\n", name, json_string_value(reason));
	json_decref(skipped);
}

void
summary_write_text(const struct report *report, const char *folder, struct buffer *out)
{
	const json_t *claims = json_object_get(report->stats, "claims");
	const json_t *problems = json_object_get(report->stats, "problems"), *one;
	size_t i, recorded, cases;

	json_array_foreach(json_object_get(report->study, "experiments"), i, one) {
		const char *question = json_get_text(one, "question");

		buffer_printf(out, "%s:%s%s\n", json_get_text(one, "name"), question[0] != '\0' ? " " : "",
			      question);
		put_skipped(report, one, out);
		document_each_comparison(report, one, put_line, out);
		put_all_groups(report, one, out);
		put_watermarks(report, one, out);
	}
	json_array_foreach((json_t *)claims, i, one)
		buffer_printf(out, "claim %s %s: %s%s\n", json_get_text(one, "id"),
			      json_get_text(one, "verdict"), json_get_text(one, "text"),
			      json_is_true(json_object_get(one, "exploratory")) ? " [exploratory]" : "");
	json_array_foreach((json_t *)problems, i, one)
		buffer_printf(out, "does not hold: %s%s%s\n", json_get_text(one, "case_id"),
			      json_get_text(one, "case_id")[0] != '\0' ? ": " : "", /* none: a claim */
			      json_get_text(one, "text"));
	recorded = document_recorded(report, &cases);
	if (recorded > 0)
		buffer_printf(out, "recorded on another machine and not measured here: %zu of %zu cases\n", recorded,
			      cases);
	i = json_array_size(json_object_get(report->stats, "warnings"));
	if (i > 0)
		buffer_printf(out, "%zu warning%s, in the report\n", i, i == 1 ? "" : "s");
	buffer_printf(out, "report: %s/report.html\n", folder);
}

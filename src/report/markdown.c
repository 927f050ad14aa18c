#include "report/markdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "report/counter_table.h"
#include "report/diagnosis_section.h"
#include "report/group_text.h"
#include "report/methods.h"
#include "report/results.h"
#include "report/roofline_table.h"
#include "report/scaling_table.h"
#include "report/search_table.h"
#include "report/watermark_table.h"

void
markdown_put_text(const char *text, struct buffer *out)
{
	for (; *text != '\0'; text++) {
		if (strchr("\\`*_[]<>|#&~$", *text) != NULL)
			buffer_putc(out, '\\');
		buffer_putc(out, *text == '\n' || *text == '\r' ? ' ' : *text);
	}
}

static void
put_line(const char *text, struct buffer *out)
{
	markdown_put_text(text, out);
	buffer_puts(out, "\n\n");
}

/* ---- claims ---- */

static void
put_claim(const json_t *claim, struct buffer *out)
{
	const json_t *one = json_array_get(json_object_get(claim, "cases"), 0);

	buffer_printf(out, "| %s | ", json_get_text(claim, "id"));
	markdown_put_text(json_get_text(claim, "text"), out);
	buffer_printf(out, " | **%s**%s", json_get_text(claim, "verdict"),
		      json_is_true(json_object_get(claim, "exploratory")) ? " (exploratory)" : "");
	if (strcmp(json_get_text(claim, "verdict"), "open") == 0 && *json_get_text(claim, "reason") != '\0') {
		buffer_puts(out, ": ");
		markdown_put_text(json_get_text(claim, "reason"), out);
	}
	buffer_puts(out, " | ");
	if (json_array_size(json_object_get(claim, "cases")) == 1)
		document_put_ratio(one, out);
	else
		buffer_printf(out, "%zu %s", json_array_size(json_object_get(claim, "cases")),
			      *json_get_text(one, "item") != '\0' ? "items" : "cases");
	buffer_puts(out, " | ");
	markdown_put_text(json_get_text(claim, "experiment"), out);
	buffer_puts(out, " |\n");
}

/* The claims or problems of one experiment; `only` NULL: of all. A new array. */
static json_t *
entries_of(const struct report *report, const char *key, const char *only)
{
	json_t *list = json_array(), *one;
	size_t i;

	json_array_foreach(json_object_get(report->stats, key), i, one)
		if (only == NULL || strcmp(json_get_text(one, "experiment"), only) == 0)
			json_array_append(list, one);
	return list;
}

static void
put_claims(const struct report *report, const char *only, struct buffer *out)
{
	json_t *claims = entries_of(report, "claims", only), *claim;
	size_t i;

	buffer_puts(out, "## Claims\n\n");
	if (json_array_size(claims) == 0)
		buffer_printf(out, "This %s makes no claims.\n\n", only == NULL ? "study" : "experiment");
	else
		buffer_puts(out, "| | claim | verdict | speedup | experiment |\n|---|---|---|---|---|\n");
	json_array_foreach(claims, i, claim)
		put_claim(claim, out);
	if (json_array_size(claims) > 0)
		buffer_printf(out, "\nVerdicts are corrected for the number of claims%s (Holm).\n\n",
			      only == NULL ? "" : " of the study");
	json_decref(claims);
}

static void
put_problems(const struct report *report, const char *only, struct buffer *out)
{
	json_t *problems = entries_of(report, "problems", only), *one;
	size_t i;

	if (json_array_size(problems) > 0)
		buffer_puts(out, "## What does not hold\n\n");
	json_array_foreach(problems, i, one) {
		buffer_puts(out, "- ");
		markdown_put_text(json_get_text(one, "case_id"), out);
		buffer_puts(out, *json_get_text(one, "case_id") != '\0' ? ": " : "");
		markdown_put_text(json_get_text(one, "text"), out);
		buffer_putc(out, '\n');
	}
	if (json_array_size(problems) > 0)
		buffer_putc(out, '\n');
	json_decref(problems);
}

/* ---- one experiment's numbers ---- */

static void
put_table_row(const struct comparison_place *place, void *context)
{
	struct buffer *out = context;
	const json_t *a = document_treatment(place->item, json_get_integer(place->comparison, "a", 0));
	const json_t *b = document_treatment(place->item, json_get_integer(place->comparison, "b", 0));
	const char *unit = json_get_text(place->metric, "unit");
	bool invalid = json_is_true(json_object_get(place->case_document, "invalid"));
	const char *point = json_get_text(place->case_document, "point_text");
	const char *item = json_get_text(place->item, "item");

	buffer_puts(out, "| ");
	markdown_put_text(point[0] != '\0' ? point : item[0] != '\0' ? "" : "-", out);
	buffer_puts(out, point[0] != '\0' && item[0] != '\0' ? ", " : "");
	markdown_put_text(item, out);
	buffer_puts(out, " | ");
	markdown_put_text(json_get_text(place->metric, "name"), out);
	buffer_printf(out, " (%s) | ", json_get_text(place->metric, "scope"));
	markdown_put_text(json_get_text(place->comparison, "b_name"), out);
	buffer_puts(out, " against ");
	markdown_put_text(json_get_text(place->comparison, "a_name"), out);
	buffer_puts(out, " | ");
	document_put_ratio(place->comparison, out);
	buffer_puts(out, " | ");
	document_put_value(invalid ? NAN : json_get_number(a, "median"), unit, out);
	buffer_puts(out, " | ");
	document_put_value(invalid ? NAN : json_get_number(b, "median"), unit, out);
	if (isfinite(json_get_number(place->comparison, "noise_floor_percent")))
		buffer_printf(out, " | %.2g %%",
			      json_get_number(place->comparison, "noise_floor_percent"));
	else
		buffer_puts(out, " | -");
	buffer_printf(out, " | %lld | %s |\n", json_get_integer(place->comparison, "pairs", 0),
		      json_get_text(place->comparison, "verdict"));
}

static void
put_sentence(const struct comparison_place *place, void *context)
{
	struct buffer *out = context;

	if (!place->primary)
		return;
	buffer_puts(out, "- ");
	markdown_put_text(json_get_text(place->comparison, "sentence"), out);
	if (json_is_true(json_object_get(place->case_document, "exploratory")))
		buffer_puts(out, " **(exploratory)**");
	buffer_putc(out, '\n');
}

static void
put_skipped(const struct report *report, const json_t *experiment, struct buffer *out)
{
	json_t *skipped = document_skipped(report, experiment), *reason;
	const char *name;

	json_object_foreach(skipped, name, reason) {
		buffer_puts(out, "**Skipped:** ");
		markdown_put_text(name, out);
		buffer_puts(out, ", since there is ");
		markdown_put_text(json_string_value(reason), out);
		buffer_puts(out, ". No number of it is shown.\n\n");
	}
	json_decref(skipped);
}

static void
put_numbers(const struct report *report, const json_t *experiment, struct buffer *out)
{
	put_skipped(report, experiment, out);
	document_each_comparison(report, experiment, put_sentence, out);
	buffer_puts(out, "\n| case | metric (what is timed) | comparison | speedup, interval | "
			 "A, median | B, median | noise floor | pairs | verdict |\n"
			 "|---|---|---|---|---|---|---|---|---|\n");
	document_each_comparison(report, experiment, put_table_row, out);
	buffer_puts(out, "\nIntervals are at 95 % where the sentence names no other level.");
	if (document_has_items(report, experiment))
		buffer_puts(out, " Verdicts are corrected for the number of items in a case (Benjamini-Hochberg).");
	buffer_puts(out, "\n\n");
}

static void
put_aa_item(const json_t *document, const json_t *item, struct buffer *out)
{
	const json_t *aa = json_object_get(item, "aa"), *one;
	double median = json_get_number(aa, "median_abs_difference");
	size_t i;

	if (!isfinite(median))
		return;
	buffer_puts(out, "A/A control");
	if (*json_get_text(item, "item") != '\0') {
		buffer_puts(out, " in ");
		markdown_put_text(json_get_text(item, "item"), out);
	}
	if (*json_get_text(document, "point_text") != '\0') {
		buffer_puts(out, " at ");
		markdown_put_text(json_get_text(document, "point_text"), out);
	}
	buffer_printf(out, ": two runs of the same program differ by %.2g %% in the median "
			   "(signed, in %%:", 100 * median);
	json_array_foreach(json_object_get(aa, "differences"), i, one)
		buffer_printf(out, " %+.2f", 100 * json_number_value(one));
	buffer_puts(out, ").\n\n");
}

static void
put_aa(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *entry;
	size_t c;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry) {
		const json_t *document = document_case(report, entry);
		const json_t *item;
		size_t i;

		json_array_foreach(json_object_get(document_primary(document), "items"), i, item)
			put_aa_item(document, item, out);
	}
}

/* ---- whether the groups of a variant agree, where the experiment asks for it ---- */

static void
put_groups(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *entry, *groups;
	size_t c;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry) {
		groups = json_object_get(document_case(report, entry), "group_report");
		if (groups != NULL)
			group_markdown_put(groups, out);
	}
}

/* ---- warnings: the worst three by name, the rest counted and listed behind ---- */

static bool
belongs(const json_t *experiment, const json_t *warning)
{
	const json_t *entry;
	size_t c;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry)
		if (strcmp(json_get_text(entry, "case_id"), json_get_text(warning, "case_id")) == 0)
			return true;
	return false;
}

static void
put_warnings(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *warning;
	size_t i, shown = 0;

	json_array_foreach(json_object_get(report->stats, "warnings"), i, warning) {
		if (!belongs(experiment, warning))
			continue;
		if (shown == 0)
			buffer_puts(out, "**Warnings**, the worst first:\n\n");
		if (shown == 3)
			buffer_puts(out, "\nFurther warnings:\n\n");
		shown++;
		buffer_printf(out, "%lld. ", json_get_integer(warning, "number", 0));
		markdown_put_text(json_get_text(warning, "text"), out);
		buffer_puts(out, " (");
		markdown_put_text(json_get_text(warning, "case_id"), out);
		buffer_puts(out, "). ");
		if (shown <= 3) {
			buffer_puts(out, "*What to do:* ");
			markdown_put_text(json_get_text(warning, "advice"), out);
			buffer_putc(out, '.');
		}
		buffer_putc(out, '\n');
	}
	if (shown > 0)
		buffer_putc(out, '\n');
}

/* ---- prose ---- */

static const struct experiment *
spec_of(const struct study *study, const char *name)
{
	size_t e;

	for (e = 0; e < study->experiment_count; e++)
		if (strcmp(study->experiments[e].name, name) == 0)
			return &study->experiments[e];
	return NULL;
}

static void
put_figure(const json_t *experiment, const char *label, const char *caption, struct buffer *out)
{
	buffer_puts(out, "![");
	markdown_put_text(caption, out);
	buffer_puts(out, "](figures/");
	document_put_figure_stem(experiment, label, out);
	buffer_puts(out, ".svg)");
}

static int
put_prose(struct host *host, const struct experiment *spec, const json_t *experiment,
	  const json_t *results, struct buffer *out, struct error *error)
{
	size_t i;

	for (i = 0; i < spec->prose_count; i++) {
		const struct prose *part = &spec->prose[i];
		struct buffer value = BUFFER_EMPTY;

		if (part->kind == PROSE_MARKDOWN) {
			buffer_puts(out, part->text);
		} else if (part->kind == PROSE_FIGURE) {
			put_figure(experiment, part->text, part->caption, out);
		} else if (host_eval(host, spec, &part->place, part->text, results, &value, error) < 0) {
			buffer_free(&value);
			return -1;
		} else {
			markdown_put_text(buffer_text(&value), out);
		}
		buffer_free(&value);
	}
	buffer_puts(out, "\n\n");
	return 0;
}

/* Figures that the prose does not place come after the numbers. */
static bool
is_placed(const struct experiment *spec, const char *label)
{
	size_t i;

	for (i = 0; spec != NULL && i < spec->prose_count; i++)
		if (spec->prose[i].kind == PROSE_FIGURE && strcmp(spec->prose[i].text, label) == 0)
			return true;
	return false;
}

static void
put_other_figures(const struct experiment *spec, const json_t *experiment, struct buffer *out)
{
	const json_t *figure;
	size_t i;

	json_array_foreach(json_object_get(experiment, "figures"), i, figure) {
		const char *label = json_get_text(figure, "label");

		if (is_placed(spec, label))
			continue;
		put_figure(experiment, label, json_get_text(figure, "caption"), out);
		buffer_puts(out, "\n\n");
	}
}

static int
put_experiment(const struct report *report, struct host *host, const struct study *study,
	       const json_t *experiment, struct buffer *out, struct error *error)
{
	const struct experiment *spec = spec_of(study, json_get_text(experiment, "name"));
	json_t *results = results_document(report->study, experiment, report->stats,
					   json_object_get(report->diagnoses,
							   json_get_text(experiment, "name")));
	int result = 0;

	buffer_puts(out, "---\n\n");
	if (spec == NULL || spec->prose_count == 0) {
		buffer_puts(out, "# ");
		put_line(json_get_text(experiment, "title"), out);
		put_line(json_get_text(experiment, "question"), out);
	} else {
		result = put_prose(host, spec, experiment, results, out, error);
	}
	buffer_puts(out, "## Numbers of ");
	put_line(json_get_text(experiment, "name"), out);
	watermark_table_put(report, experiment, out);
	put_numbers(report, experiment, out);
	search_table_put(report, experiment, out);
	roofline_table_put(report, experiment, out);
	put_aa(report, experiment, out);
	put_groups(report, experiment, out);
	counter_tables_put(report, experiment, out);
	scaling_table_put(report, experiment, out);
	put_other_figures(spec, experiment, out);
	diagnosis_section_put(report, experiment, out);
	put_warnings(report, experiment, out);
	methods_put(report, experiment, out);
	json_decref(results);
	return result;
}

/* Whose numbers these are. */
static void
put_whose(const struct report *report, struct buffer *out)
{
	size_t cases, recorded = document_recorded(report, &cases);

	if (recorded == 0)
		buffer_puts(out, "All numbers are of this machine and configuration only.");
	else if (recorded == cases)
		buffer_puts(out, "All numbers were recorded on another machine than the one where this report was "
				 "made; it is named below, and they are of it and its configuration only.");
	else
		buffer_printf(out, "The numbers of %zu of the %zu cases were recorded on another machine than the "
				   "one where this report was made; below it is said which. All numbers are of the "
				   "machine where they were measured and its configuration only.",
			      recorded, cases);
	buffer_puts(out, " Speedup is time A / time B: above 1, B is faster.\n\n");
}

/* Names are those of files. */
static void
put_page_links(const struct report *report, struct buffer *out)
{
	const json_t *experiment;
	size_t e;

	buffer_puts(out, "Each experiment has a page of its own, too:");
	json_array_foreach(json_object_get(report->study, "experiments"), e, experiment) {
		const char *name = json_get_text(experiment, "name");

		buffer_puts(out, e > 0 ? ", [" : " [");
		markdown_put_text(name, out);
		buffer_printf(out, "](%s.html)", name);
	}
	buffer_puts(out, ".\n\n");
}

int
markdown_write_page(const struct report *report, struct host *host, const struct study *study,
		    const json_t *experiment, struct buffer *out, struct error *error)
{
	const char *name = json_get_text(experiment, "name"), *title = json_get_text(report->study, "title");

	buffer_puts(out, "An experiment of [");
	markdown_put_text(title[0] != '\0' ? title : json_get_text(report->study, "name"), out);
	buffer_puts(out, "](report.html).\n\n");
	if (put_experiment(report, host, study, experiment, out, error) != 0)
		return -1;
	put_problems(report, name, out);
	put_claims(report, name, out);
	put_whose(report, out);
	methods_put_measured(report, out);
	return 0;
}

int
markdown_write(const struct report *report, struct host *host, const struct study *study,
	       struct buffer *out, struct error *error)
{
	const char *title = json_get_text(report->study, "title");
	const json_t *experiment;
	size_t e;

	buffer_puts(out, "# ");
	put_line(title[0] != '\0' ? title : json_get_text(report->study, "name"), out);
	put_problems(report, NULL, out);
	put_claims(report, NULL, out);
	put_whose(report, out);
	if (report->has_pages)
		put_page_links(report, out);
	json_array_foreach(json_object_get(report->study, "experiments"), e, experiment)
		if (put_experiment(report, host, study, experiment, out, error) != 0)
			return -1;
	methods_put_measured(report, out);
	return 0;
}

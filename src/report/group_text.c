#include "report/group_text.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/markdown.h"

#define DIGITS 6

static void
put_value(const json_t *object, const char *key, int width, struct buffer *out)
{
	double value = json_get_number(object, key);

	if (isfinite(value))
		buffer_printf(out, "%*.*g", width, DIGITS, value);
	else
		buffer_printf(out, "%*s", width, "-");
}

static void
put_percent(const json_t *object, const char *key, int width, struct buffer *out)
{
	double value = json_get_number(object, key);

	if (isfinite(value))
		buffer_printf(out, "%+*.2f %%", width, 100 * value);
	else
		buffer_printf(out, "%*s", width + 2, "-");
}

static void
put_share(const json_t *object, const char *key, int width, struct buffer *out)
{
	double value = json_get_number(object, key);

	if (isfinite(value))
		buffer_printf(out, "%*.4f", width, value);
	else
		buffer_printf(out, "%*s", width, "-");
}

/* "fused", "fused, BM_x". */
static void
put_name(const json_t *table, struct buffer *out)
{
	const char *item = json_get_text(table, "item");

	buffer_printf(out, "%s%s%s", json_get_text(table, "name"), item[0] != '\0' ? ", " : "", item);
}

/* "PASS", "FAIL: group 3 (+6.20 % from all), group 4 (-7.10 % from the one before)". */
static void
put_check(const json_t *document, const json_t *table, struct buffer *out)
{
	double limit = json_get_number(document, "tolerance") + 1e-12;
	const char *check = json_get_text(table, "check"), *before = ": ";
	const json_t *group;
	size_t i;

	buffer_puts(out, check);
	if (strcmp(check, "unavailable") == 0)
		buffer_printf(out, ": %s", json_get_text(table, "reason"));
	json_array_foreach(json_object_get(table, "groups"), i, group) {
		double overall = json_get_number(group, "vs_overall");
		bool by_overall = fabs(overall) > limit;

		if (!json_is_true(json_object_get(group, "flagged")))
			continue;
		buffer_printf(out, "%sgroup %lld (%+.2f %% from %s)", before,
			      json_get_integer(group, "group", 0),
			      100 * (by_overall ? overall : json_get_number(group, "vs_before")),
			      by_overall ? "all" : "the one before");
		before = ", ";
	}
}

static void
put_work(const json_t *work, struct buffer *out)
{
	const char *check = json_get_text(work, "check");
	double len = json_get_number(work, "len"), iters = json_get_number(work, "iters");

	buffer_puts(out, check);
	if (strcmp(check, "FAIL") == 0)
		buffer_printf(out, ": %s", json_get_text(work, "reason"));
	if (strcmp(check, "PASS") == 0)
		buffer_printf(out, ": %.6g an element, CFG %.0f x %.0f%s",
			      json_get_number(work, "per_element"), len, iters,
			      json_is_true(json_object_get(work, "lowered"))
				      ? ", less than asked for, as it may" : "");
}

static void
put_trim(const json_t *document, struct buffer *out)
{
	double factor = json_get_number(document, "trim_factor");

	if (factor > 0)
		buffer_printf(out, "samples kept: at most %.4g times their group's median; ", factor);
	else
		buffer_puts(out, "all samples kept; ");
	buffer_printf(out, "the first group is %s",
		      json_is_true(json_object_get(document, "include_first"))
			      ? "counted" : "listed and left out of the rest");
}

static bool
has_no_verdict(const json_t *document)
{
	return json_get_text(document, "no_verdict")[0] != '\0';
}

/* What so few blocks are good for. */
static void
put_no_verdict(const json_t *document, struct buffer *out)
{
	buffer_printf(out, "%lld blocks describe and give no verdict: %s", json_get_integer(document, "blocks", 0),
		      json_get_text(document, "no_verdict"));
}

static void
put_ratio(const json_t *ratio, struct buffer *out)
{
	buffer_printf(out, "%s against %s", json_get_text(ratio, "b_name"), json_get_text(ratio, "a_name"));
	if (json_get_text(ratio, "item")[0] != '\0')
		buffer_printf(out, " in %s", json_get_text(ratio, "item"));
	buffer_puts(out, ": ");
	put_value(ratio, "speedup", 0, out);
}

/* ---- plain text ---- */

static void
put_text_group(const json_t *group, struct buffer *out)
{
	static const char *const keys[] = {"mean", "median", "geomean", "spread", "sd"};
	size_t k;

	buffer_printf(out, "  %5lld %5lld %3lld %4lld", json_get_integer(group, "group", 0),
		      json_get_integer(group, "block", 0), json_get_integer(group, "n", 0),
		      json_get_integer(group, "kept", 0));
	for (k = 0; k < sizeof keys / sizeof *keys; k++) {
		buffer_putc(out, ' ');
		put_value(group, keys[k], 11, out);
	}
	put_share(group, "cpu_over_wall", 9, out);
	put_percent(group, "vs_overall", 9, out);
	put_percent(group, "vs_before", 9, out);
	buffer_puts(out, json_is_true(json_object_get(group, "flagged")) ? "  <--\n" : "\n");
}

static void
put_text_overall(const json_t *table, struct buffer *out)
{
	static const char *const keys[] = {"mean", "median", "geomean", "sd"};
	const json_t *overall = json_object_get(table, "overall");
	size_t k;

	if (json_get_integer(overall, "kept", 0) == 0) {
		buffer_puts(out, "  overall: no group beside the first\n");
		return;
	}
	buffer_printf(out, "  overall, groups %lld to %zu: %lld samples", json_get_integer(table, "first", 0),
		      json_array_size(json_object_get(table, "groups")), json_get_integer(overall, "kept", 0));
	for (k = 0; k < sizeof keys / sizeof *keys; k++) {
		buffer_printf(out, ", %s ", keys[k]);
		put_value(overall, keys[k], 0, out);
	}
	buffer_puts(out, ", largest deviation ");
	put_value(overall, "max_deviation", 0, out);
	buffer_puts(out, ", CPU/wall ");
	put_share(overall, "cpu_over_wall", 0, out);
	buffer_putc(out, '\n');
}

static void
put_text_table(const json_t *document, const json_t *table, struct buffer *out)
{
	const json_t *group;
	size_t i;

	put_name(table, out);
	buffer_printf(out, ", %s:\n", json_get_text(document, "metric"));
	buffer_puts(out, "  group block   n kept        mean      median     geomean      spread          sd"
			 " CPU/wall vs overall  vs before\n");
	json_array_foreach(json_object_get(table, "groups"), i, group)
		put_text_group(group, out);
	put_text_overall(table, out);
	buffer_printf(out, "  check by the %s, within %.3g %%: ", json_get_text(document, "by"),
		      100 * json_get_number(document, "tolerance"));
	put_check(document, table, out);
	buffer_puts(out, "\n  flops: ");
	put_work(json_object_get(table, "work"), out);
	buffer_putc(out, '\n');
}

void
group_text_put(const json_t *document, struct buffer *out)
{
	const char *point = json_get_text(document, "point_text");
	const json_t *one;
	size_t i;

	buffer_printf(out, "groups of %s%s%s%s\n", json_get_text(document, "case_id"),
		      point[0] != '\0' ? " (" : "", point, point[0] != '\0' ? ")" : "");
	put_trim(document, out);
	buffer_puts(out, "\n");
	json_array_foreach(json_object_get(document, "treatments"), i, one)
		put_text_table(document, one, out);
	buffer_printf(out, "ratios of the overall %ss, above 1: the first is better\n",
		      json_get_text(document, "by"));
	json_array_foreach(json_object_get(document, "ratios"), i, one) {
		buffer_puts(out, "  ");
		put_ratio(one, out);
		buffer_putc(out, '\n');
	}
	if (has_no_verdict(document)) {
		put_no_verdict(document, out);
		buffer_putc(out, '\n');
	}
}

bool
group_text_fails(const json_t *document)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(document, "treatments"), i, one)
		if (strcmp(json_get_text(one, "check"), "FAIL") == 0 ||
		    strcmp(json_get_text(json_object_get(one, "work"), "check"), "FAIL") == 0)
			return true;
	return false;
}

/* ---- Markdown ---- */

/* Escapes what `put` writes. */
static void
put_escaped(struct buffer *plain, struct buffer *out)
{
	markdown_put_text(buffer_text(plain), out);
	buffer_clear(plain);
}

static void
put_cells(const json_t *object, const char *const *keys, struct buffer *out)
{
	for (; *keys != NULL; keys++) {
		buffer_puts(out, " | ");
		put_value(object, *keys, 0, out);
	}
}

static void
put_overall_row(const json_t *document, const json_t *table, struct buffer *out)
{
	static const char *const keys[] = {"mean", "median", "geomean", "sd", "max_deviation", NULL};
	const json_t *overall = json_object_get(table, "overall"), *group;
	struct buffer text = BUFFER_EMPTY;
	long long trimmed = 0;
	size_t i;

	json_array_foreach(json_object_get(table, "groups"), i, group)
		trimmed += (long long)i + 1 >= json_get_integer(table, "first", 1)
				   ? json_get_integer(group, "trimmed", 0) : 0;
	buffer_puts(out, "| ");
	put_name(table, &text);
	put_escaped(&text, out);
	buffer_printf(out, " | %lld | %lld", json_get_integer(overall, "kept", 0), trimmed);
	put_cells(overall, keys, out);
	buffer_puts(out, " | ");
	put_share(overall, "cpu_over_wall", 0, out);
	buffer_puts(out, " | ");
	put_check(document, table, &text);
	put_escaped(&text, out);
	buffer_puts(out, " | ");
	put_work(json_object_get(table, "work"), &text);
	put_escaped(&text, out);
	buffer_puts(out, " |\n");
	buffer_free(&text);
}

static void
put_group_row(const json_t *table, const json_t *group, struct buffer *out)
{
	static const char *const keys[] = {"mean", "median", "geomean", "spread", "sd", NULL};
	struct buffer text = BUFFER_EMPTY;

	buffer_puts(out, "| ");
	put_name(table, &text);
	put_escaped(&text, out);
	buffer_printf(out, " | %lld | %lld of %lld", json_get_integer(group, "group", 0),
		      json_get_integer(group, "kept", 0), json_get_integer(group, "n", 0));
	put_cells(group, keys, out);
	buffer_puts(out, " | ");
	put_share(group, "cpu_over_wall", 0, out);
	buffer_puts(out, " | ");
	put_percent(group, "vs_overall", 0, out);
	buffer_puts(out, " | ");
	put_percent(group, "vs_before", 0, out);
	buffer_puts(out, " |\n");
	buffer_free(&text);
}

static void
put_markdown_ratios(const json_t *document, struct buffer *out)
{
	struct buffer text = BUFFER_EMPTY;
	const json_t *one;
	size_t i;

	buffer_printf(out, "\nRatios of the overall %ss; above 1 the first is better:\n\n",
		      json_get_text(document, "by"));
	json_array_foreach(json_object_get(document, "ratios"), i, one) {
		buffer_puts(out, "- ");
		put_ratio(one, &text);
		put_escaped(&text, out);
		buffer_putc(out, '\n');
	}
	if (has_no_verdict(document)) {
		buffer_puts(out, "\n**");
		put_no_verdict(document, &text);
		put_escaped(&text, out);
		buffer_puts(out, ".**\n");
	}
	buffer_free(&text);
}

void
group_markdown_put(const json_t *document, struct buffer *out)
{
	const char *point = json_get_text(document, "point_text");
	struct buffer text = BUFFER_EMPTY;
	const json_t *table, *group;
	size_t i, g;

	buffer_puts(out, "### Groups");
	buffer_puts(out, point[0] != '\0' ? " at " : "");
	markdown_put_text(point, out);
	buffer_puts(out, "\n\n");
	buffer_printf(&text, "%s; ", json_get_text(document, "metric"));
	put_trim(document, &text);
	buffer_printf(&text, "; checked by the %s, within %.3g %%.", json_get_text(document, "by"),
		      100 * json_get_number(document, "tolerance"));
	put_escaped(&text, out);
	buffer_puts(out, "\n\n| variant | samples | trimmed | mean | median | geomean | sd | largest deviation | "
			 "CPU/wall | groups agree | flops |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
	json_array_foreach(json_object_get(document, "treatments"), i, table)
		put_overall_row(document, table, out);
	buffer_puts(out, "\n| variant | group | kept | mean | median | geomean | spread | sd | CPU/wall | from "
			 "all | from the one before |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
	json_array_foreach(json_object_get(document, "treatments"), i, table)
		json_array_foreach(json_object_get(table, "groups"), g, group)
			put_group_row(table, group, out);
	put_markdown_ratios(document, out);
	buffer_putc(out, '\n');
	buffer_free(&text);
}

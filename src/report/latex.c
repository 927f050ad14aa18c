#include "report/latex.h"

#include <math.h>
#include <string.h>

#include "analysis/judge/sentence.h"
#include "base/json.h"
#include "report/methods.h"

/* Text as TeX must see it. */
static void
put_text(const char *text, struct buffer *out)
{
	for (; *text != '\0'; text++)
		switch (*text) {
		case '\\': buffer_puts(out, "\\textbackslash{}"); break;
		case '~': buffer_puts(out, "\\textasciitilde{}"); break;
		case '^': buffer_puts(out, "\\textasciicircum{}"); break;
		case '{': case '}': case '_': case '%': case '&': case '#': case '$':
			buffer_putc(out, '\\');
			buffer_putc(out, *text);
			break;
		case '\n': buffer_putc(out, ' '); break;
		default: buffer_putc(out, *text);
		}
}

/* In a key nothing may be special to TeX: those characters become '-'. */
static void
put_key(const char *text, struct buffer *out)
{
	for (; *text != '\0'; text++)
		buffer_putc(out, strchr("\\{}%&#$~^ ,", *text) != NULL ? '-' : *text);
}

struct keys {
	struct buffer *out;
	const struct comparison_place *place;
};

static void
begin(const struct keys *keys, const char *field)
{
	const struct comparison_place *place = keys->place;
	const char *point = json_get_text(place->case_document, "point_text");
	const char *item = json_get_text(place->item, "item");

	buffer_puts(keys->out, "\\assaydefine{");
	put_key(json_get_text(place->experiment, "name"), keys->out);
	buffer_putc(keys->out, '/');
	put_key(point[0] != '\0' ? point : "-", keys->out);
	if (item[0] != '\0') {
		buffer_putc(keys->out, '/');
		put_key(item, keys->out);
	}
	if (!place->primary) {
		buffer_putc(keys->out, '/');
		put_key(json_get_text(place->metric, "name"), keys->out);
	}
	buffer_putc(keys->out, '/');
	/* which candidate a search chose is no part of a name */
	put_key(json_get_text(place->comparison, json_object_get(place->comparison, "label") != NULL
							 ? "label" : "b_name"), keys->out);
	buffer_printf(keys->out, "/%s}{", field);
}

static void
put_number(const struct keys *keys, const char *field, double value, int decimals)
{
	begin(keys, field);
	if (isfinite(value))
		buffer_printf(keys->out, "%.*f", decimals, value);
	else
		buffer_puts(keys->out, "unavailable");
	buffer_puts(keys->out, "}\n");
}

static void
put_words(const struct keys *keys, const char *field, const char *text)
{
	begin(keys, field);
	put_text(text, keys->out);
	buffer_puts(keys->out, "}\n");
}

static void
put_value(const struct keys *keys, const char *field, const char *which)
{
	const struct comparison_place *place = keys->place;
	const json_t *treatment =
		document_treatment(place->item, json_get_integer(place->comparison, which, 0));
	bool invalid = json_is_true(json_object_get(place->case_document, "invalid"));
	struct buffer text = BUFFER_EMPTY;

	document_put_value(invalid ? NAN : json_get_number(treatment, "median"),
			   json_get_text(place->metric, "unit"), &text);
	put_words(keys, field, buffer_text(&text));
	buffer_free(&text);
}

static void
put_comparison(const struct comparison_place *place, void *context)
{
	struct keys keys = {.out = context, .place = place};
	const json_t *comparison = place->comparison;
	double lo = json_get_number(comparison, "speedup_lo");
	double hi = json_get_number(comparison, "speedup_hi");
	int decimals = sentence_decimals(lo, hi);

	put_number(&keys, "speedup", json_get_number(comparison, "speedup"), decimals);
	put_number(&keys, "speedup-lo", lo, decimals);
	put_number(&keys, "speedup-hi", hi, decimals);
	put_number(&keys, "level-percent", 100 * json_get_number(comparison, "level"), 1);
	put_number(&keys, "noise-floor-percent", json_get_number(comparison, "noise_floor_percent"), 2);
	put_number(&keys, "median-paired-speedup",
		   json_get_number(comparison, "median_paired_speedup"), decimals);
	put_number(&keys, "ratio-of-medians", json_get_number(comparison, "ratio_of_medians"), decimals);
	put_number(&keys, "pairs", json_get_number(comparison, "pairs"), 0);
	put_value(&keys, "median-a", "a");
	put_value(&keys, "median-b", "b");
	put_words(&keys, "verdict", json_get_text(comparison, "verdict"));
	put_words(&keys, "sentence", json_get_text(comparison, "sentence"));
}

static void
put_claims(const struct report *report, struct buffer *out)
{
	const json_t *claim;
	size_t i;

	json_array_foreach(json_object_get(report->stats, "claims"), i, claim) {
		buffer_printf(out, "\\assaydefine{claim/%s/verdict}{%s}\n", json_get_text(claim, "id"),
			      json_get_text(claim, "verdict"));
		buffer_printf(out, "\\assaydefine{claim/%s/text}{", json_get_text(claim, "id"));
		put_text(json_get_text(claim, "text"), out);
		buffer_puts(out, "}\n");
	}
}

void
latex_write(const struct report *report, struct buffer *out)
{
	const char *commit = json_get_text(report->stats, "commit");
	const json_t *experiment;
	struct buffer sentence = BUFFER_EMPTY;
	size_t e;

	buffer_puts(out, "% Written by assay; do not edit. \\input this file and use \\assay{key}.\n"
			 "\\makeatletter\n"
			 "\\providecommand\\assaydefine[2]{\\expandafter\\def\\csname assay@#1\\endcsname{#2}}\n"
			 "\\providecommand\\assay[1]{\\@ifundefined{assay@#1}{\\errmessage{assay: no number "
			 "named '#1' in results.tex}}{\\csname assay@#1\\endcsname}}\n");
	buffer_puts(out, "\\assaydefine{study/commit}{");
	put_text(commit[0] != '\0' ? commit : "unavailable", out);
	buffer_puts(out, "}\n\\assaydefine{study/machine}{");
	put_text(json_get_text(json_object_get(report->stats, "machine"), "model"), out);
	buffer_puts(out, "}\n");
	put_claims(report, out);
	json_array_foreach(json_object_get(report->study, "experiments"), e, experiment) {
		buffer_clear(&sentence);
		methods_put_sentence(report, experiment, &sentence);
		buffer_puts(out, "\\assaydefine{");
		put_key(json_get_text(experiment, "name"), out);
		buffer_puts(out, "/methods}{");
		put_text(buffer_text(&sentence), out);
		buffer_puts(out, "}\n");
		document_each_comparison(report, experiment, put_comparison, out);
	}
	buffer_puts(out, "\\makeatother\n");
	buffer_free(&sentence);
}

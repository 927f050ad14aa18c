#include "report/methods.h"

#include <string.h>

#include "base/json.h"
#include "report/markdown.h"

static const char *
order_words(const json_t *design)
{
	if (strcmp(json_get_text(design, "order"), "alternate") == 0)
		return "in alternating order (AB, BA, ...)";
	return "in balanced shuffled order (half AB, half BA)";
}

static const char *
cpus_words(const char *cpus)
{
	if (strcmp(cpus, "last") == 0)
		return "pinned to the last whole core";
	if (strcmp(cpus, "first") == 0)
		return "pinned to the first core";
	return strcmp(cpus, "none") == 0 ? "not pinned" : cpus;
}

static const char *
stop_words(const json_t *design)
{
	const char *stop = json_get_text(design, "stop");

	if (strcmp(stop, "until_ci") == 0)
		return "until the interval was as narrow as declared";
	if (strcmp(stop, "looks") == 0)
		return "with looks planned beforehand (O'Brien-Fleming spending)";
	return "a number fixed beforehand";
}

void
methods_put_sentence(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *design = json_object_get(experiment, "design");
	const json_t *metric = json_array_get(json_object_get(experiment, "metrics"), 0);
	bool trimmed = strcmp(json_get_text(design, "collapse"), "trimmed_mean") == 0;

	buffer_printf(out,
		      "Each group of samples is a process of its own, %s; %lld adjacent pairs, %s, "
		      "%s, %lld A/A control pairs, and before them in each session warm-up processes of each "
		      "variant (%lld); %s of a process is the %s of its %lld samples (%s)",
		      cpus_words(json_get_text(experiment, "cpus")), json_get_integer(design, "pairs", 0),
		      stop_words(design), order_words(design), json_get_integer(design, "aa_pairs", 0),
		      json_get_integer(design, "warmups", 0), json_get_text(metric, "name"),
		      trimmed ? "mean after the upper trim" : "median",
		      json_get_integer(design, "samples", 0),
		      strcmp(json_get_text(metric, "scope"), "process") == 0
			      ? "the whole process"
			      : "timed inside the process");
	buffer_printf(out,
		      "; the ratio is half the Hodges-Lehmann shift between the orders with the exact "
		      "Mann-Whitney interval, on %s; one build, memory layout not varied.",
		      json_get_text(json_object_get(report->stats, "machine"), "model"));
}

static void
put_session(const json_t *document, const json_t *session, struct buffer *out)
{
	buffer_puts(out, "| ");
	markdown_put_text(json_get_text(document, "point_text"), out);
	buffer_printf(out, " | %lld | %.19s | %lld | %lld | %lld | %.12s%s | %s |\n",
		      json_get_integer(session, "session", 0), json_get_text(session, "started"),
		      json_get_integer(session, "groups", 0), json_get_integer(session, "failed", 0),
		      json_get_integer(session, "orphans", 0), json_get_text(session, "commit"),
		      json_is_true(json_object_get(session, "dirty")) ? " (dirty)" : "",
		      json_is_true(json_object_get(session, "invalid"))    ? "invalid"
		      : json_is_true(json_object_get(session, "finished")) ? "finished"
									   : "interrupted");
}

static void
put_case_line(const json_t *document, struct buffer *out)
{
	const json_t *metric = document_primary(document), *look;
	const json_t *item = json_array_get(json_object_get(metric, "items"), 0);
	const json_t *comparison = json_array_get(json_object_get(item, "comparisons"), 0);
	double trimmed = json_get_number(comparison, "trimmed_share");
	size_t i;

	buffer_puts(out, "- ");
	markdown_put_text(json_get_text(document, "case_id"), out);
	buffer_printf(out, ": outputs %s; a group is its %s",
		      json_get_text(json_object_get(document, "correct"), "status"),
		      strcmp(json_get_text(document, "collapse"), "median") == 0 ? "median"
										 : "trimmed mean");
	if (trimmed == trimmed)
		buffer_printf(out, "; the upper trim would leave out %.2g %% of the samples",
			      100 * trimmed);
	buffer_puts(out, "; looks at");
	json_array_foreach(json_object_get(document, "looks"), i, look)
		buffer_printf(out, "%s %lld", i > 0 ? "," : "", json_get_integer(look, "pairs", 0));
	buffer_printf(out, "%s%lld pairs\n", "; now ",
		      json_get_integer(json_object_get(document, "pairs"), "complete", 0));
}

void
methods_put(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *entry, *session;
	struct buffer sentence = BUFFER_EMPTY;
	size_t c, s;

	buffer_puts(out, "**Methods.** ");
	methods_put_sentence(report, experiment, &sentence);
	markdown_put_text(buffer_text(&sentence), out);
	buffer_free(&sentence);
	buffer_puts(out, "\n\n");
	json_array_foreach(json_object_get(experiment, "cases"), c, entry)
		put_case_line(document_case(report, entry), out);
	buffer_puts(out, "\n| case | session | started (UTC) | groups | failed | orphans | commit | end "
			 "|\n|---|---|---|---|---|---|---|---|\n");
	json_array_foreach(json_object_get(experiment, "cases"), c, entry)
		json_array_foreach(json_object_get(document_case(report, entry), "sessions"), s, session)
			put_session(document_case(report, entry), session, out);
	buffer_putc(out, '\n');
}

void
methods_put_measured(const struct report *report, struct buffer *out)
{
	const json_t *measured = json_object_get(report->stats, "measured_at");
	const char *first = json_string_value(json_array_get(measured, 0));
	const char *last = json_string_value(json_array_get(measured, 1));

	buffer_puts(out, "---\n\n## Where these numbers come from\n\n");
	buffer_puts(out, "Measured on ");
	markdown_put_text(json_get_text(json_object_get(report->stats, "machine"), "model"), out);
	buffer_printf(out, ", from %.19s to %.19s UTC, commit %.12s%s. The raw records, one file a "
			   "process, are in `results/`; each table and figure can be recomputed from them.\n",
		      first != NULL ? first : "", last != NULL ? last : "",
		      json_get_text(report->stats, "commit"),
		      json_is_true(json_object_get(report->stats, "dirty")) ? " with local changes" : "");
}

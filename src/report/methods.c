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
	if (strchr(cpus, '{') != NULL)
		return "pinned to whole cores of its own, as many as it asks for";
	return strcmp(cpus, "none") == 0 ? "not pinned" : cpus;
}

static bool
is_exploratory(const struct report *report, const json_t *experiment)
{
	const json_t *entry;
	size_t c;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry)
		if (json_is_true(json_object_get(document_case(report, entry), "exploratory")))
			return true;
	return false;
}

/* "16 adjacent pairs", "at most 60 adjacent pairs" where the rule may stop earlier. */
static void
put_pairs(const json_t *design, struct buffer *out)
{
	long long pairs = json_get_integer(design, "pairs", 0);
	long long most = json_get_integer(design, "max_pairs", 0);
	const char *stop = json_get_text(design, "stop");

	if (strcmp(stop, "fixed") == 0)
		buffer_printf(out, "%lld adjacent pairs", pairs);
	else if (most > 0 || strcmp(stop, "looks") == 0)
		buffer_printf(out, "at most %lld adjacent pairs", most > 0 ? most : pairs);
	else
		buffer_puts(out, "adjacent pairs");
}

static const char *
stop_words(const struct report *report, const json_t *experiment)
{
	const json_t *design = json_object_get(experiment, "design");
	const char *stop = json_get_text(design, "stop");

	if (is_exploratory(report, experiment))
		return "some of them added after a look, without a rule declared before it (exploratory)";
	if (strcmp(stop, "until_ci") == 0)
		return "until the interval was as narrow as declared";
	if (strcmp(stop, "looks") == 0)
		return "with looks planned beforehand (O'Brien-Fleming spending)";
	if (json_get_integer(design, "max_pairs", 0) > 0)
		return "within the number declared beforehand (Pocock spending over the looks)";
	return "a number fixed beforehand";
}

static void
put_benchmark_words(const json_t *metric, const char *collapse, long long samples,
		    struct buffer *out)
{
	const char *name = json_get_text(metric, "name");

	buffer_puts(out, strcmp(name, "wall_us") == 0  ? " of an item is its real_time"
			 : strcmp(name, "cpu_us") == 0 ? " of an item is its cpu_time"
						       : " of an item is the counter");
	buffer_puts(out, " as Google Benchmark gives it for one iteration, of a process ");
	if (samples == 1) {
		buffer_puts(out, "its one repetition");
		return;
	}
	buffer_printf(out, "the %s of its ", strcmp(collapse, "trimmed_mean") == 0
						     ? "mean after the upper trim" : "median");
	if (samples > 0)
		buffer_printf(out, "%lld ", samples);
	buffer_puts(out, "repetitions");
}

/* What the primary metric of a process is. How many samples a program printed is its own affair,
 * so they are counted; 0: not the same number everywhere. */
static void
put_value_words(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *metric = json_array_get(json_object_get(experiment, "metrics"), 0);
	const char *collapse = json_get_text(json_object_get(experiment, "design"), "collapse");
	long long samples = document_samples(report, experiment);

	buffer_puts(out, json_get_text(metric, "name"));
	if (strcmp(json_get_text(metric, "scope"), "process") == 0) {
		buffer_puts(out, " is that of the whole process");
		return;
	}
	if (strcmp(json_get_text(experiment, "reader"), "google-benchmark") == 0) {
		put_benchmark_words(metric, collapse, samples, out);
		return;
	}
	if (json_is_string(json_object_get(metric, "per")))
		buffer_puts(out, " (a time over the work that CFG tells of it)");
	if (samples == 1) {
		buffer_puts(out, " of a process is its one sample (timed inside the process)");
		return;
	}
	buffer_printf(out, " of a process is the %s of its ",
		      strcmp(collapse, "trimmed_mean") == 0 ? "mean after the upper trim" : "median");
	if (samples > 0)
		buffer_printf(out, "%lld ", samples);
	buffer_puts(out, "samples (timed inside the process)");
}

void
methods_put_sentence(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *design = json_object_get(experiment, "design");

	buffer_printf(out, "Each group of samples is a process of its own, %s; ",
		      cpus_words(json_get_text(experiment, "cpus")));
	put_pairs(design, out);
	buffer_printf(out,
		      ", %s, %s, %lld A/A control pairs, and before them in each session warm-up processes "
		      "of each variant (%lld); ",
		      stop_words(report, experiment), order_words(design),
		      json_get_integer(design, "aa_pairs", 0), json_get_integer(design, "warmups", 0));
	put_value_words(report, experiment, out);
	buffer_printf(out,
		      "; the ratio is half the Hodges-Lehmann shift between the orders with the exact "
		      "Mann-Whitney interval, on %s; one build, memory layout not varied.",
		      json_get_text(json_object_get(report->stats, "machine"), "model"));
}

/* "c0ffee123456 (another, with changes)": what is not as it is for most sessions of the study. */
static void
put_commit(const json_t *session, struct buffer *out)
{
	bool other = json_array_size(json_object_get(session, "differs")) > 0;
	bool dirty = json_is_true(json_object_get(session, "dirty"));
	const char *commit = json_get_text(session, "commit");

	buffer_printf(out, "%.12s", commit[0] != '\0' || !other ? commit : "none");
	if (other || dirty)
		buffer_printf(out, " (%s%s%s)", other ? "**another**" : "", other && dirty ? ", " : "",
			      dirty ? "dirty" : "");
}

static void
put_session(const json_t *document, const json_t *session, struct buffer *out)
{
	const char *point = json_get_text(document, "point_text");

	buffer_puts(out, "| ");
	markdown_put_text(point[0] != '\0' ? point : "-", out);
	buffer_printf(out, " | %lld | %.19s | %lld | %lld | %lld | ",
		      json_get_integer(session, "session", 0), json_get_text(session, "started"),
		      json_get_integer(session, "groups", 0), json_get_integer(session, "failed", 0),
		      json_get_integer(session, "orphans", 0));
	put_commit(session, out);
	buffer_printf(out, " | %s |\n",
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
	if (json_is_true(json_object_get(document, "recorded"))) {
		buffer_puts(out, "; recorded on another machine (");
		markdown_put_text(json_get_text(json_array_get(json_object_get(document, "sessions"), 0),
						"machine"), out);
		buffer_puts(out, ")");
	}
	buffer_printf(out, "; now %lld pairs and %lld A/A pairs\n",
		      json_get_integer(json_object_get(document, "pairs"), "complete", 0),
		      json_get_integer(json_object_get(item, "aa"), "pairs", 0));
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

/* What of the study comes from elsewhere than the rest. */
static void
put_origins(const json_t *origins, struct buffer *out)
{
	long long sessions = json_get_integer(origins, "sessions", 0);
	long long cases[] = {json_get_integer(origins, "other_machine", 0),
			     json_get_integer(origins, "other_regime", 0)};
	static const char *const where[] = {"on another machine", "in another state of the machine"};
	long long other = json_get_integer(origins, "other_commit", 0);
	long long dirty = json_get_integer(origins, "dirty", 0);
	size_t i;

	if (other > 0)
		buffer_printf(out, " %lld of %lld sessions %s measured at another commit than the rest; the "
			      "tables above mark %s.", other, sessions, other == 1 ? "was" : "were",
			      other == 1 ? "it" : "them");
	if (dirty > 0 && dirty < sessions)
		buffer_printf(out, " %lld of %lld sessions %s measured with local changes (dirty).", dirty,
			      sessions, dirty == 1 ? "was" : "were");
	for (i = 0; i < 2; i++)
		if (cases[i] > 0)
			buffer_printf(out, " %lld case%s measured %s than the rest; %s warning says what "
				      "differs.", cases[i], cases[i] == 1 ? " was" : "s were", where[i],
				      cases[i] == 1 ? "its" : "their");
}

void
methods_put_measured(const struct report *report, struct buffer *out)
{
	const json_t *measured = json_object_get(report->stats, "measured_at");
	const char *first = json_string_value(json_array_get(measured, 0));
	const char *last = json_string_value(json_array_get(measured, 1));
	const json_t *origins = json_object_get(report->stats, "origins");
	const char *commit = json_get_text(origins, "commit");

	buffer_puts(out, "---\n\n## Where these numbers come from\n\n");
	buffer_puts(out, "Measured on ");
	markdown_put_text(json_get_text(json_object_get(report->stats, "machine"), "model"), out);
	buffer_printf(out, ", from %.19s to %.19s UTC", first != NULL ? first : "",
		      last != NULL ? last : "");
	if (commit[0] != '\0')
		buffer_printf(out, ", commit %.12s%s", commit,
			      json_get_integer(origins, "dirty", 0) == json_get_integer(origins, "sessions", 0)
				      ? " with local changes"
				      : "");
	buffer_puts(out, ".");
	put_origins(origins, out);
	buffer_puts(out, " The raw records, one file a process, are in `results/`; each table and figure "
			 "can be recomputed from them.\n");
}

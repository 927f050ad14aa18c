#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "provenance/bundle_parts.h"
#include "provenance/used_files.h"

/* Raw records and all that is derived from them. Only what the current plan names: other
 * identities are other measurements. */

static void
add_file(struct bundle *bundle, const char *path)
{
	char *name = memory_format("data/study/%s", path);

	contents_add_file(&bundle->contents, name, path);
	free(name);
}

static void __attribute__((format(printf, 2, 3)))
add_named(struct bundle *bundle, const char *format, ...)
{
	va_list arguments;
	char path[4096];

	va_start(arguments, format);
	vsnprintf(path, sizeof path, format, arguments);
	va_end(arguments);
	add_file(bundle, path);
}

/* ---- sessions ---- */

static int64_t
seconds_of(const char *text)
{
	struct tm parts;

	memset(&parts, 0, sizeof parts);
	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
		   &parts.tm_hour, &parts.tm_min, &parts.tm_sec) != 6)
		return 0;
	parts.tm_year -= 1900;
	parts.tm_mon -= 1;
	return timegm(&parts);
}

static json_t *
read_beside(const char *folder, const char *name)
{
	char *path = memory_format("%s/%s", folder, name);
	json_t *value = file_exists(path) ? json_read_file(path, NULL) : NULL;

	free(path);
	return value;
}

static void
add_session(struct bundle *bundle, const char *case_id, const char *experiment,
	    const char *folder)
{
	json_t *end = read_beside(folder, "end.json");
	struct bundle_session *session;
	const char *reason = json_get_text(end, "reason");

	bundle->sessions = memory_grow(bundle->sessions, bundle->session_count,
				       &bundle->session_capacity, sizeof *bundle->sessions);
	session = &bundle->sessions[bundle->session_count++];
	memset(session, 0, sizeof *session);
	session->case_id = memory_copy_text(case_id);
	session->experiment = memory_copy_text(experiment);
	session->folder = memory_format("study/%s", folder);
	session->provenance = read_beside(folder, "provenance.json");
	session->started = memory_copy_text(json_get_text(session->provenance, "started"));
	session->ended = memory_copy_text(json_get_text(end, "ended"));
	session->started_s = seconds_of(session->started);
	session->ended_s = seconds_of(session->ended);
	session->good = json_is_true(json_object_get(end, "finished")) &&
			!json_is_true(json_object_get(end, "invalid"));
	if (end == NULL)
		reason = "it was ended before it could close its records";
	session->reason = memory_copy_text(reason);
	json_decref(end);
}

static void
add_sessions(struct bundle *bundle, const char *case_id, const char *experiment,
	     const char *folder)
{
	char *place = memory_format("%s/sessions", folder);
	struct dirent **entries = NULL;
	int count = scandir(place, &entries, NULL, alphasort), i;

	for (i = 0; i < count; i++) {
		char *session = memory_format("%s/%s", place, entries[i]->d_name);

		if (entries[i]->d_name[0] != '.')
			add_session(bundle, case_id, experiment, session);
		free(session);
		free(entries[i]);
	}
	free(entries);
	free(place);
}

/* ---- records ---- */

/* A diff made before a path became private may hold it. */
static bool
shows_private(const struct bundle *bundle, const char *diff)
{
	const json_t *list = json_object_get(bundle->study, "private");
	struct buffer text = BUFFER_EMPTY;
	bool shows = file_read(diff, 0, &text, NULL) != 0;
	size_t i;

	for (i = 0; !shows && i < json_array_size(list); i++) {
		const char *path = json_string_value(json_array_get(list, i));

		shows = path != NULL && path[0] != '\0' &&
			strstr(buffer_text(&text), path) != NULL;
	}
	buffer_free(&text);
	return shows;
}

static bool
skips(const char *path, const char *base_name, void *context)
{
	struct bundle *bundle = context;
	const char *untracked = strstr(path, "/untracked/");
	bool left_out;
	char *name;

	if (strstr(base_name, ".tmp.") != NULL || strcmp(base_name, "running") == 0)
		return true;
	left_out = untracked != NULL &&
		   used_files_is_private(bundle->study, untracked + strlen("/untracked/"));
	if (strcmp(base_name, "diff.patch") == 0 &&
	    json_array_size(json_object_get(bundle->study, "private")) > 0)
		left_out = shows_private(bundle, path);
	if (!left_out)
		return false;
	name = memory_format("data/study/%s", path);
	contents_note(&bundle->contents.left_out, name, "it shows what is private, says the study");
	free(name);
	return true;
}

/* The first 16 digits of the identity in build/identity/C; "" when it was not checked yet. */
static void
read_identity(const char *case_id, char hex[17])
{
	char *path = memory_format("build/identity/%s", case_id);
	struct buffer text = BUFFER_EMPTY;

	hex[0] = '\0';
	if (file_read(path, 0, &text, NULL) == 0 && text.length >= 64 &&
	    strspn(text.bytes, "0123456789abcdef") == 64) {
		memcpy(hex, text.bytes, 16);
		hex[16] = '\0';
	}
	buffer_free(&text);
	free(path);
}

static void
add_case(struct bundle *bundle, const char *case_id, const char *experiment)
{
	char hex[17], *folder, *name;

	add_named(bundle, "build/plan/%s.json", case_id);
	add_named(bundle, "build/identity/%s", case_id);
	add_named(bundle, "build/samples/%s.csv", case_id);
	add_named(bundle, "build/stats/%s.json", case_id);
	read_identity(case_id, hex);
	if (hex[0] == '\0')
		return;
	folder = memory_format("results/%s/%s", case_id, hex);
	name = memory_format("data/study/%s", folder);
	contents_add_tree(&bundle->contents, name, folder, skips, bundle);
	add_sessions(bundle, case_id, experiment, folder);
	free(name);
	free(folder);
}

/* ---- what is derived from them ---- */

static void
add_figures(struct bundle *bundle, const char *base, const json_t *experiment)
{
	static const char *const ends[] = {"csv", "gnuplot", "svg", "pdf", "png"};
	const json_t *figures = json_object_get(experiment, "figures");
	size_t i, k;

	for (i = 0; i < json_array_size(figures); i++)
		for (k = 0; k < sizeof ends / sizeof *ends; k++)
			add_named(bundle, "%s/report/figures/%s-%s.%s", base,
				  json_get_text(experiment, "name"),
				  json_get_text(json_array_get(figures, i), "label"), ends[k]);
}

/* Its own page, and how its groups agree; what is not there is nothing. */
static void
add_pages(struct bundle *bundle, const char *base, const json_t *experiment)
{
	const char *name = json_get_text(experiment, "name");

	add_named(bundle, "%s/report/%s.html", base, name);
	if (json_object_get(experiment, "group_report") == NULL)
		return;
	add_named(bundle, "%s/report/groups/%s.csv", base, name);
	add_named(bundle, "%s/report/groups/%s.txt", base, name);
}

static void
add_counters(struct bundle *bundle, const json_t *experiment)
{
	const json_t *cases = json_object_get(experiment, "cases");
	size_t i;

	for (i = 0; json_object_get(experiment, "counters") != NULL && i < json_array_size(cases); i++)
		add_named(bundle, "build/samples/%s.counters.csv",
			  json_get_text(json_array_get(cases, i), "case_id"));
}

/* The tools' own files hold names of the machine; what they told is in the record. */
static void
add_diagnosis(struct bundle *bundle, const json_t *experiment)
{
	if (json_object_get(experiment, "diagnose") != NULL)
		add_named(bundle, "build/diagnose/%s.json", json_get_text(experiment, "name"));
}

/* `base` holds study.json, stats.json and report/. */
static void
add_base(struct bundle *bundle, const char *base, const json_t *study)
{
	static const char *const files[] = {"study.json", "stats.json", "report/report.html",
					    "report/report.md", "report/results.tex", "report/summary.csv",
					    "report/summary.txt"};
	const json_t *experiment, *one;
	size_t i, k;

	for (i = 0; i < sizeof files / sizeof *files; i++)
		add_named(bundle, "%s/%s", base, files[i]);
	json_array_foreach(json_object_get(study, "experiments"), i, experiment) {
		json_array_foreach(json_object_get(experiment, "cases"), k, one)
			add_case(bundle, json_get_text(one, "case_id"), json_get_text(experiment, "name"));
		add_figures(bundle, base, experiment);
		add_pages(bundle, base, experiment);
		add_counters(bundle, experiment);
		add_diagnosis(bundle, experiment);
	}
}

/* ---- forms of experiments, which are measured only where somebody asked for it ---- */

/* Was what is in the report measured for the case as it now is? */
static bool
is_current(const json_t *stats, const char *case_id)
{
	const json_t *document = json_object_get(json_object_get(stats, "cases"), case_id);
	char hex[17];

	read_identity(case_id, hex);
	return hex[0] != '\0' && strncmp(json_get_text(document, "identity"), hex, 16) == 0 &&
	       json_get_integer(json_object_get(document, "pairs"), "complete", 0) > 0;
}

static bool
has_records(const char *case_id)
{
	char *path = memory_format("results/%s", case_id);
	bool has = file_exists(path);

	free(path);
	return has;
}

/* Its cases: how many there are, how many of them stand in its report as they are now, and how many
 * have records of whatever identity. */
struct form_state {
	size_t cases, current, recorded;
};

static struct form_state
look_at_form(const json_t *study, const json_t *stats)
{
	struct form_state state = {0};
	const json_t *experiment, *one;
	size_t i, k;

	json_array_foreach(json_object_get(study, "experiments"), i, experiment)
		json_array_foreach(json_object_get(experiment, "cases"), k, one) {
			const char *case_id = json_get_text(one, "case_id");

			state.cases++;
			state.current += is_current(stats, case_id);
			state.recorded += has_records(case_id);
		}
	return state;
}

static void
add_form(struct bundle *bundle, const char *form)
{
	char *base = memory_format("build/form/%s", form);
	json_t *study = read_beside(base, "study.json"), *stats = read_beside(base, "stats.json");
	struct form_state state = look_at_form(study, stats);
	size_t before = bundle->session_count;

	if (state.cases > 0 && state.current == state.cases) {
		add_base(bundle, base, study);
		for (; before < bundle->session_count; before++)
			bundle->sessions[before].of_form = true;
		bundle->form_count++;
	} else if (state.recorded > 0) {
		contents_note(&bundle->contents.aside, form,
			      "left out: there are records of this form, but not all that it would measure now; "
			      "'ninja' with its name measures the rest, and the next bundle has it");
	}
	json_decref(study);
	json_decref(stats);
	free(base);
}

void
bundle_add_results(struct bundle *bundle)
{
	const json_t *form;
	size_t i;

	add_base(bundle, "build", bundle->study);
	json_array_foreach(json_object_get(bundle->study, "forms"), i, form)
		add_form(bundle, json_string_value(form));
}

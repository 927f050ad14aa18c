#include <getopt.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/form.h"
#include "report/document.h"
#include "report/group_csv.h"
#include "report/group_text.h"
#include "report/html.h"
#include "report/latex.h"
#include "report/markdown.h"
#include "report/summary.h"
#include "session/lock.h"
#include "spec/host.h"

/* What the command is about. */
struct request {
	char *base;   /* "build", or a form's folder */
	char *folder; /* <base>/report */
};

static int
publish(const struct request *request, const char *name, struct buffer *bytes, struct error *error)
{
	char *path = memory_format("%s/%s", request->folder, name);
	int result = file_write(path, buffer_text(bytes), bytes->length, FILE_IF_CHANGED, error);

	buffer_free(bytes);
	free(path);
	return result;
}

static int
write_page(const struct request *request, const struct report *report, struct host *host,
	   const struct study *study, const json_t *experiment, struct error *error)
{
	struct buffer markdown = BUFFER_EMPTY, html = BUFFER_EMPTY;
	char *name = memory_format("%s.html", json_get_text(experiment, "name"));
	int result = markdown_write_page(report, host, study, experiment, &markdown, error);

	if (result == 0)
		result = html_write(json_get_text(experiment, "title"), &markdown, request->folder, &html, error);
	if (result == 0)
		result = publish(request, name, &html, error);
	buffer_free(&markdown);
	buffer_free(&html);
	free(name);
	return result;
}

static bool
is_wanted(const struct report *report, const char *name)
{
	const json_t *experiment;
	bool is = strcmp(name, "report.html") == 0;
	size_t i;

	json_array_foreach(json_object_get(report->study, "experiments"), i, experiment) {
		char *page = memory_format("%s.html", json_get_text(experiment, "name"));

		is |= report->has_pages && strcmp(name, page) == 0;
		free(page);
	}
	return is;
}

/* Of experiments that are no more: nothing old may look as if it were of today. */
static int
remove_old_pages(const struct request *request, const struct report *report, struct error *error)
{
	char *pattern = memory_format("%s/*.html", request->folder);
	glob_t found = {0};
	int result = 0;
	size_t i;

	if (glob(pattern, 0, NULL, &found) == 0)
		for (i = 0; i < found.gl_pathc; i++)
			if (!is_wanted(report, strrchr(found.gl_pathv[i], '/') + 1) &&
			    unlink(found.gl_pathv[i]) != 0)
				result = error_set_errno(error, "cannot remove %s", found.gl_pathv[i]);
	globfree(&found);
	free(pattern);
	return result;
}

static int
write_pages(const struct request *request, const struct report *report, struct error *error)
{
	struct host *host = host_new();
	const struct study *study;
	struct buffer markdown = BUFFER_EMPTY, html = BUFFER_EMPTY;
	const json_t *experiment;
	int result = -1;
	size_t i;

	host_for_text(host);
	study = host_load(host, json_get_text(report->study, "entry"), error);
	if (study != NULL && markdown_write(report, host, study, &markdown, error) == 0)
		result = html_write(json_get_text(report->study, "title"), &markdown, request->folder, &html,
				    error);
	if (result == 0)
		result = publish(request, "report.html", &html, error);
	if (result == 0)
		result = publish(request, "report.md", &markdown, error);
	json_array_foreach(json_object_get(report->study, "experiments"), i, experiment)
		if (result == 0 && report->has_pages)
			result = write_page(request, report, host, study, experiment, error);
	if (result == 0)
		result = remove_old_pages(request, report, error);
	buffer_free(&markdown);
	buffer_free(&html);
	host_free(host);
	return result;
}

/* ---- the group reports ---- */

static void
put_group_texts(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(experiment, "cases"), i, entry) {
		const json_t *document = document_case(report, entry);
		const json_t *groups = json_object_get(document, "group_report");

		if (groups != NULL)
			group_text_put(groups, out);
		else
			buffer_printf(out, "no groups of %s: %s\n", json_get_text(entry, "case_id"),
				      json_get_text(document, "invalid_reason"));
	}
}

static int
write_groups_of(const struct request *request, const struct report *report, const json_t *experiment,
		struct error *error)
{
	char *text_name = memory_format("groups/%s.txt", json_get_text(experiment, "name"));
	char *csv_name = memory_format("groups/%s.csv", json_get_text(experiment, "name"));
	struct buffer text = BUFFER_EMPTY, csv = BUFFER_EMPTY;
	int result = group_csv_put(report, experiment, &csv, error);

	put_group_texts(report, experiment, &text);
	if (result == 0)
		result = publish(request, csv_name, &csv, error);
	if (result == 0)
		result = publish(request, text_name, &text, error);
	buffer_free(&csv);
	buffer_free(&text);
	free(text_name);
	free(csv_name);
	return result;
}

static int
write_groups(const struct request *request, const struct report *report, struct error *error)
{
	const json_t *experiment;
	int result = 0;
	size_t i;

	json_array_foreach(json_object_get(report->study, "experiments"), i, experiment)
		if (result == 0 && group_csv_wanted(experiment))
			result = write_groups_of(request, report, experiment, error);
	return result;
}

static int
write_report(const struct request *request, struct error *error)
{
	struct buffer tex = BUFFER_EMPTY, csv = BUFFER_EMPTY, text = BUFFER_EMPTY;
	struct report report;
	int result;

	if (report_read(&report, request->base, error) != 0)
		return -1;
	report.has_pages = strcmp(request->base, "build") == 0; /* that of a form is its experiment's */
	latex_write(&report, &tex);
	summary_write_csv(&report, &csv);
	summary_write_text(&report, request->folder, &text);
	/* The pages last: they need the specs to run, numbers do not. */
	result = publish(request, "results.tex", &tex, error);
	if (result == 0)
		result = publish(request, "summary.csv", &csv, error);
	if (result == 0)
		result = publish(request, "summary.txt", &text, error);
	if (result == 0)
		result = write_groups(request, &report, error);
	if (result == 0)
		result = write_pages(request, &report, error);
	buffer_free(&tex);
	buffer_free(&csv);
	buffer_free(&text);
	report_free(&report);
	return result;
}

/* ---- the gate ---- */

static int
print_summary(const struct request *request, struct error *error)
{
	char *path = memory_format("%s/summary.txt", request->folder);
	struct buffer text = BUFFER_EMPTY;
	int result = file_read(path, 0, &text, error);

	if (result == 0)
		fputs(buffer_text(&text), stdout);
	buffer_free(&text);
	free(path);
	return result;
}

/* Written even where it is the same: Ninja looks at its time. */
static int
write_stamp(const struct request *request, struct error *error)
{
	char *path = memory_format("%s/gate", request->folder);
	int result = file_write(path, "holds\n", 6, 0, error);

	free(path);
	return result;
}

/* The last edge: shows the summary, and fails when something does not hold, so that it runs
 * again until it does. Ninja folds exit codes; bootstrap reads the number from a file. */
static int
gate(const struct request *request, struct error *error)
{
	struct buffer code_text = BUFFER_EMPTY;
	struct report report;
	int code;

	if (report_read(&report, request->base, error) != 0)
		return -1;
	code = (int)json_get_integer(report.stats, "exit_code", EXIT_FAILED);
	report_free(&report);
	if (print_summary(request, error) != 0)
		return -1;
	buffer_printf(&code_text, "%d\n", code);
	if (publish(request, "exit_code", &code_text, error) != 0)
		return -1;
	if (code == EXIT_DONE && write_stamp(request, error) != 0)
		return -1;
	return code;
}

static int
run_locked(const struct request *request, bool is_gate, struct error *error)
{
	struct lock *lock = lock_open("report", error);
	int result = -1;

	if (lock != NULL && lock_acquire(lock, LOCK_SHARED, error) == 0)
		result = is_gate ? gate(request, error) : write_report(request, error);
	lock_close(lock);
	return result;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {
		{"gate", no_argument, NULL, 'g'},
		{"form", required_argument, NULL, 'f'},
		{NULL, 0, NULL, 0},
	};
	struct error error = {0};
	struct request request;
	const char *form = NULL;
	bool is_gate = false;
	int option, result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'g')
			is_gate = true;
		else if (option == 'f')
			form = optarg;
		else
			return command_misuse(&command_report, "unknown option");
	}
	if (optind != argc)
		return command_misuse(&command_report, "it takes no arguments");
	request.base = form_base(form);
	request.folder = memory_format("%s/report", request.base);
	result = run_locked(&request, is_gate, &error);
	free(request.base);
	free(request.folder);
	return result < 0 ? error_print(&error) : result;
}

const struct command command_report = {
	"report",
	"weave the report from statistics and figures",
	"usage: assay report           writes build/report/report.{html,md}, EXPERIMENT.html, results.tex,\n"
	"                              summary.{csv,txt}\n"
	"       assay report --gate    prints the summary; exit code 3 when a claim or check does not hold,\n"
	"                              5 when a case has no valid pair, 1 when groups failed\n"
	"       … --form NAME          of a form of an experiment (docs/spec.md), in build/form/NAME\n\n"
	"Where an experiment declares a group_report, groups/EXPERIMENT.{txt,csv} as well.",
	run,
};

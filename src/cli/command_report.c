#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "report/document.h"
#include "report/html.h"
#include "report/latex.h"
#include "report/markdown.h"
#include "report/summary.h"
#include "session/lock.h"
#include "spec/host.h"

#define FOLDER "build/report"

static int
publish(const char *path, struct buffer *bytes, struct error *error)
{
	int result = file_write(path, buffer_text(bytes), bytes->length, FILE_IF_CHANGED, error);

	buffer_free(bytes);
	return result;
}

static int
write_pages(const struct report *report, struct error *error)
{
	struct host *host = host_new();
	const struct study *study;
	struct buffer markdown = BUFFER_EMPTY, html = BUFFER_EMPTY;
	int result = -1;

	host_for_text(host);
	study = host_load(host, json_get_text(report->study, "entry"), error);
	if (study != NULL && markdown_write(report, host, study, &markdown, error) == 0)
		result = html_write(json_get_text(report->study, "title"), &markdown, FOLDER, &html, error);
	if (result == 0)
		result = publish(FOLDER "/report.html", &html, error);
	if (result == 0)
		result = publish(FOLDER "/report.md", &markdown, error);
	buffer_free(&markdown);
	buffer_free(&html);
	host_free(host);
	return result;
}

static int
write_report(struct error *error)
{
	struct buffer tex = BUFFER_EMPTY, csv = BUFFER_EMPTY, text = BUFFER_EMPTY;
	struct report report;
	int result;

	if (report_read(&report, error) != 0)
		return -1;
	latex_write(&report, &tex);
	summary_write_csv(&report, &csv);
	summary_write_text(&report, &text);
	/* The pages last: they need the specs to run, numbers do not. */
	result = publish(FOLDER "/results.tex", &tex, error);
	if (result == 0)
		result = publish(FOLDER "/summary.csv", &csv, error);
	if (result == 0)
		result = publish(FOLDER "/summary.txt", &text, error);
	if (result == 0)
		result = write_pages(&report, error);
	buffer_free(&tex);
	buffer_free(&csv);
	buffer_free(&text);
	report_free(&report);
	return result;
}

/* The last edge: shows the summary, and fails when something does not hold, so that it runs
 * again until it does. Ninja folds exit codes; bootstrap reads the number from a file. */
static int
gate(struct error *error)
{
	struct buffer text = BUFFER_EMPTY, code_text = BUFFER_EMPTY;
	struct report report;
	int code;

	if (report_read(&report, error) != 0)
		return -1;
	code = (int)json_get_integer(report.stats, "exit_code", EXIT_FAILED);
	report_free(&report);
	if (file_read(FOLDER "/summary.txt", 0, &text, error) != 0)
		return -1;
	fputs(buffer_text(&text), stdout);
	buffer_free(&text);
	buffer_printf(&code_text, "%d\n", code);
	if (publish(FOLDER "/exit_code", &code_text, error) != 0)
		return -1;
	if (code == EXIT_DONE && file_write(FOLDER "/gate", "holds\n", 6, 0, error) != 0)
		return -1;
	return code;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {{"gate", no_argument, NULL, 'g'}, {NULL, 0, NULL, 0}};
	struct error error = {0};
	struct lock *lock;
	bool is_gate = false;
	int option, result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'g')
			return command_misuse(&command_report, "unknown option");
		is_gate = true;
	}
	if (optind != argc)
		return command_misuse(&command_report, "it takes no arguments");
	lock = lock_open("report", &error);
	if (lock == NULL || lock_acquire(lock, LOCK_SHARED, &error) != 0)
		return error_print(&error);
	result = is_gate ? gate(&error) : write_report(&error);
	lock_close(lock);
	return result < 0 ? error_print(&error) : result;
}

const struct command command_report = {
	"report",
	"weave the report from statistics and figures",
	"usage: assay report           writes build/report/report.{html,md}, results.tex, summary.{csv,txt}\n"
	"       assay report --gate    prints the summary; exit code 3 when a claim or check does not hold,\n"
	"                              5 when a case has no valid pair, 1 when groups failed",
	run,
};

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/stored_case.h"
#include "compare/export.h"
#include "compare/hook.h"
#include "compare/live.h"
#include "compare/options.h"
#include "compare/outputs.h"
#include "compare/result.h"
#include "compare/revisions.h"
#include "compare/spec.h"
#include "compare/study_files.h"
#include "compare/workspace.h"
#include "report/document.h"
#include "session/interrupt.h"
#include "session/measure.h"

/*
 * A comparison is a study of one experiment, made in a folder of its own and taken through the
 * same steps as any other: here they are only strung together.
 */
struct comparing {
	struct compare_options options;
	struct workspace workspace;
	json_t *cases;            /* of build/study.json; borrowed from `study` */
	json_t *study;
	struct result_notes notes;
	bool set_up;              /* --setup was begun, so --cleanup is due */
	FILE *people;             /* where the result goes */
	struct error error;
};

/* Another command's step, with its own messages. 0, or its exit code. */
static int
step(const struct command *command, const char *first, const char *second)
{
	char *argv[] = {(char *)command->name, (char *)first, (char *)second, NULL};

	optind = 0;
	return command->run(second != NULL ? 3 : 2, argv);
}

static bool
is_interrupted(struct comparing *comparing)
{
	if (*interrupt_flag())
		error_set(&comparing->error, EXIT_INTERRUPTED, "interrupted");
	return *interrupt_flag() != 0;
}

static int
prepare(struct comparing *comparing)
{
	const struct compare_options *options = &comparing->options;
	struct error *error = &comparing->error;

	if (workspace_open("compare", options->keep, &comparing->workspace, error) != 0 ||
	    revisions_build(&comparing->options, interrupt_flag(), options->quiet ? NULL : stderr,
			    error) != 0 ||
	    study_files_write(options, options->check_output == OUTPUT_CHECK_ALWAYS, error) != 0)
		return -1;
	comparing->study = json_read_file("build/study.json", error);
	if (comparing->study == NULL)
		return -1;
	comparing->cases = json_object_get(
		json_array_get(json_object_get(comparing->study, "experiments"), 0), "cases");
	if (is_interrupted(comparing))
		return -1;
	comparing->set_up = true;
	return hook_run("setup", &options->setup, options->folder, interrupt_flag(), error);
}

/* ---- measuring ---- */

static int
measure(struct comparing *comparing, const json_t *one)
{
	struct live live;
	struct measure_options how = {.case_id = json_get_text(one, "case_id"), .rule = &live.rule,
				      .watcher = &live.watcher};
	int result;

	live_begin(&live, &comparing->options, json_get_text(one, "point_text"),
		   comparing->options.quiet ? NULL : stderr);
	result = measure_case(&how, &comparing->error);
	live_end(&live);
	return result;
}

static int
measure_all(struct comparing *comparing)
{
	const json_t *one;
	size_t i;

	json_array_foreach(comparing->cases, i, one)
		if (is_interrupted(comparing) || measure(comparing, one) != 0)
			return -1;
	return 0;
}

/* ---- outputs ---- */

/* *equal: of this case, they are. Where they can't be compared, the notes say why. */
static int
look_at_outputs(struct comparing *comparing, const char *case_id, bool *equal)
{
	struct stored_case one;
	char *detail = NULL;
	int result = stored_case_read(case_id, NULL, &one, &comparing->error);

	*equal = false;
	if (result == 0) {
		enum outputs_finding finding = outputs_look(&one.store, &one.plan, &detail);

		*equal = finding == OUTPUTS_EQUAL;
		if (finding == OUTPUTS_DIFFER)
			result = error_set(&comparing->error, EXIT_NOT_HELD, "THE OUTPUTS DIFFER: %s. Where that "
					   "is as it should be, give --no-check-output", detail);
		if ((finding == OUTPUTS_VARY || finding == OUTPUTS_LARGE) && comparing->notes.outputs == NULL) {
			comparing->notes.outputs = detail;
			detail = NULL;
		}
	}
	stored_case_free(&one);
	free(detail);
	return result;
}

/* Unless it was asked for, only what can be compared is; then the study says that it was. */
static int
settle_outputs(struct comparing *comparing)
{
	bool all = true, equal;
	const json_t *one;
	size_t i;

	if (comparing->options.check_output != OUTPUT_CHECK_AUTO)
		return 0;
	json_array_foreach(comparing->cases, i, one) {
		if (look_at_outputs(comparing, json_get_text(one, "case_id"), &equal) != 0)
			return -1;
		all = all && equal;
	}
	return all ? study_files_write(&comparing->options, true, &comparing->error) : 0;
}

/* ---- result ---- */

static int
analyse(struct comparing *comparing)
{
	const json_t *one;
	size_t i;
	int code = 0;

	json_array_foreach(comparing->cases, i, one)
		if (code == 0)
			code = step(&command_analyse, "--edge", json_get_text(one, "case_id"));
	return code == 0 ? step(&command_analyse, "--study", NULL) : code;
}

static int
tell(struct comparing *comparing)
{
	const struct compare_options *options = &comparing->options;
	struct report report;
	int code = -1;

	if (report_read(&report, "build", &comparing->error) != 0)
		return -1;
	if (result_print(options, &report, &comparing->notes, comparing->people,
			 &comparing->error) == 0 &&
	    export_all(options, &report, &comparing->error) == 0)
		code = (int)json_get_integer(report.stats, "exit_code", EXIT_FAILED);
	if (code == EXIT_DONE && isfinite(options->fail_if_slower))
		code = result_gate(&report, options->fail_if_slower, stderr);
	if (code >= 0 && options->keep != NULL && !options->quiet)
		fprintf(comparing->people, "kept in %s; there, 'assay generate && ninja report' goes on\n",
			options->keep);
	report_free(&report);
	return code;
}

/* An exit code; -1 with the error. */
static int
compare(struct comparing *comparing)
{
	int code;

	if (prepare(comparing) != 0)
		return -1;
	code = step(&command_check, COMPARE_EXPERIMENT, NULL);
	if (code != 0)
		return code;
	if (measure_all(comparing) != 0 || settle_outputs(comparing) != 0)
		return -1;
	code = analyse(comparing);
	if (code != 0)
		return code;
	return is_interrupted(comparing) ? -1 : tell(comparing);
}

static int
print_failure(const struct comparing *comparing)
{
	const char *kept = comparing->options.keep;

	if (comparing->error.code != EXIT_INTERRUPTED)
		return error_print(&comparing->error);
	if (kept != NULL)
		fprintf(stderr, "assay compare: interrupted; what is complete is kept in %s\n", kept);
	else
		fprintf(stderr, "assay compare: interrupted; nothing is left behind\n");
	return EXIT_INTERRUPTED;
}

/* --cleanup comes also after a failure or Ctrl-C, and its own failure hides no other. */
static int
finish(struct comparing *comparing, int code)
{
	static const volatile int never;
	struct error error = {0};

	if (comparing->set_up && hook_run("cleanup", &comparing->options.cleanup,
					  comparing->options.folder, &never, &error) != 0) {
		error_print(&error);
		code = code == EXIT_DONE ? (int)error.code : code;
	}
	workspace_close(&comparing->workspace);
	compare_options_free(&comparing->options);
	json_decref(comparing->study);
	free(comparing->notes.outputs);
	return code;
}

static int
run(int argc, char **argv)
{
	struct comparing comparing = {.people = stdout};
	int code;

	if (compare_options_read(argc, argv, &comparing.options, &comparing.error) != 0) {
		code = comparing.error.code == EXIT_USAGE
			       ? command_misuse(&command_compare, "%s", comparing.error.message)
			       : error_print(&comparing.error);
		compare_options_free(&comparing.options);
		return code;
	}
	interrupt_watch();
	if (compare_options_export_to_stdout(&comparing.options))
		comparing.people = stderr;
	code = compare(&comparing);
	if (code < 0)
		code = print_failure(&comparing);
	return finish(&comparing, code);
}

const struct command command_compare = {
	"compare",
	"measure two or more commands against the first, without a spec",
	"usage: assay compare [OPTION]… COMMAND COMMAND…\n"
	"       assay compare [OPTION]… --rev REVISION --rev REVISION… [--build COMMAND] -- COMMAND\n"
	"Each COMMAND is one argument ('prog --fast in.txt'); the first is the baseline. Commands are split\n"
	"like a shell splits them but run without one, in this folder, in shuffled pairs AB and BA.\n\n"
	"  --name NAME            what to call the next command\n"
	"  --rev REVISION         one COMMAND, in the trees of these commits; WORKTREE: with what is not\n"
	"                         committed. --build COMMAND makes it there\n"
	"  --sweep NAME=V,V…      for each value; {NAME} in the arguments stands for it\n"
	"  --pairs N              pairs to measure (16);   --aa-pairs N  pairs of A with its own copy (4)\n"
	"  --warmups N            untimed runs of each command (1)\n"
	"  --until 1%             until the interval is that narrow;  --budget 30s  for that long at most\n"
	"  --prepare COMMAND      untimed, before each run;  --setup, --cleanup  once before and after\n"
	"  --input FILE           standard input;  --env NAME=VALUE;  --timeout 5m  of one run\n"
	"  --shell                run the commands by sh -c\n"
	"  --ignore-failure       an exit code other than 0 is no failure\n"
	"  --cpu last|first|none|N  where to run: the last core, …, N cores\n"
	"  --metric wall|user|sys|rss|PATTERN  what is compared (wall); a Lua pattern such as\n"
	"                         'latency: ([%d.]+)' finds it in the output;  --better higher|lower (lower)\n"
	"  --reader google-benchmark  the commands are Google Benchmark binaries: each benchmark has its\n"
	"                         own verdict;  --items RE  only those;  --metric cpu|COUNTER too\n"
	"  --check-output, --no-check-output  must the commands print the same? Without either: yes,\n"
	"                         where outputs are at most 1 MiB and do not change from run to run\n"
	"  --fail-if-slower 2%    exit code 3 when one is called slower and its whole 95 % interval of\n"
	"                         time / time of the first is above 1.02;\n"
	"                         5 when there is no interval, so that nobody can say\n"
	"  --json, --csv, --md, --html[=FILE]  the result for programs, to standard output without FILE\n"
	"  --keep DIR             leave a study there to go on with\n"
	"  --quiet                only the sentence and what went wrong",
	run,
};

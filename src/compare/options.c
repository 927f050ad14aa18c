#include "compare/options.h"

#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/number.h"
#include "compare/commands.h"
#include "compare/find.h"
#include "compare/metric.h"
#include "compare/option_values.h"
#include "compare/revisions.h"
#include "compare/words.h"

enum { MOST_COMMANDS = 64 };

/* Values of getopt's `val` for options without a letter. */
enum {
	OPTION_NAME = 256, OPTION_SWEEP, OPTION_PAIRS, OPTION_AA_PAIRS, OPTION_WARMUPS, OPTION_UNTIL,
	OPTION_BUDGET, OPTION_TIMEOUT, OPTION_PREPARE, OPTION_SETUP, OPTION_CLEANUP, OPTION_INPUT,
	OPTION_SHELL, OPTION_IGNORE_FAILURE, OPTION_CPU, OPTION_ENV, OPTION_METRIC, OPTION_CHECK,
	OPTION_NO_CHECK, OPTION_FAIL_IF_SLOWER, OPTION_BETTER, OPTION_READER, OPTION_ITEMS, OPTION_QUIET,
	OPTION_KEEP, OPTION_REV, OPTION_BUILD, OPTION_EXPORT,
	/* OPTION_EXPORT + enum compare_export */
};

static const struct option long_options[] = {
	{"name", required_argument, NULL, OPTION_NAME},
	{"sweep", required_argument, NULL, OPTION_SWEEP},
	{"pairs", required_argument, NULL, OPTION_PAIRS},
	{"aa-pairs", required_argument, NULL, OPTION_AA_PAIRS},
	{"warmups", required_argument, NULL, OPTION_WARMUPS},
	{"until", required_argument, NULL, OPTION_UNTIL},
	{"budget", required_argument, NULL, OPTION_BUDGET},
	{"timeout", required_argument, NULL, OPTION_TIMEOUT},
	{"prepare", required_argument, NULL, OPTION_PREPARE},
	{"setup", required_argument, NULL, OPTION_SETUP},
	{"cleanup", required_argument, NULL, OPTION_CLEANUP},
	{"input", required_argument, NULL, OPTION_INPUT},
	{"shell", no_argument, NULL, OPTION_SHELL},
	{"ignore-failure", no_argument, NULL, OPTION_IGNORE_FAILURE},
	{"cpu", required_argument, NULL, OPTION_CPU},
	{"env", required_argument, NULL, OPTION_ENV},
	{"metric", required_argument, NULL, OPTION_METRIC},
	{"better", required_argument, NULL, OPTION_BETTER},
	{"reader", required_argument, NULL, OPTION_READER},
	{"items", required_argument, NULL, OPTION_ITEMS},
	{"check-output", no_argument, NULL, OPTION_CHECK},
	{"no-check-output", no_argument, NULL, OPTION_NO_CHECK},
	{"fail-if-slower", required_argument, NULL, OPTION_FAIL_IF_SLOWER},
	{"rev", required_argument, NULL, OPTION_REV},
	{"build", required_argument, NULL, OPTION_BUILD},
	{"quiet", no_argument, NULL, OPTION_QUIET},
	{"keep", required_argument, NULL, OPTION_KEEP},
	{"json", optional_argument, NULL, OPTION_EXPORT + EXPORT_JSON},
	{"csv", optional_argument, NULL, OPTION_EXPORT + EXPORT_CSV},
	{"md", optional_argument, NULL, OPTION_EXPORT + EXPORT_MD},
	{"html", optional_argument, NULL, OPTION_EXPORT + EXPORT_HTML},
	{NULL, 0, NULL, 0},
};

/* What is only understood once --shell is known. */
struct reading {
	struct compare_options *options;
	char *next_name;
	const char *prepare, *setup, *cleanup;
	struct error *error;
};

static int
replace_path(char **path, const char *given, struct error *error)
{
	free(*path);
	*path = find_absolute(given, error);
	return *path != NULL ? 0 : -1;
}

/* ---- options ---- */

/* A command, or with --rev a revision of the one command. */
static int
add_command(struct reading *reading, const char *text, const char *revision)
{
	struct compare_options *options = reading->options;
	struct compared command = {.name = reading->next_name};

	if (revision != NULL)
		command.revision = memory_copy_text(revision);
	else
		command.text = memory_copy_text(text);
	options->commands = memory_resize(options->commands, options->command_count + 1,
					  sizeof *options->commands);
	options->commands[options->command_count++] = command;
	reading->next_name = NULL;
	return 0;
}

static int
read_name(struct reading *reading, const char *text)
{
	if (reading->next_name != NULL)
		return option_refuse("name", text, "it stands before the command that it names", reading->error);
	reading->next_name = memory_copy_text(text);
	return 0;
}

static int
read_export(const struct reading *reading, int kind, const char *path)
{
	char **slot = &reading->options->exports[kind];

	if (path != NULL)
		return replace_path(slot, path, reading->error);
	free(*slot);
	*slot = memory_copy_text("");
	return 0;
}

static int
read_number(const struct reading *reading, int option, const char *text)
{
	struct compare_options *options = reading->options;

	switch (option) {
	case OPTION_PAIRS:
		return option_count("pairs", text, 1, 100000, &options->pairs, reading->error);
	case OPTION_AA_PAIRS:
		return option_count("aa-pairs", text, 0, 100000, &options->aa_pairs, reading->error);
	case OPTION_WARMUPS:
		return option_count("warmups", text, 0, 1000, &options->warmups, reading->error);
	case OPTION_UNTIL:
		if (option_share("until", text, &options->until, reading->error) != 0)
			return -1;
		return options->until > 0 ? 0 : option_refuse("until", text, "it must be above 0", reading->error);
	case OPTION_BUDGET:
		return option_duration("budget", text, 30 * 86400.0, &options->budget_s, reading->error);
	case OPTION_TIMEOUT:
		return option_duration("timeout", text, 86400, &options->timeout_s, reading->error);
	default:
		return option_share("fail-if-slower", text, &options->fail_if_slower, reading->error);
	}
}

static void
read_flag(const struct reading *reading, int option)
{
	struct compare_options *options = reading->options;

	options->shell |= option == OPTION_SHELL;
	options->ignore_failure |= option == OPTION_IGNORE_FAILURE;
	options->quiet |= option == OPTION_QUIET;
	if (option == OPTION_CHECK)
		options->check_output = OUTPUT_CHECK_ALWAYS;
	else if (option == OPTION_NO_CHECK)
		options->check_output = OUTPUT_CHECK_NEVER;
}

static int
read_option(struct reading *reading, int option, const char *value)
{
	struct compare_options *options = reading->options;

	switch (option) {
	case 1:
		return add_command(reading, value, NULL);
	case OPTION_REV:
		return add_command(reading, NULL, value);
	case OPTION_BUILD:
		words_add(&options->builds, value);
		return 0;
	case OPTION_NAME:
		return read_name(reading, value);
	case OPTION_SWEEP:
		return option_sweep(reading->options, value, reading->error);
	case OPTION_PREPARE:
		reading->prepare = value;
		return 0;
	case OPTION_SETUP:
		reading->setup = value;
		return 0;
	case OPTION_CLEANUP:
		reading->cleanup = value;
		return 0;
	case OPTION_INPUT:
		return replace_path(&options->input, value, reading->error);
	case OPTION_CPU:
		return option_cpus(reading->options, value, reading->error);
	case OPTION_ENV:
		return option_env(reading->options, value, reading->error);
	case OPTION_METRIC:
		options->metric_text = value;
		return 0;
	case OPTION_BETTER:
		options->better = value;
		return 0;
	case OPTION_READER:
		options->reader = value;
		return 0;
	case OPTION_ITEMS:
		options->items = value;
		return 0;
	case OPTION_KEEP:
		return replace_path(&options->keep, value, reading->error);
	case '?':
		return error_set(reading->error, EXIT_USAGE, "unknown option");
	}
	if (option >= OPTION_EXPORT)
		return read_export(reading, option - OPTION_EXPORT, value);
	if (value != NULL)
		return read_number(reading, option, value);
	read_flag(reading, option);
	return 0;
}

/* ---- the whole ---- */

static int
check_whole(const struct reading *reading)
{
	const struct compare_options *options = reading->options;
	int to_stdout = 0;
	size_t i;

	for (i = 0; i < EXPORT_KINDS; i++)
		to_stdout += options->exports[i] != NULL && options->exports[i][0] == '\0';
	if (options->command_count < 2)
		return error_set(reading->error, EXIT_USAGE, "give two commands or more to compare, each as "
				 "one argument");
	if (options->command_count > MOST_COMMANDS)
		return error_set(reading->error, EXIT_USAGE, "at most %d commands", MOST_COMMANDS);
	if (reading->next_name != NULL)
		return error_set(reading->error, EXIT_USAGE, "--name '%.100s' stands before no command",
				 reading->next_name);
	if (to_stdout > 1)
		return error_set(reading->error, EXIT_USAGE, "only one of --json, --csv, --md and --html can "
				 "go to standard output; give the others a file: --csv=FILE");
	if (options->input != NULL && !file_exists(options->input))
		return error_set(reading->error, EXIT_BAD_INPUT, "there is no input %s", options->input);
	return 0;
}

static int
read_commands(const struct reading *reading)
{
	const struct {
		const char *text;
		struct texts *words;
	} further[] = {{reading->prepare, &reading->options->prepare},
		       {reading->setup, &reading->options->setup},
		       {reading->cleanup, &reading->options->cleanup}};
	size_t i;

	for (i = 0; i < sizeof further / sizeof *further; i++)
		if (further[i].text != NULL &&
		    commands_words(further[i].text, reading->options->shell, further[i].words,
				   reading->error) != 0)
			return -1;
	if (compare_options_has_revisions(reading->options) &&
	    revisions_resolve(reading->options, reading->error) != 0)
		return -1;
	return commands_resolve(reading->options, reading->error);
}

static void
set_defaults(struct compare_options *options)
{
	memset(options, 0, sizeof *options);
	options->pairs = 16;
	options->aa_pairs = 4;
	options->warmups = 1;
	options->timeout_s = 300;
	options->fail_if_slower = NAN;
	options->metric_text = "wall";
	options->reader = "process";
	options->cpus = memory_copy_text("last");
}

int
compare_options_read(int argc, char **argv, struct compare_options *options, struct error *error)
{
	struct reading reading = {.options = options, .error = error};
	int option, result = 0;

	set_defaults(options);
	options->folder = getcwd(NULL, 0);
	if (options->folder == NULL)
		return error_set_errno(error, "cannot tell the current folder");
	optind = 0;
	/* "-": commands come as they stand, so that --name goes with the one behind it. */
	while (result == 0 && (option = getopt_long(argc, argv, "-", long_options, NULL)) != -1)
		result = read_option(&reading, option, optarg);
	for (; result == 0 && optind < argc; optind++)
		result = add_command(&reading, argv[optind], NULL);
	if (result == 0)
		result = revisions_gather(options, error);
	if (result == 0)
		result = compare_metric_resolve(options, error);
	if (result == 0)
		result = check_whole(&reading);
	if (result == 0)
		result = read_commands(&reading);
	free(reading.next_name);
	return result;
}

bool
compare_options_has_revisions(const struct compare_options *options)
{
	return options->command_count > 0 && options->commands[0].revision != NULL;
}

bool
compare_options_export_to_stdout(const struct compare_options *options)
{
	size_t i;

	for (i = 0; i < EXPORT_KINDS; i++)
		if (options->exports[i] != NULL && options->exports[i][0] == '\0')
			return true;
	return false;
}

static void
free_command(struct compared *command)
{
	free(command->text);
	free(command->name);
	free(command->program);
	free(command->revision);
	free(command->commit);
	free(command->output);
	free(command->cwd);
	words_free(&command->args);
	words_free(&command->scripts);
	words_free(&command->inputs);
}

void
compare_options_free(struct compare_options *options)
{
	size_t i;

	for (i = 0; i < options->command_count; i++)
		free_command(&options->commands[i]);
	for (i = 0; i < options->dimension_count; i++) {
		free(options->dimensions[i].name);
		words_free(&options->dimensions[i].values);
	}
	for (i = 0; i < options->env.count; i++) {
		free(options->env.items[i].name);
		free(options->env.items[i].value);
	}
	for (i = 0; i < EXPORT_KINDS; i++)
		free(options->exports[i]);
	compare_metric_free(options);
	words_free(&options->builds);
	words_free(&options->prepare);
	words_free(&options->setup);
	words_free(&options->cleanup);
	free(options->commands);
	free(options->dimensions);
	free(options->env.items);
	free(options->input);
	free(options->cpus);
	free(options->keep);
	free(options->folder);
	memset(options, 0, sizeof *options);
}

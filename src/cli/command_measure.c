#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/case_name.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/declared_stop.h"
#include "cli/selection.h"
#include "cli/short_form.h"
#include "session/measure.h"

static const struct option options[] = {
	{"again", no_argument, NULL, 'a'},
	{"why", required_argument, NULL, 'w'},
	{"short", no_argument, NULL, 's'},
	{"only", required_argument, NULL, 'x'},
	{"sizes", required_argument, NULL, 'x'},
	{"where", required_argument, NULL, 'x'},
	{NULL, 0, NULL, 0},
};

static int
run_short(const char *name, const struct selection *selection)
{
	const struct short_form how = {name, selection, stdout};
	struct error error = {0};
	int result = short_form_run(&how, &error);

	return result < 0 ? error_print(&error) : result;
}

static int
run(int argc, char **argv)
{
	struct measure_options how = {.rule = &declared_stop, .out = stdout};
	struct selection selection = {0};
	struct error error = {0};
	const char *problem = NULL;
	bool again = false, is_short = false;
	char *case_id;
	int option, index, result;

	while (problem == NULL && (option = getopt_long(argc, argv, "", options, &index)) != -1) {
		if (option == 'a')
			again = true;
		else if (option == 'w')
			how.why = optarg;
		else if (option == 's')
			is_short = true;
		else if (option == '?')
			problem = "unknown option";
		else
			selection_take(options[index].name, optarg, &selection, &problem);
	}
	if (problem != NULL)
		return command_misuse(&command_measure, "%s", problem);
	if (optind + 1 != argc)
		return command_misuse(&command_measure, "name one case");
	if (is_short && (again || how.why != NULL))
		return command_misuse(&command_measure, "--short is no measurement to be done again");
	if (!is_short && !selection_is_whole(&selection))
		return command_misuse(&command_measure, "--only, --sizes and --where go with --short: a case is "
				      "measured whole");
	if (is_short)
		return run_short(argv[optind], &selection);
	if (again != (how.why != NULL) || (again && how.why[0] == '\0'))
		return command_misuse(&command_measure, "--again needs --why TEXT, and --why needs --again");
	case_id = case_name_find(argv[optind], &error);
	how.case_id = case_id;
	result = case_id != NULL ? measure_case(&how, &error) : -1;
	free(case_id);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_measure = {
	"measure",
	"take the measurements of a case that the store lacks",
	"usage: assay measure CASE\n"
	"       assay measure CASE --again --why TEXT\n"
	"       assay measure --short NAME [--only VARIANT,…] [--sizes VALUE,…] [--where NAME=VALUE,…]\n\n"
	"Takes the blocks of the case's plan that results/ lacks, in a new session with its own\n"
	"warm-ups, while nothing else runs on the machine. Where nothing lacks, nothing runs. Ctrl-C\n"
	"ends it cleanly; what is complete is kept, and the next call goes on. A group that fails is\n"
	"recorded and is no error here; 'assay retry CASE' runs failed blocks again.\n\n"
	"--again measures as many pairs once more. They are further pairs of the case: block and pair\n"
	"numbers go on, both times are in the report, with TEXT. To add pairs after having seen a\n"
	"result marks the case exploratory unless its design declared that.\n\n"
	"--short is a smoke test: two blocks of three samples of the case, or of all cases of the\n"
	"experiment or form NAME, at some values of the sweep or of some variants where you say so. It\n"
	"tells whether each ran well and whether their outputs agree (exit code 1, 3). It is wholly apart\n"
	"from real results: its records lie in build/short until the next one, count nowhere and make\n"
	"nothing fresh. Programs are taken as they are; 'ninja build/runners' brings them up to date.",
	run,
};

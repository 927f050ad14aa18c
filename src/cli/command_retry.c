#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/case_name.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/declared_stop.h"
#include "session/measure.h"

static int
run(int argc, char **argv)
{
	static const struct option options[] = {{NULL, 0, NULL, 0}};
	struct measure_options how = {.retry = true, .rule = &declared_stop, .out = stdout};
	struct error error = {0};
	char *case_id;
	int result;

	if (getopt_long(argc, argv, "", options, NULL) != -1)
		return command_misuse(&command_retry, "unknown option");
	if (optind + 1 != argc)
		return command_misuse(&command_retry, "name one case");
	case_id = case_name_find(argv[optind], &error);
	how.case_id = case_id;
	result = case_id != NULL ? measure_case(&how, &error) : -1;
	free(case_id);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_retry = {
	"retry",
	"run a case's failed blocks again",
	"usage: assay retry CASE\n\n"
	"Runs the blocks again in which a group failed, whole, as new attempts in a new session, and\n"
	"those that lack because the case ended early after too many failures. The records of the\n"
	"earlier attempts stay in the store; the last whole attempt of a block counts.",
	run,
};

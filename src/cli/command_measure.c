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
#include "session/measure.h"

static int
run(int argc, char **argv)
{
	static const struct option options[] = {
		{"again", no_argument, NULL, 'a'},
		{"why", required_argument, NULL, 'w'},
		{NULL, 0, NULL, 0},
	};
	struct measure_options how = {.rule = &declared_stop, .out = stdout};
	struct error error = {0};
	bool again = false;
	char *case_id;
	int option, result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'a')
			again = true;
		else if (option == 'w')
			how.why = optarg;
		else
			return command_misuse(&command_measure, "unknown option");
	}
	if (optind + 1 != argc)
		return command_misuse(&command_measure, "name one case");
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
	"       assay measure CASE --again --why TEXT\n\n"
	"Takes the blocks of the case's plan that results/ lacks, in a new session with its own\n"
	"warm-ups, while nothing else runs on the machine. Where nothing lacks, nothing runs. Ctrl-C\n"
	"ends it cleanly; what is complete is kept, and the next call goes on. A group that fails is\n"
	"recorded and is no error here; 'assay retry CASE' runs failed blocks again.\n\n"
	"--again measures as many pairs once more. They are further pairs of the case: block and pair\n"
	"numbers go on, both times are in the report, with TEXT. To add pairs after having seen a\n"
	"result marks the case exploratory unless its design declared that.",
	run,
};

#include <getopt.h>
#include <stddef.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "diagnose/diagnose.h"

static int
run(int argc, char **argv)
{
	static const struct option options[] = {{NULL, 0, NULL, 0}};
	struct error error = {0};

	if (getopt_long(argc, argv, "", options, NULL) != -1)
		return EXIT_USAGE;
	if (optind + 1 != argc)
		return command_misuse(&command_diagnose, "needs the name of one experiment");
	return diagnose_experiment(argv[optind], &error) == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_diagnose = {
	.name = "diagnose",
	.about = "run an experiment's programs under profilers, apart from any timing",
	.usage = "usage: assay diagnose EXPERIMENT\n\n"
		 "Runs each variant once under each tool that the experiment asks for with 'diagnose'\n"
		 "(docs/spec.md), while nothing else runs, and writes build/diagnose/EXPERIMENT.json with\n"
		 "what it told; the files of each run lie below build/diagnose/EXPERIMENT. A tool that is\n"
		 "not here, may not or fails is recorded with the reason and is no error. No time of such\n"
		 "a run is in any comparison. Ninja runs it each time; what was run before with the same\n"
		 "programs and the same tool is not run again.",
	.run = run,
};

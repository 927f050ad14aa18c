#include <getopt.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "provenance/bundle.h"
#include "session/lock.h"

static int
run(int argc, char **argv)
{
	static const struct option options[] = {{"output", required_argument, NULL, 'o'},
						{NULL, 0, NULL, 0}};
	struct bundle_request request = {.out = stdout};
	struct error error = {0};
	struct lock *lock;
	int option, result;

	while ((option = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
		if (option != 'o')
			return command_misuse(&command_bundle, "unknown option");
		request.output = optarg;
	}
	if (optind != argc)
		return command_misuse(&command_bundle, "it takes no arguments but --output FILE");
	lock = lock_open("bundle", &error);
	if (lock == NULL || lock_acquire(lock, LOCK_SHARED, &error) != 0)
		return error_print(&error);
	result = bundle_write(&request, &error);
	lock_close(lock);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_bundle = {
	"bundle",
	"pack sources, records, provenance and report into one archive",
	"usage: assay bundle [--output FILE]\n\n"
	"Writes build/bundle/<study>.tar.zst, a BagIt bag with an RO-Crate in it: the study's sources,\n"
	"raw records of the current plan, provenance, statistics, figures and report. Equal contents\n"
	"give equal bytes; SOURCE_DATE_EPOCH sets the time of all files. Paths that the study declares\n"
	"private stay out. Look at the warnings before you give a bundle away.",
	run,
};

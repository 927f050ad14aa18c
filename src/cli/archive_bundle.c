#include <getopt.h>
#include <stdio.h>

#include "cli/archive.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "provenance/bundle.h"
#include "session/lock.h"

int
archive_bundle(int argc, char **argv)
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

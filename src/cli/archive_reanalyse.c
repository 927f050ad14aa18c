#include <getopt.h>
#include <stdio.h>

#include "cli/archive.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "review/reanalyse.h"

int
archive_reanalyse(int argc, char **argv)
{
	static const struct option options[] = {{"keep", required_argument, NULL, 'k'},
						{NULL, 0, NULL, 0}};
	const char *keep = NULL;
	struct error error = {0};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'k')
			return command_misuse(&command_reanalyse, "unknown option");
		keep = optarg;
	}
	if (optind + 1 != argc)
		return command_misuse(&command_reanalyse, "name one bundle");
	return reanalyse_bundle(argv[optind], keep, stdout, &error) == 0 ? EXIT_DONE : error_print(&error);
}

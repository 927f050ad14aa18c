#include <getopt.h>
#include <stdio.h>

#include "cli/archive.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "review/reproduce.h"

int
archive_reproduce(int argc, char **argv)
{
	static const struct option options[] = {
		{"smoke", no_argument, NULL, 's'}, {"keep", required_argument, NULL, 'k'},
		{"only", required_argument, NULL, 'o'}, {"yes", no_argument, NULL, 'y'},
		{"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0},
	};
	struct reproduction asked = {.out = stdout, .people = stderr};
	struct error error = {0};
	int option, code;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 's': asked.smoke = true; break;
		case 'k': asked.keep = optarg; break;
		case 'o': asked.only = optarg; break;
		case 'y': asked.yes = true; break;
		case 'j': asked.json = true; break;
		default: return command_misuse(&command_reproduce, "unknown option");
		}
	if (optind + 1 != argc)
		return command_misuse(&command_reproduce, "name one bundle");
	asked.bundle = argv[optind];
	code = reproduce_bundle(&asked, &error);
	return code >= 0 ? code : error_print(&error);
}

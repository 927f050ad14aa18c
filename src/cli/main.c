#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/said_all.h"
#include "cli/version.h"

const struct command *const commands[] = {
	&command_compare, &command_generate, &command_check,  &command_plan,   &command_status,
	&command_measure, &command_retry,    &command_analyse, &command_plot,  &command_report,
	&command_bundle,  &command_verify,   &command_reanalyse, &command_reproduce,
	&command_diagnose, &command_power, &command_doctor,   &command_init,
	&command_log,     &command_diff,     &command_gc,
	&command_lock,    &command_source,   &command_paper,  NULL,
};

static const struct command *
find(const char *name)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static void
print_help(FILE *out)
{
	size_t i;

	fputs("usage: assay <command> [arguments]\n\n", out);
	for (i = 0; commands[i] != NULL; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->about);
	fputs("\n'assay <command> --help' tells more. Exit codes: 0 done, 1 failed, 2 usage, 3 a claim or\n"
	      "check does not hold, 4 bad input, 5 timeout or nothing measured, 130 interrupted.\n",
	      out);
}

static int
asks_help(int argc, char **argv)
{
	return argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

int
main(int argc, char **argv)
{
	const struct command *command;

	setlocale(LC_ALL, "C");
	setenv("HWLOC_PLUGINS_PATH", "/nowhere", 0); /* else each start of hwloc looks for X displays and GPUs */
	signal(SIGXFSZ, SIG_IGN); /* a write over the limit fails, and is told */
	if (argc < 2 || asks_help(argc, argv)) {
		print_help(argc < 2 ? stderr : stdout);
		return said_all(argc < 2 ? EXIT_USAGE : EXIT_DONE);
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("assay " ASSAY_VERSION);
		return said_all(EXIT_DONE);
	}
	command = find(argv[1]);
	if (command == NULL) {
		fprintf(stderr, "assay: no command '%s'; 'assay --help' lists them\n", argv[1]);
		return EXIT_USAGE;
	}
	if (asks_help(argc - 1, argv + 1)) {
		puts(command->usage);
		return said_all(EXIT_DONE);
	}
	return said_all(command->run(argc - 1, argv + 1));
}

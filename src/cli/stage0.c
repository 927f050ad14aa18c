/*
 * The stage-0: the two commands that make and guard the graph in which the tool itself is built.
 * `bootstrap` compiles it, never the graph, so that a source that was renamed or does not
 * compile cannot take away the means to mend the graph.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/commands.h"

const struct command *const commands[] = {&command_generate, &command_lock, NULL};

int
main(int argc, char **argv)
{
	size_t i;

	setlocale(LC_ALL, "C");
	for (i = 0; argc > 1 && commands[i] != NULL; i++)
		if (strcmp(argv[1], commands[i]->name) == 0)
			return commands[i]->run(argc - 1, argv + 1);
	fputs("usage: assay-stage0 generate|lock [arguments]; './bootstrap' runs it\n", stderr);
	return EXIT_USAGE;
}

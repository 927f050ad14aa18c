/*
 * The stage-0: the two commands that make and guard the graph in which the tool itself is built.
 * `bootstrap` compiles it, never the graph, so that a source that was renamed or does not
 * compile cannot take away the means to mend the graph.
 */
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/commands.h"

const struct command *const commands[] = {&command_generate, &command_lock, NULL};

int
command_misuse(const struct command *command, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "assay-stage0 %s: ", command->name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return EXIT_USAGE;
}

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

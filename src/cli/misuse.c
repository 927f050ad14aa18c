#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/command.h"

int
command_misuse(const struct command *command, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "assay %s: ", command->name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "; try 'assay %s --help'\n", command->name);
	return EXIT_USAGE;
}

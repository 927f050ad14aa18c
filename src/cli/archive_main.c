/* The program assay-archive (archive.h). */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/archive.h"
#include "cli/said_all.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} programs[] = {
	{"bundle", archive_bundle},
	{"verify", archive_verify},
	{"reanalyse", archive_reanalyse},
	{"reproduce", archive_reproduce},
};

int
main(int argc, char **argv)
{
	size_t i;

	setlocale(LC_ALL, "C");
	for (i = 0; argc > 1 && i < sizeof programs / sizeof *programs; i++)
		if (strcmp(argv[1], programs[i].name) == 0)
			return said_all(programs[i].run(argc - 1, argv + 1));
	fputs("usage: assay bundle|verify|reanalyse|reproduce; the tool runs this program\n", stderr);
	return EXIT_USAGE;
}

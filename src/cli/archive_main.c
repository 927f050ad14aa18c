/* The program assay-archive (archive.h). */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/archive.h"

int
main(int argc, char **argv)
{
	setlocale(LC_ALL, "C");
	if (argc > 1 && strcmp(argv[1], "bundle") == 0)
		return archive_bundle(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "verify") == 0)
		return archive_verify(argc - 1, argv + 1);
	fputs("usage: assay bundle|verify; the tool runs this program\n", stderr);
	return EXIT_USAGE;
}

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "init/template.h"

static const struct template_kind *
find_kind(const char *name)
{
	const struct template_kind *kind;

	for (kind = template_kinds; kind->name != NULL; kind++)
		if (strcmp(kind->name, name) == 0)
			return kind;
	return NULL;
}

static int
write_study(const struct template_kind *kind, const char *folder)
{
	struct error error = {0};

	if (template_write(kind, folder, &error) != 0)
		return error_print(&error);
	printf("%s: a study to begin with (%s)\n", folder, kind->about);
	puts("README.md tells what is where. To measure and read the report:");
	if (strcmp(folder, ".") != 0)
		printf("  in %s:\n", folder);
	puts("  assay generate && ninja report");
	return EXIT_DONE;
}

static int
list_kinds(void)
{
	const struct template_kind *kind;

	for (kind = template_kinds; kind->name != NULL; kind++)
		printf("%-16s %s\n", kind->name, kind->about);
	return EXIT_DONE;
}

/* `assay init compare` is the kind; `assay init ./compare` a folder. */
static int
run(int argc, char **argv)
{
	const struct template_kind *kind = &template_kinds[0];
	int next = 1;

	if (argc > 1 && strcmp(argv[1], "--list") == 0)
		return argc == 2 ? list_kinds() : command_misuse(&command_init, "--list stands alone");
	if (argc > 1 && find_kind(argv[1]) != NULL)
		kind = find_kind(argv[next++]);
	else if (argc > 1 && strchr(argv[1], '/') == NULL)
		return command_misuse(&command_init, "no kind of study '%s' ('assay init --list' names them; a "
				      "folder of that name is ./%s)", argv[1], argv[1]);
	if (argc - next > 1)
		return command_misuse(&command_init, "one folder, not '%s' too", argv[next + 1]);
	return write_study(kind, next < argc ? argv[next] : ".");
}

const struct command command_init = {
	"init",
	"write a small study to begin with",
	"usage: assay init [KIND] [DIR]\n"
	"       assay init --list\n\n"
	"Writes a small commented study into DIR (default: the current folder), which must be empty or\n"
	"not be there. It runs at once, by 'assay generate && ninja report', and holds a .gitignore, a\n"
	"script for a CI job, and a README.md that tells where results/ belongs. Kinds:\n\n"
	"  hello             two loops in C, timed by the harness (the default)\n"
	"  compare           two commands that are there already\n"
	"  revisions         a program at the last commit and in the work tree\n"
	"  google-benchmark  a Google Benchmark program before and after a change\n"
	"  scripts           two scripts, one in Python where there is one",
	run,
};

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "graph/paths.h"
#include "revision/revision.h"
#include "session/interrupt.h"

/* A step of the graph: programs from their sources at a revision (spec/git_source.h). */

static int
read_option(struct revision_wish *wish, int option)
{
	if (option == 'r')
		wish->revision = optarg;
	else if (option == 'f')
		wish->folder = optarg;
	else if (option == 'p')
		wish->program = optarg;
	else if (option == 's')
		paths_add(&wish->scripts, "%s", optarg);
	else if (option == 'b')
		paths_add(&wish->build, "%s", optarg);
	else
		return command_misuse(&command_source, "unknown option");
	return EXIT_DONE;
}

static int
work(const char *verb, struct revision_wish *wish)
{
	struct error error = {0};
	int result;

	interrupt_watch();
	wish->interrupted = interrupt_flag();
	result = strcmp(verb, "look") == 0 ? revision_look(wish, &error) : revision_make(wish, &error);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {
		{"rev", required_argument, NULL, 'r'},	  {"folder", required_argument, NULL, 'f'},
		{"program", required_argument, NULL, 'p'}, {"script", required_argument, NULL, 's'},
		{"build", required_argument, NULL, 'b'},   {NULL, 0, NULL, 0},
	};
	const char *verb = argc > 1 ? argv[1] : "";
	struct revision_wish wish = {0};
	int option, code = EXIT_DONE;

	if (strcmp(verb, "look") != 0 && strcmp(verb, "make") != 0)
		return command_misuse(&command_source, "say 'look' or 'make'");
	while (code == EXIT_DONE && (option = getopt_long(argc - 1, argv + 1, "", options, NULL)) != -1)
		code = read_option(&wish, option);
	if (code == EXIT_DONE && (wish.revision == NULL || wish.folder == NULL || optind != argc - 2))
		code = command_misuse(&command_source, "--rev, --folder and one repository are wanted");
	if (code == EXIT_DONE) {
		wish.repository = argv[1 + optind];
		code = work(verb, &wish);
	}
	paths_free(&wish.scripts);
	paths_free(&wish.build);
	return code;
}

const struct command command_source = {
	"source",
	"make a program from its sources at a revision",
	"usage: assay source look --rev REVISION --folder FOLDER REPOSITORY\n"
	"       assay source make --rev REVISION --folder FOLDER [--program PATH] [--script PATH]…\n"
	"                         [--build COMMAND]… REPOSITORY\n\n"
	"Steps of the graph, for programs with source = git { … } in a spec. REPOSITORY is a folder of a\n"
	"work tree, REVISION what git takes for one, or WORKTREE for the work tree as it is. 'look' writes\n"
	"FOLDER/revision when the revision became another commit. 'make' takes its files to FOLDER/tree\n"
	"and runs the build there; PATHs must then be there. The repository is only read.",
	run,
};

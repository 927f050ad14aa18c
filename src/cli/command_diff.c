#include "cli/commands.h"
#include "cli/history_command.h"
#include "history/diff.h"

static json_t *
document(const struct past *past, char *const *names, struct error *error)
{
	return diff_document(past, names[0], names[1], error);
}

static int
run(int argc, char **argv)
{
	static const struct history_command what = {
		&command_diff, "name a case and two of its identities", 2, document, diff_put};

	return history_command_run(&what, argc, argv);
}

const struct command command_diff = {
	.name = "diff",
	.about = "say what differs between two identities of a case",
	.usage = "usage: assay diff [--json] CASE IDENTITY IDENTITY\n\n"
		 "Says which inputs differ between two identities of a case (programs, libraries, arguments,\n"
		 "inputs, the machine), which lines of the machine's regime, and compares the results of each\n"
		 "treatment. The two were measured at different times, so that comparison is unpaired: it\n"
		 "describes and gives no verdict. An IDENTITY is the beginning of its hex as 'assay log CASE'\n"
		 "lists them, or 'current'. Nothing is measured or written.",
	.run = run,
};

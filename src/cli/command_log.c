#include "cli/commands.h"
#include "cli/history_command.h"
#include "history/log.h"

static json_t *
document(const struct past *past, char *const *names, struct error *error)
{
	(void)names;
	(void)error;
	return log_document(past);
}

static int
run(int argc, char **argv)
{
	static const struct history_command what = {&command_log, "name one case", 0, document, log_put};

	return history_command_run(&what, argc, argv);
}

const struct command command_log = {
	.name = "log",
	.about = "list what was measured of a case, and what came out",
	.usage = "usage: assay log [--json] CASE\n\n"
		 "Lists the identities under which results/ has results of the case, newest first, the\n"
		 "current one marked; of each the estimate, computed from the stored records by the plan that\n"
		 "it was measured under (the current one's by the present plan), and its sessions: when, at which\n"
		 "commit, on which CPU, how much, how it ended. Nothing is measured or written, and it counts\n"
		 "as no look. CASE may be one that the study has no more: a folder of results/.",
	.run = run,
};

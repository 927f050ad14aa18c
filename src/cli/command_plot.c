#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/form.h"
#include "figures/figure.h"
#include "figures/peaks.h"
#include "report/document.h"
#include "session/lock.h"

static int
plot(const char *base, const char *experiment, const char *label, struct error *error)
{
	char *folder = memory_format("%s/report/figures", base);
	struct figure_input input = {.folder = folder};
	json_t *elsewhere = NULL;
	struct report report;
	int result = -1;

	if (report_read(&report, base, error) == 0) {
		input.study = report.study;
		input.stats = report.stats;
		input.experiment =
			json_find_text(json_object_get(report.study, "experiments"), "name", experiment);
		input.figure =
			json_find_text(json_object_get(input.experiment, "figures"), "label", label);
		if (input.figure == NULL)
			error_set(error, EXIT_BAD_INPUT, "no figure '%s' of an experiment '%s' in this study",
				  label, experiment);
		else {
			input.elsewhere = elsewhere = peaks_read_elsewhere(report.study, input.figure);
			result = figure_draw(&input, error);
		}
		json_decref(elsewhere);
		report_free(&report);
	}
	free(folder);
	return result;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {{"form", required_argument, NULL, 'f'}, {NULL, 0, NULL, 0}};
	const char *form = NULL;
	struct error error = {0};
	struct lock *lock;
	char *base;
	int option, result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'f')
			return command_misuse(&command_plot, "unknown option");
		form = optarg;
	}
	if (optind + 2 != argc)
		return command_misuse(&command_plot, "name an experiment and one of its figures");
	lock = lock_open("plot", &error);
	if (lock == NULL || lock_acquire(lock, LOCK_SHARED, &error) != 0)
		return error_print(&error);
	base = form_base(form);
	result = plot(base, argv[optind], argv[optind + 1], &error);
	free(base);
	lock_close(lock);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_plot = {
	"plot",
	"draw one figure",
	"usage: assay plot [--form NAME] EXPERIMENT FIGURE\n\n"
	"Draws build/report/figures/EXPERIMENT-FIGURE.{svg,pdf,png} with gnuplot and leaves its data\n"
	"(.csv) and script (.gnuplot) beside it, to be redrawn by hand. Those of a form\n"
	"(docs/spec.md) lie in build/form/NAME/report/figures.",
	run,
};

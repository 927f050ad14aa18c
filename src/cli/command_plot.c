#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "figures/figure.h"
#include "session/lock.h"

static const json_t *
find_named(const json_t *list, const char *key, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (strcmp(json_get_text(one, key), name) == 0)
			return one;
	return NULL;
}

static int
plot(const char *experiment, const char *label, struct error *error)
{
	json_t *study = json_read_file("build/study.json", error);
	json_t *stats = study != NULL ? json_read_file("build/stats.json", error) : NULL;
	struct figure_input input = {.study = study, .stats = stats};
	int result = -1;

	if (stats != NULL) {
		input.experiment =
			find_named(json_object_get(study, "experiments"), "name", experiment);
		input.figure =
			find_named(json_object_get(input.experiment, "figures"), "label", label);
		if (input.figure == NULL)
			error_set(error, EXIT_BAD_INPUT, "no figure '%s' of an experiment '%s' in this study",
				  label, experiment);
		else
			result = figure_draw(&input, error);
	}
	json_decref(stats);
	json_decref(study);
	return result;
}

static int
run(int argc, char **argv)
{
	struct error error = {0};
	struct lock *lock;
	int result;

	if (argc != 3)
		return command_misuse(&command_plot, "name an experiment and one of its figures");
	lock = lock_open("plot", &error);
	if (lock == NULL || lock_acquire(lock, LOCK_SHARED, &error) != 0)
		return error_print(&error);
	result = plot(argv[1], argv[2], &error);
	lock_close(lock);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_plot = {
	"plot",
	"draw one figure",
	"usage: assay plot EXPERIMENT FIGURE\n\n"
	"Draws build/report/figures/EXPERIMENT-FIGURE.{svg,pdf,png} with gnuplot and leaves its data\n"
	"(.csv) and script (.gnuplot) beside it, to be redrawn by hand.",
	run,
};

#include "cli/recompute.h"

#include <getopt.h>
#include <stdlib.h>

#include "analysis/judge/study.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/form.h"
#include "cli/planned.h"
#include "cli/stored_case.h"
#include "figures/figure.h"
#include "figures/peaks.h"
#include "session/interrupt.h"
#include "session/lock.h"

/* study.json, stats.json and report/ lie in the folder. */
struct base {
	const char *form; /* NULL: the study */
	char *folder;
	json_t *study;
};

static int
base_open(const char *form, struct base *base, struct error *error)
{
	char *path;

	*base = (struct base){form, form_base(form), NULL};
	path = memory_format("%s/study.json", base->folder);
	base->study = json_read_file(path, error);
	free(path);
	return base->study != NULL ? 0 : -1;
}

static void
base_close(struct base *base)
{
	free(base->folder);
	json_decref(base->study);
}

static int
analyse_case(const char *case_id, struct error *error)
{
	char *samples = memory_format("build/samples/%s.csv", case_id);
	int result = stored_case_compute(case_id, samples, error);

	free(samples);
	return result;
}

static int
analyse_all(const json_t *study, struct error *error)
{
	const json_t *experiment, *one;
	size_t i, k;

	json_array_foreach(json_object_get(study, "experiments"), i, experiment)
		json_array_foreach(json_object_get(experiment, "cases"), k, one) {
			if (*interrupt_flag())
				return error_set(error, EXIT_INTERRUPTED, "interrupted");
			if (analyse_case(json_get_text(one, "case_id"), error) != 0)
				return -1;
		}
	return 0;
}

static int
make_figure(const struct figure_input *input, bool draw, struct error *error)
{
	struct figure_input whole = *input;
	json_t *elsewhere = peaks_read_elsewhere(input->study, input->figure);
	int result;

	whole.elsewhere = elsewhere;
	result = draw ? figure_draw(&whole, error) : figure_write(&whole, error);
	json_decref(elsewhere);
	return result;
}

static int
make_figures(const struct base *base, const json_t *stats, bool draw, struct error *error)
{
	char *folder = memory_format("%s/report/figures", base->folder);
	struct figure_input input = {.study = base->study, .stats = stats, .folder = folder};
	int result = 0;
	size_t i, k;

	json_array_foreach(json_object_get(base->study, "experiments"), i, input.experiment)
		json_array_foreach(json_object_get(input.experiment, "figures"), k, input.figure)
			if (result == 0)
				result = make_figure(&input, draw, error);
	free(folder);
	return result;
}

static int
compute(const struct base *base, bool draw, struct error *error)
{
	char *path = memory_format("%s/stats.json", base->folder);
	json_t *stats = NULL;
	int result = analyse_all(base->study, error);

	if (result == 0) {
		stats = study_document(base->study, "build/stats", error);
		result = stats != NULL ? json_write_file(path, stats, FILE_IF_CHANGED, error) : -1;
	}
	if (result == 0)
		result = make_figures(base, stats, draw, error);
	json_decref(stats);
	free(path);
	return result;
}

/* Not beside a measurement; but a machine that has no place for the lock can do it too. */
static int
compute_locked(const struct base *base, bool draw, struct error *error)
{
	struct lock *lock = lock_open("recompute", NULL);
	int result;

	if (lock != NULL) {
		lock_interrupted_by(lock, interrupt_flag());
		lock_acquire(lock, LOCK_SHARED, NULL);
	}
	result = compute(base, draw, error);
	lock_close(lock);
	return result;
}

/* The step of the graph, with its own lock and its own messages: 0, or its exit code. */
static int
report(const char *form)
{
	char *argv[] = {(char *)"report", (char *)"--form", (char *)form, NULL};

	optind = 0;
	return command_report.run(form != NULL ? 3 : 1, argv);
}

int
recompute(const char *form, bool draw, bool *reported, struct error *error)
{
	struct base base;
	int result = base_open(form, &base, error);

	if (result == 0)
		result = compute_locked(&base, draw, error);
	base_close(&base);
	*reported = result == 0 && report(form) == EXIT_DONE;
	return result;
}

static bool
has_all_of(const char *case_id)
{
	struct planned planned = {0};
	bool has = planned_load(case_id, &planned, NULL) == 0 && planned.count > 0 && planned.left == 0;

	planned_free(&planned);
	return has;
}

bool
recompute_has_records(const char *form)
{
	const json_t *experiment, *one;
	struct base base;
	bool has = base_open(form, &base, NULL) == 0;
	size_t i, k;

	json_array_foreach(json_object_get(base.study, "experiments"), i, experiment)
		json_array_foreach(json_object_get(experiment, "cases"), k, one)
			has = has && has_all_of(json_get_text(one, "case_id"));
	base_close(&base);
	return has;
}

#include "review/reanalyse.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/study.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/stored_case.h"
#include "figures/figure.h"
#include "review/difference.h"
#include "review/unpacked.h"
#include "session/interrupt.h"
#include "session/lock.h"
#include "store/samples.h"

/* ---- what is made again, and from what ---- */

static int
bring_back_figure(const struct unpacked *unpacked, const json_t *experiment, const json_t *figure,
		  struct error *error)
{
	char *path = memory_format("build/report/figures/%s-%s.svg", json_get_text(experiment, "name"),
				   json_get_text(figure, "label"));
	int result = unpacked_bring_back(unpacked, path, error);

	free(path);
	return result;
}

/* All that was built goes, but what the analysis starts from and the pictures that are part of
 * report.html. */
static int
prepare(const struct unpacked *unpacked, const json_t *study, struct error *error)
{
	static const char *const inputs[] = {"build/study.json", "build/plan", "build/identity"};
	const json_t *experiment, *figure;
	size_t i, k;

	if (unpacked_put_aside(unpacked, "build", error) != 0)
		return -1;
	for (i = 0; i < sizeof inputs / sizeof *inputs; i++)
		if (unpacked_bring_back(unpacked, inputs[i], error) != 0)
			return -1;
	json_array_foreach(json_object_get(study, "experiments"), i, experiment)
		json_array_foreach(json_object_get(experiment, "figures"), k, figure)
			if (bring_back_figure(unpacked, experiment, figure, error) != 0)
				return -1;
	return 0;
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
write_figures(const json_t *study, const json_t *stats, struct error *error)
{
	struct figure_input input = {.study = study, .stats = stats, .folder = "build/report/figures"};
	size_t i, k;

	json_array_foreach(json_object_get(study, "experiments"), i, input.experiment)
		json_array_foreach(json_object_get(input.experiment, "figures"), k, input.figure)
			if (figure_write(&input, error) != 0)
				return -1;
	return 0;
}

static int
compute(const json_t *study, struct error *error)
{
	json_t *stats = NULL;
	int result = analyse_all(study, error);

	if (result == 0) {
		stats = study_document(study, "build/stats", error);
		result = stats != NULL ? json_write_file("build/stats.json", stats, 0, error) : -1;
	}
	if (result == 0)
		result = write_figures(study, stats, error);
	json_decref(stats);
	return result;
}

/* The step of the graph, with its own messages: 0, or its exit code. */
static int
report(void)
{
	char *argv[] = {(char *)"report", NULL};

	optind = 0;
	return command_report.run(1, argv);
}

static int
make_again(const struct unpacked *unpacked, bool *reported, struct error *error)
{
	json_t *study = json_read_file("build/study.json", error);
	struct lock *lock;
	int result;

	if (study == NULL)
		return -1;
	result = prepare(unpacked, study, error);
	/* Not beside a measurement; but a machine that has no place for the lock can do it too. */
	lock = lock_open("reanalyse", NULL);
	if (lock != NULL) {
		lock_interrupted_by(lock, interrupt_flag());
		lock_acquire(lock, LOCK_SHARED, NULL);
	}
	if (result == 0)
		result = compute(study, error);
	lock_close(lock);
	json_decref(study);
	if (result == 0)
		*reported = report() == EXIT_DONE;
	return result;
}

/* ---- what came of it ---- */

static const struct {
	const char *prefix, *words;
} kinds[] = {
	{"samples/", "samples"},
	{"stats", "statistics"},
	{"report/figures/", "figures' data and scripts"},
	{"report/", "report"},
	{"", "other"},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static size_t
kind_of(const char *name)
{
	size_t i = 0;

	while (strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)) != 0)
		i++;
	return i;
}

static bool
ends_in(const char *name, const char *end)
{
	size_t length = strlen(name), size = strlen(end);

	return length >= size && strcmp(name + length - size, end) == 0;
}

/* What make_again was given is not what it made. */
static bool
is_given(const char *name)
{
	return strcmp(name, "study.json") == 0 || strncmp(name, "plan/", 5) == 0 ||
	       strncmp(name, "identity/", 9) == 0 || ends_in(name, ".svg");
}

static bool
is_picture(const char *name)
{
	return ends_in(name, ".pdf") || ends_in(name, ".png");
}

static void
show(const struct difference *one, FILE *out)
{
	switch (one->kind) {
	case DIFFERENCE_NONE:
		break;
	case DIFFERENCE_CONTENT:
		fprintf(out, "differs: build/%s, line %zu\n  shipped: %s\n  here:    %s\n", one->name, one->line,
			one->shipped != NULL ? one->shipped : "unreadable", one->made != NULL ? one->made : "");
		break;
	case DIFFERENCE_NOT_SHIPPED:
		fprintf(out, "not in the bundle: build/%s\n", one->name);
		break;
	case DIFFERENCE_NOT_MADE:
		fprintf(out, "not made again: build/%s\n", one->name);
		break;
	}
}

struct tally {
	size_t same[KINDS], all[KINDS], pictures, differing, not_made;
};

static void
count(const struct differences *all, struct tally *tally)
{
	size_t i;

	for (i = 0; i < all->count; i++) {
		const struct difference *one = &all->items[i];
		size_t kind = kind_of(one->name);

		if (is_given(one->name))
			continue;
		if (is_picture(one->name)) {
			tally->pictures++;
			continue;
		}
		tally->all[kind]++;
		tally->same[kind] += one->kind == DIFFERENCE_NONE;
		tally->differing += one->kind == DIFFERENCE_CONTENT || one->kind == DIFFERENCE_NOT_SHIPPED;
		tally->not_made += one->kind == DIFFERENCE_NOT_MADE;
	}
}

static void
tell(const struct unpacked *unpacked, const struct differences *all, const struct tally *tally, FILE *out)
{
	size_t i;

	fprintf(out, "study %s: %llu files verified, computed again from the raw records\n",
		unpacked->facts.name, (unsigned long long)unpacked->facts.files);
	for (i = 0; i < KINDS; i++)
		if (tally->all[i] > 0)
			fprintf(out, "  %-26s %zu of %zu identical\n", kinds[i].words, tally->same[i],
				tally->all[i]);
	for (i = 0; i < all->count; i++)
		if (!is_given(all->items[i].name) && !is_picture(all->items[i].name))
			show(&all->items[i], out);
	if (tally->pictures > 0)
		fprintf(out, "the pictures were not drawn again; their data and scripts are above\n");
}

static int
hold_against(const struct unpacked *unpacked, bool reported, FILE *out, struct error *error)
{
	char *shipped = unpacked_shipped(unpacked, "build");
	struct tally tally = {.pictures = 0};
	struct differences all;
	int result = 0;

	differences_find(shipped, "build", &all);
	count(&all, &tally);
	tell(unpacked, &all, &tally, out);
	if (tally.differing > 0)
		result = error_set(error, EXIT_NOT_HELD, "%zu file%s not what the raw records give",
				   tally.differing, tally.differing == 1 ? " is" : "s are");
	else if (!reported)
		result = error_set(error, EXIT_FAILED, "the report's pages could not be made again; the reason "
				   "is above");
	else if (tally.not_made > 0)
		result = error_set(error, EXIT_FAILED, "%zu file%s in the bundle that this version does not make",
				   tally.not_made, tally.not_made == 1 ? " is" : "s are");
	else
		fputs("all of it is identical\n", out);
	differences_free(&all);
	free(shipped);
	return result;
}

int
reanalyse_bundle(const char *bundle, const char *keep, FILE *out, struct error *error)
{
	struct unpacked unpacked;
	bool reported = false;
	int result;

	interrupt_watch();
	samples_interrupted_by(interrupt_flag());
	result = unpacked_open(bundle, keep, &unpacked, error);
	if (result == 0)
		result = make_again(&unpacked, &reported, error);
	if (result == 0)
		result = hold_against(&unpacked, reported, out, error);
	if (result != 0)
		unpacked_explain(&unpacked, error);
	unpacked_close(&unpacked);
	return result;
}

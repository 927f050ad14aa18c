#include "review/reanalyse.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/form.h"
#include "cli/recompute.h"
#include "review/difference.h"
#include "review/unpacked.h"
#include "session/interrupt.h"
#include "store/samples.h"

/* ---- what is made again, and from what ---- */

static int
bring_back_figure(const struct unpacked *unpacked, const char *base, const json_t *experiment,
		  const json_t *figure, struct error *error)
{
	char *path = memory_format("%s/report/figures/%s-%s.svg", base, json_get_text(experiment, "name"),
				   json_get_text(figure, "label"));
	int result = unpacked_bring_back(unpacked, path, error);

	free(path);
	return result;
}

/* What tools told is a measurement, too: nothing here runs them. */
static int
bring_back_diagnosis(const struct unpacked *unpacked, const json_t *experiment, struct error *error)
{
	char *path, *shipped;
	int result = 0;

	if (json_object_get(experiment, "diagnose") == NULL)
		return 0;
	path = memory_format("build/diagnose/%s.json", json_get_text(experiment, "name"));
	shipped = unpacked_shipped(unpacked, path);
	if (file_exists(shipped))
		result = unpacked_bring_back(unpacked, path, error);
	free(shipped);
	free(path);
	return result;
}

/* What the analysis starts from, and the pictures that are part of report.html. */
static int
bring_back(const struct unpacked *unpacked, const char *base, struct error *error)
{
	char *path = memory_format("%s/study.json", base);
	int result = unpacked_bring_back(unpacked, path, error);
	json_t *study = result == 0 ? json_read_file(path, error) : NULL;
	const json_t *experiment, *figure;
	size_t i, k;

	json_array_foreach(json_object_get(study, "experiments"), i, experiment)
		if (result == 0)
			result = bring_back_diagnosis(unpacked, experiment, error);
	json_array_foreach(json_object_get(study, "experiments"), i, experiment)
		json_array_foreach(json_object_get(experiment, "figures"), k, figure)
			if (result == 0)
				result = bring_back_figure(unpacked, base, experiment, figure, error);
	json_decref(study);
	free(path);
	return study != NULL ? result : -1;
}

/* *reported: and its pages as well. */
static int
make_one(const struct unpacked *unpacked, const char *form, bool *reported, struct error *error)
{
	char *base = form_base(form);
	bool pages = false;
	int result = bring_back(unpacked, base, error);

	if (result == 0)
		result = recompute(form, false, &pages, error);
	*reported = *reported && pages;
	free(base);
	return result;
}

/* Those that were measured; they may name peaks of the others, so that they come behind them. */
static int
make_forms(const struct unpacked *unpacked, bool *reported, struct error *error)
{
	json_t *study = json_read_file("build/study.json", error);
	const json_t *form;
	int result = study != NULL ? 0 : -1;
	size_t i;

	json_array_foreach(json_object_get(study, "forms"), i, form) {
		char *name = memory_format("build/form/%s/stats.json", json_string_value(form));
		char *shipped = unpacked_shipped(unpacked, name);

		if (result == 0 && file_exists(shipped))
			result = make_one(unpacked, json_string_value(form), reported, error);
		free(name);
		free(shipped);
	}
	json_decref(study);
	return result;
}

/* All that was built goes, but what the analysis starts from. */
static int
make_again(const struct unpacked *unpacked, bool *reported, struct error *error)
{
	static const char *const inputs[] = {"build/plan", "build/identity"};
	int result = unpacked_put_aside(unpacked, "build", error);
	size_t i;

	for (i = 0; result == 0 && i < sizeof inputs / sizeof *inputs; i++)
		result = unpacked_bring_back(unpacked, inputs[i], error);
	*reported = true;
	if (result == 0)
		result = make_one(unpacked, NULL, reported, error);
	if (result == 0)
		result = make_forms(unpacked, reported, error);
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

/* "report/report.md" of "form/NAME/report/report.md": a form has the same as the study. */
static const char *
in_form(const char *name)
{
	const char *rest = strncmp(name, "form/", 5) == 0 ? strchr(name + 5, '/') : NULL;

	return rest != NULL ? rest + 1 : name;
}

static size_t
kind_of(const char *name)
{
	size_t i = 0;

	name = in_form(name);
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
	return strcmp(in_form(name), "study.json") == 0 || strncmp(name, "plan/", 5) == 0 ||
	       strncmp(name, "identity/", 9) == 0 || strncmp(name, "diagnose/", 9) == 0 || ends_in(name, ".svg");
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

	fprintf(out, "study %s%s%s: %llu files verified, computed again from the raw records\n",
		unpacked->facts.name, unpacked->facts.forms.length > 0 ? " with its forms " : "",
		buffer_text(&unpacked->facts.forms), (unsigned long long)unpacked->facts.files);
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

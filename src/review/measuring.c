#include "review/measuring.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/study.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/declared_stop.h"
#include "cli/stored_case.h"
#include "schedule/growth.h"
#include "session/interrupt.h"
#include "session/measure.h"

#define SMOKE_EXPECTED_S 60 /* of what the times there say */
#define SMOKE_LIMIT_S 90    /* whatever they say */
#define UNKNOWN_GROUP_S 1

/* ---- how much ---- */

static double
group_s(const struct side_case *there, size_t treatment)
{
	double seconds = treatment < there->times.count ? there->times.group_s[treatment] : NAN;

	return isnan(seconds) ? UNKNOWN_GROUP_S : seconds;
}

static double
cost_s(const struct side_case *there, int pairs, int aa_pairs)
{
	const struct plan *plan = &there->plan;
	double one = 0;
	size_t i;

	for (i = 0; i < plan->treatment_count; i++)
		one += plan->treatments[i].left_out ? 0 : group_s(there, i);
	return one * (pairs + plan->design.warmups) +
	       aa_pairs * (group_s(there, (size_t)plan_baseline(plan)) + group_s(there, plan->treatment_count));
}

static int
at_most(int wanted, int limit)
{
	return wanted < limit ? wanted : limit;
}

/* So many pairs of each case; what they take together. */
static double
choose_pairs(struct measuring *measuring, int pairs)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < measuring->count; i++) {
		struct measuring_case *one = &measuring->cases[i];
		const struct plan *plan = &one->there->plan;

		one->pairs = at_most(pairs, growth_pairs(plan));
		one->aa_pairs = at_most(pairs >= 8 ? 2 : 1, plan->design.aa_pairs);
		one->expected_s = cost_s(one->there, one->pairs, one->aa_pairs);
		sum += one->expected_s;
	}
	return sum;
}

/* An even number of pairs has as many AB as BA; 12 can settle 20 claims at once, 8 one. */
static void
choose_smoke(struct measuring *measuring)
{
	static const int choices[] = {12, 10, 8, 6, 4, 2};
	size_t i = 0;

	while (choose_pairs(measuring, choices[i]) > SMOKE_EXPECTED_S &&
	       i + 1 < sizeof choices / sizeof *choices)
		i++;
	for (i = 0; i < measuring->count; i++) {
		struct measuring_case *one = &measuring->cases[i];

		one->skipped = measuring->expected_s + one->expected_s > SMOKE_EXPECTED_S;
		if (!one->skipped)
			measuring->expected_s += one->expected_s;
	}
}

void
measuring_plan(const struct side *there, bool smoke, struct measuring *measuring)
{
	size_t i;

	memset(measuring, 0, sizeof *measuring);
	measuring->smoke = smoke;
	measuring->missing = json_array();
	measuring->count = there->count;
	measuring->cases = memory_zeroed(there->count, sizeof *measuring->cases);
	for (i = 0; i < there->count; i++) {
		measuring->cases[i].there = &there->cases[i];
		measuring->cases[i].expected_s = there->cases[i].measured_s;
		if (!smoke)
			measuring->expected_s += there->cases[i].measured_s;
	}
	if (smoke)
		choose_smoke(measuring);
}

void
measuring_free(struct measuring *measuring)
{
	free(measuring->cases);
	json_decref(measuring->missing);
	memset(measuring, 0, sizeof *measuring);
}

/* ---- measuring ---- */

static void
note_missing(struct measuring *measuring, const char *case_id, const char *reason)
{
	json_array_append_new(measuring->missing,
			      json_pack("{s:s, s:s}", "case_id", case_id, "reason", reason));
}

static bool
is_missing(const struct measuring *measuring, const char *case_id)
{
	const json_t *one;
	size_t i;

	json_array_foreach(measuring->missing, i, one)
		if (strcmp(json_get_text(one, "case_id"), case_id) == 0)
			return true;
	return false;
}

/* The plan with fewer pairs. How many there are is no part of the identity. */
static int
cut_plan(const struct measuring_case *one, struct error *error)
{
	char *path = memory_format("build/plan/%s.json", one->there->plan.case_id);
	struct plan plan;
	int result = plan_read(path, &plan, error);

	if (result == 0) {
		struct design *design = &plan.design;

		design->pairs = one->pairs;
		design->aa_pairs = one->aa_pairs;
		design->stop = STOP_FIXED;
		design->until_ci = design->budget_s = 0;
		design->max_pairs = design->looks = 0;
		result = plan_write(path, &plan, 0, error);
		plan_free(&plan);
	}
	free(path);
	return result;
}

static int
is_late(void *until_ns, const struct plan *plan, int pairs, char **why, struct error *error)
{
	(void)plan;
	(void)pairs;
	(void)error;
	if (clock_monotonic_ns() < *(const int64_t *)until_ns)
		return 0;
	*why = memory_copy_text("the time of the smoke run is over");
	return 1;
}

/* A session that turned out invalid is a fact about its case, and the others go on. */
static int
measure_one(struct measuring *measuring, const struct measuring_case *one, int64_t *until_ns, FILE *out,
	    struct error *error)
{
	const char *case_id = one->there->plan.case_id;
	struct stop_rule late = {is_late, until_ns};
	struct measure_options how = {.case_id = case_id, .out = out,
				      .rule = measuring->smoke ? &late : &declared_stop};
	struct error problem = {0};

	if (measuring->smoke && cut_plan(one, error) != 0)
		return -1;
	if (measure_case(&how, &problem) != 0) {
		if (problem.code == EXIT_INTERRUPTED) {
			*error = problem;
			return -1;
		}
		note_missing(measuring, case_id, problem.message);
		return 0;
	}
	return stored_case_compute(case_id, NULL, error);
}

static bool
has_plan(const char *case_id)
{
	char *path = memory_format("build/plan/%s.json", case_id);
	bool has = file_exists(path);

	free(path);
	return has;
}

int
measuring_run(struct measuring *measuring, FILE *out, struct error *error)
{
	int64_t until_ns = clock_monotonic_ns() + (int64_t)SMOKE_LIMIT_S * 1000000000;
	size_t i;

	for (i = 0; i < measuring->count; i++) {
		const struct measuring_case *one = &measuring->cases[i];
		const char *case_id = one->there->plan.case_id;

		if (*interrupt_flag())
			return error_set(error, EXIT_INTERRUPTED, "interrupted");
		if (!has_plan(case_id))
			note_missing(measuring, case_id, "the specs in the bundle do not make it any more");
		else if (one->skipped)
			note_missing(measuring, case_id, "a smoke run has no time for it");
		else if (measuring->smoke && clock_monotonic_ns() >= until_ns)
			note_missing(measuring, case_id, "the time of the smoke run was over");
		else if (measure_one(measuring, one, &until_ns, out, error) != 0)
			return -1;
	}
	return 0;
}

/* ---- judging ---- */

/* Of the study: the cases that were measured. The claims stay, since the correction for several
 * counts all of them. */
static json_t *
measured_study(const struct measuring *measuring, const json_t *study)
{
	json_t *copy = json_deep_copy(study), *experiment, *one;
	size_t i, k;

	json_array_foreach(json_object_get(copy, "experiments"), i, experiment) {
		json_t *kept = json_array();

		json_array_foreach(json_object_get(experiment, "cases"), k, one) {
			const char *case_id = json_get_text(one, "case_id");
			size_t c = 0;

			while (c < measuring->count &&
			       strcmp(measuring->cases[c].there->plan.case_id, case_id) != 0)
				c++;
			if (c < measuring->count && !is_missing(measuring, case_id))
				json_array_append(kept, one);
		}
		json_object_set_new(experiment, "cases", kept);
	}
	return copy;
}

json_t *
measuring_judge(const struct measuring *measuring, const json_t *study, struct error *error)
{
	json_t *measured = measured_study(measuring, study);
	json_t *stats = study_document(measured, "build/stats", error);

	json_decref(measured);
	return stats;
}

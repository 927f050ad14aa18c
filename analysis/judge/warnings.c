#include "analysis/judge/warnings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/changepoint.h"
#include "analysis/crossover.h"
#include "analysis/dependence.h"
#include "analysis/describe.h"
#include "analysis/judge/background.h"
#include "analysis/judge/builds.h"
#include "analysis/judge/clocks.h"
#include "analysis/judge/comparison.h"
#include "analysis/judge/cores.h"
#include "analysis/judge/counters_document.h"
#include "analysis/judge/group_document.h"
#include "analysis/judge/item_warnings.h"
#include "analysis/judge/warmup.h"
#include "analysis/judge/warning.h"
#include "analysis/judge/watched.h"
#include "analysis/judge/work_done.h"
#include "analysis/modes.h"
#include "analysis/noise.h"
#include "analysis/trend.h"
#include "base/json.h"
#include "base/memory.h"

#define SIGNIFICANT 0.01
#define DIP_REPLICATES 2000
#define DIP_SEED 20260102UL

struct scene {
	const struct case_input *input;
	const struct case_options *options;
	const json_t *document;
	int column;             /* of the primary metric */
	const char *item;       /* NULL: its values are the process's */
	const json_t *entry;    /* the item in the document */
	json_t *warnings;
};

/* One treatment's collapsed values in the order of their launches. The caller frees. */
static double *
series(const struct scene *scene, int treatment, size_t *count)
{
	const struct observations *all = scene->input->observations;
	const struct observed *observed = observations_of(all, scene->item);
	double *x = memory_zeroed(observed->count, sizeof *x);
	size_t k;

	*count = 0;
	for (k = 0; k < observed->count; k++) {
		const struct observation *one = &all->items[observed->at[k]];

		if (one->used && one->phase == OBSERVED_AB && one->treatment == treatment &&
		    observation_value(all, observed->at[k], scene->column, scene->options->collapse,
				      &x[*count], NULL) == STAT_OK)
			++*count;
	}
	return x;
}

static const char *
name_of(const struct scene *scene, size_t treatment)
{
	return scene->input->plan->treatments[treatment].name;
}

static void
warn_drift(struct scene *scene, size_t treatment, const double *x, size_t n)
{
	struct mann_kendall kendall;
	struct theil_sen line;

	if (trend_mann_kendall(x, n, &kendall) != STAT_OK || trend_theil_sen(x, n, &line) != STAT_OK ||
	    !(kendall.p < SIGNIFICANT) || !isfinite(line.total_drift_rel))
		return;
	warning_add(scene->warnings, "drift", 0.3 + 10 * fabs(line.total_drift_rel), line.total_drift_rel,
	    "the interleaved pairs remove it from the ratio; do not quote the absolute times, and look "
	    "for a machine that heats up or fills up",
	    "%s drifts by %+.2g %% over the run (Theil-Sen; Mann-Kendall p = %.2g)",
	    name_of(scene, treatment), 100 * line.total_drift_rel, kendall.p);
}

static void
warn_dependence(struct scene *scene, size_t treatment, const double *x, size_t n)
{
	struct ljung_box box;
	double r1, effective;

	if (n < 10 || dependence_ljung_box(x, n, 1, &box) != STAT_OK || !(box.p < SIGNIFICANT) ||
	    dependence_acf1(x, n, &r1) != STAT_OK || dependence_ess_ar1(x, n, &effective) != STAT_OK)
		return;
	warning_add(scene->warnings, "dependence", 0.2 + 0.5 * fabs(r1), r1,
	    "one run tells about the next; the shuffled order keeps the test exact, the medians' own "
	    "intervals are too narrow",
	    "runs of %s are correlated: lag-1 autocorrelation %.2f, %zu runs tell as much as %.0f "
	    "independent ones",
	    name_of(scene, treatment), r1, n, effective);
}

static void
warn_modes(struct scene *scene, size_t treatment, const double *x, size_t n)
{
	struct dip_test dip;

	if (n < 8 || modes_dip_test(x, n, DIP_REPLICATES, DIP_SEED, &dip) != STAT_OK ||
	    !(dip.p < SIGNIFICANT))
		return;
	warning_add(scene->warnings, "modes", 0.6, dip.dip,
	    "a median falls into one mode or the other: look at the runs figure, and find what "
	    "switches (frequency, placement, a neighbour)",
	    "the runs of %s fall into more than one mode (dip %.3f, p = %.2g)", name_of(scene, treatment),
	    dip.dip, dip.p);
}

/* The largest change of the median from one segment to the next, relative to the first. */
static double
largest_step(const double *x, size_t n, const json_t *changes)
{
	size_t k, from = 0, count = json_array_size(changes);
	double before = NAN, largest = 0;

	for (k = 0; k <= count; k++) {
		size_t to = k < count ? (size_t)json_integer_value(json_array_get(changes, k)) : n;
		double median = NAN;

		if (from < to && to <= n)
			describe_median(x + from, to - from, &median);
		if (k > 0 && before > 0 && fabs(median / before - 1) > fabs(largest))
			largest = median / before - 1;
		before = median;
		from = to;
	}
	return largest;
}

/* The change points that treatment.c found and the drift figure shows. */
static void
warn_steps(struct scene *scene, size_t treatment, const double *x, size_t n)
{
	const json_t *entry = json_array_get(json_object_get(scene->entry, "treatments"), treatment);
	const json_t *changes = json_object_get(json_object_get(entry, "trend"), "changes");
	size_t count = json_array_size(changes);

	if (count == 0)
		return;
	warning_add(scene->warnings, "steps", 0.5, largest_step(x, n, changes),
	    "something switched during the session: look at the drift figure, and at what ran or "
	    "changed then; the pairs compare runs that lie together, so the ratio is less touched than "
	    "the times",
	    "%s changes its level or spread %zu time%s, first after run %lld of %zu; the largest step is "
	    "%+.2g %%",
	    name_of(scene, treatment), count, count == 1 ? "" : "s",
	    (long long)json_integer_value(json_array_get(changes, 0)), n,
	    100 * largest_step(x, n, changes));
}

static void
warn_treatments(struct scene *scene)
{
	size_t t;

	for (t = 0; t < scene->input->plan->treatment_count; t++) {
		size_t n;
		double *x = series(scene, (int)t, &n);

		warn_drift(scene, t, x, n);
		warn_steps(scene, t, x, n);
		warn_dependence(scene, t, x, n);
		warn_modes(scene, t, x, n);
		free(x);
	}
}

/* ---- inside the groups ---- */

static bool
settles_late(const double *x, size_t n)
{
	size_t *index = memory_zeroed(n, sizeof *index);
	struct changepoints found;
	size_t start = 0;
	bool late = n >= 8 &&
		    changepoint_pelt_meanvar(x, n, 15, 2, 1e-4, index, &found) == STAT_OK &&
		    !changepoint_is_steady(n, index, found.count, 0.25, &start);

	free(index);
	return late;
}

static void
warn_unsteady(struct scene *scene)
{
	const struct observations *all = scene->input->observations;
	size_t i, late = 0, groups = 0;

	for (i = 0; i < all->count; i++) {
		double *x;
		size_t n;

		if (!all->items[i].used || !all->items[i].ok || all->items[i].phase != OBSERVED_AB)
			continue;
		n = observation_samples(all, i, scene->column, &x);
		groups++;
		late += settles_late(x, n);
		free(x);
	}
	if (late > 0)
		warning_add(scene->warnings, "no_steady_state", 0.3 + 0.7 * (double)late / (double)groups, (double)late,
		    "raise warmup_samples, or samples, so that what is timed is the steady state",
		    "%zu of %zu groups%s have no steady state: their last level begins in the last quarter "
		    "of the samples",
		    late, groups, all->name_count > 1 ? " and items" : "");
}

static void
warn_preemption(struct scene *scene)
{
	const struct observations *all = scene->input->observations;
	int wall = csv_table_column(&all->table, "wall_us"), cpu = csv_table_column(&all->table, "cpu_us");
	const struct collapse median = {COLLAPSE_MEDIAN, 0};
	double declared = scene->input->plan->preempted_above;
	double limit = declared > 0 ? declared : 0.05, worst = 0;
	size_t i, over = 0, groups = 0;

	for (i = 0; i < all->count; i++) {
		double w, c;

		if (!all->items[i].used || !all->items[i].ok || all->items[i].phase != OBSERVED_AB ||
		    observation_value(all, i, wall, median, &w, NULL) != STAT_OK ||
		    observation_value(all, i, cpu, median, &c, NULL) != STAT_OK || !(w > 0))
			continue;
		groups++;
		over += 1 - c / w > limit;
		worst = fmax(worst, 1 - c / w);
	}
	if (over > 0)
		warning_add(scene->warnings, "preemption", 0.5 + worst, worst,
		    "something else ran on this CPU: find it (top shows it), or compare cpu_us; a program that waits by "
		    "itself, for a disk, a lock or its threads, is as slow as it seems",
		    "in %zu of %zu groups%s wall time exceeds CPU time by more than %.0f %% (worst %.0f %%)", over,
		    groups, all->name_count > 1 ? " and items" : "", 100 * limit, 100 * worst);
}

/* ---- the control and the comparison ---- */

static void
warn_slot(struct scene *scene)
{
	struct noise_alarm alarm;
	struct pair_set aa;
	double *d;

	pair_set_collect(scene->input->observations, plan_baseline(scene->input->plan),
			 (int)scene->input->plan->treatment_count, true, scene->item, scene->column, scene->options->collapse, &aa);
	d = memory_zeroed(aa.count, sizeof *d);
	if (pairs_differences(aa.a, aa.b, aa.orders, aa.count, d) == STAT_OK &&
	    noise_aa_alarm(d, aa.count, 0.99, 10, &alarm) == STAT_OK && alarm.alarm)
		warning_add(scene->warnings, "slot_effect", 0.4, alarm.estimate,
		    "the primary analysis removes it; do not compare first with first by hand",
		    "the second of two identical runs takes %.2f %% longer than the first", 100 * expm1(alarm.estimate));
	free(d);
	pair_set_free(&aa);
}

static const json_t *
comparison_at(const struct scene *scene, size_t index)
{
	return json_array_get(json_object_get(scene->entry, "comparisons"), index);
}

/* The same pairs under the other collapse rule: does the verdict hang on it? */
static void
warn_collapse(struct scene *scene, size_t index)
{
	const struct comparison *which = &scene->input->plan->comparisons[index];
	const json_t *comparison = comparison_at(scene, index);
	bool is_median = scene->options->collapse.kind == COLLAPSE_MEDIAN;
	struct collapse other = {is_median ? COLLAPSE_TRIMMED_MEAN : COLLAPSE_MEDIAN,
				 scene->options->collapse.trim_factor};
	double lo = json_get_number(comparison, "log_lo"), hi = json_get_number(comparison, "log_hi");
	struct pair_set set;
	struct crossover_hl hl;
	double *d;

	pair_set_collect(scene->input->observations, (int)which->a, (int)which->b, false, scene->item,
			 scene->column, other, &set);
	d = memory_zeroed(set.count, sizeof *d);
	if (isfinite(lo) && pairs_differences(set.a, set.b, set.orders, set.count, d) == STAT_OK &&
	    crossover_hl(d, set.orders, set.count, json_get_number(comparison, "confidence"), &hl) ==
		    STAT_OK &&
	    (lo > 0) - (hi < 0) != (hl.lo > 0) - (hl.hi < 0))
		warning_add(scene->warnings, "collapse", 0.7, hl.ratio,
		    "the median and the trimmed mean of a group's samples disagree: look at the samples "
		    "before quoting either",
		    "with %s instead of %s the interval of the time ratio of %s is [%.4f, %.4f] and the "
		    "verdict would be another",
		    is_median ? "the trimmed mean" : "the median",
		    is_median ? "the median" : "the mean", name_of(scene, which->b),
		    hl.ratio_lo, hl.ratio_hi);
	free(d);
	pair_set_free(&set);
}

/* A spread of nothing is a clock that does not see it. */
static void
warn_clock(struct scene *scene, size_t index)
{
	const struct comparison *which = &scene->input->plan->comparisons[index];
	const json_t *comparison = comparison_at(scene, index);
	size_t n, i, equal = 0;
	double *x;

	if (json_get_integer(comparison, "pairs", 0) < 4 ||
	    isfinite(json_get_number(comparison, "noise_floor_log")))
		return;
	x = series(scene, (int)which->a, &n);
	for (i = 1; i < n; i++)
		equal += x[i] == x[0];
	free(x);
	warning_add(scene->warnings, "coarse_clock", 0.6, n > 0 ? (double)(equal + 1) / (double)n : NAN,
	    "time more work in a sample (raise the iterations), so that the clock can see the noise",
	    "no noise floor of %s: more than half of the pairs differ by exactly the same, %zu of %zu "
	    "runs of %s took exactly as long as the first",
	    name_of(scene, which->b), equal + 1, n, name_of(scene, which->a));
}

/* ---- how it came to its end ---- */

static void
warn_budget(struct scene *scene)
{
	const json_t *stop = json_object_get(scene->document, "stop");
	const json_t *pairs = json_object_get(scene->document, "pairs");
	long long complete = json_get_integer(pairs, "complete", 0);

	if (strcmp(json_get_text(stop, "how"), "budget") != 0)
		return;
	warning_add(scene->warnings, "budget", 0.5, (double)complete,
	    "the result stands for what was measured; a larger budget goes on, and counts as growth "
	    "after a look",
	    "the budget of %g s was used up at %lld of at most %lld pairs",
	    scene->input->plan->design.budget_s, complete, json_get_integer(pairs, "planned", 0));
}

/* until_ci, all pairs there, and the interval still wider than wanted. */
static void
warn_imprecise(struct scene *scene, size_t index)
{
	const struct design *design = &scene->input->plan->design;
	const json_t *comparison = comparison_at(scene, index);
	double half = (json_get_number(comparison, "log_hi") - json_get_number(comparison, "log_lo")) / 2;

	if (design->stop != STOP_UNTIL_CI || !(half > log1p(design->until_ci)))
		return;
	warning_add(scene->warnings, "imprecise", 0.5, expm1(half),
	    "raise max_pairs before measuring afresh, or quiet the machine; 'assay power' tells how "
	    "many pairs it takes",
	    "the interval of %s is +-%.2g %% wide with %lld pairs; until_ci asked for %.2g %%",
	    json_get_text(comparison, "b_name"), 100 * expm1(half),
	    json_get_integer(comparison, "pairs", 0), 100 * design->until_ci);
}

static void
warn_failures(struct scene *scene)
{
	const json_t *failures = json_object_get(scene->document, "failures");
	const json_t *first = json_array_get(failures, 0);
	size_t n = json_array_size(failures);

	if (n > 0)
		warning_add(scene->warnings, "failed_groups", 0.9, (double)n,
		    "read the log named here in results/; after mending, 'assay retry' runs the failed blocks again",
		    "%zu groups failed and are in no number; the first is %s: %s", n,
		    json_get_text(first, "run_id"), json_get_text(first, "reason"));
}

static void
warn_exploratory(struct scene *scene)
{
	const json_t *looks = scene->input->looks;

	if (json_is_true(json_object_get(scene->document, "exploratory")))
		warning_add(scene->warnings, "exploratory", 0.8, (double)json_array_size(looks),
		    "declare max_pairs or until_ci before measuring, and measure afresh",
		    "exploratory: %s; %zu looks are in the ledger",
		    json_get_text(scene->document, "exploratory_reason"), json_array_size(looks));
}

static void
warn_background(struct scene *scene)
{
	size_t t;

	for (t = 0; t < scene->input->plan->treatment_count; t++) {
		double share = background_share(scene->input->observations, t);

		if (share > 0)
			warning_add(scene->warnings, "background", 0.9, share,
			    "let it wait for them: what they do is in no time here, so it seems faster than it is",
			    "%s leaves processes behind in %.0f %% of its runs; they were ended", name_of(scene, t),
			    100 * share);
	}
}

/* Two treatments that are the same program: what is between them is the set-up's. */
static void
warn_identical(struct scene *scene)
{
	const json_t *pair;
	size_t i;

	json_array_foreach((json_t *)scene->input->identical, i, pair) {
		size_t a = (size_t)json_integer_value(json_array_get(pair, 0));
		size_t b = (size_t)json_integer_value(json_array_get(pair, 1));

		warning_add(scene->warnings, "identical_programs", 0.7, (double)b,
		    "read their comparison as one more A/A control; if they should differ, look at how they are built",
		    "%s and %s are identical: the same program by its loaded content, with the same arguments "
		    "and input; any difference is noise", name_of(scene, b), name_of(scene, a));
	}
}

/* ---- items ---- */

static void
warn_item(struct scene *scene)
{
	size_t i;

	warn_treatments(scene);
	warn_slot(scene);
	for (i = 0; i < scene->input->plan->comparison_count; i++) {
		if (json_is_true(json_object_get(comparison_at(scene, i), "absent")))
			continue;
		warn_collapse(scene, i);
		warn_clock(scene, i);
		warn_imprecise(scene, i);
	}
}

static void
warn_items(struct scene *scene)
{
	const json_t *metric = json_array_get(json_object_get(scene->document, "metrics"), 0), *item;
	const json_t *items = json_object_get(metric, "items");
	json_t *all = scene->warnings, *folded = json_array();
	size_t i;

	json_array_foreach((json_t *)items, i, item) {
		const char *name = json_get_text(item, "item");

		scene->entry = item;
		scene->item = name[0] == '\0' ? NULL : name;
		scene->warnings = json_array_size(items) == 1 ? json_incref(all) : json_array();
		warn_item(scene);
		if (json_array_size(items) > 1)
			item_warnings_fold(folded, scene->warnings, name);
		json_decref(scene->warnings);
	}
	item_warnings_folded(folded);
	scene->warnings = all;
	json_array_extend(all, folded);
	json_decref(folded);
}

json_t *
case_warnings(const struct case_input *input, const struct case_options *options,
	      const json_t *document)
{
	struct scene scene = {
		.input = input, .options = options, .document = document, .warnings = json_array(),
		.column = csv_table_column(&input->observations->table, input->plan->primary),
	};

	warn_failures(&scene);
	warn_identical(&scene);
	warn_exploratory(&scene);
	warn_budget(&scene);
	warn_background(&scene);
	cores_warn(input, scene.warnings);
	item_warnings_failed(document, scene.warnings);
	if (json_is_true(json_object_get(document, "invalid")))
		return scene.warnings;
	item_warnings_one_sided(input->plan, document, scene.warnings);
	warn_items(&scene);
	warn_unsteady(&scene);
	warn_preemption(&scene);
	watched_warn(input, scene.warnings);
	counters_warnings(json_object_get(document, "counters"), scene.warnings);
	warmup_warn(input, scene.warnings);
	clocks_warn(input, scene.warnings);
	work_done_warn(input, scene.warnings);
	builds_warn(input, scene.warnings);
	group_document_warnings(json_object_get(document, "group_report"), scene.warnings);
	return scene.warnings;
}

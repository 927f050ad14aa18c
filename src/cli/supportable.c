#include "cli/supportable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/power.h"
#include "analysis/stopping.h"
#include "base/memory.h"
#include "schedule/growth.h"
#include "spec/claims.h"

#define FAMILY_ALPHA 0.05

/* What a claim has to be settled with. */
struct claim_means {
	const struct claim *claim;
	int pairs;
	bool searched; /* these are the pairs that confirm what others chose */
	double smallest_p;
	double share; /* of 5 % that the stop rule leaves for the last look */
	bool settled;
};

/* The result is reported at 1 - 5 % where pairs are fixed; a growing case has less to spend. */
static double
alpha_share(const struct plan *plan)
{
	const struct design *design = &plan->design;
	struct stopping_rule rule = {
		.kind = design->stop == STOP_UNTIL_CI ? STOPPING_UNTIL_CI : STOPPING_LOOKS,
		.pairs = (size_t)growth_pairs(plan),
		.half_width = design->until_ci,
		.looks = (size_t)design->looks,
		.alpha = FAMILY_ALPHA,
	};
	struct stopping_plan stopping;

	if (design->stop == STOP_FIXED || stopping_prepare(&rule, &stopping) != STAT_OK)
		return 1;
	return (1 - stopping_level(&stopping, rule.pairs)) / FAMILY_ALPHA;
}

static bool
is_searched(const struct experiment *experiment, const struct claim *claim)
{
	char *label;
	bool searched;

	if (experiment->search.name == NULL)
		return false;
	label = study_search_label(&experiment->search);
	searched = strcmp(claim->b, label) == 0;
	free(label);
	return searched;
}

static struct claim_means
means_of(const struct experiment *experiment, const struct claim *claim)
{
	struct plan plan = {.design = experiment->design,
			    .treatment_count = experiment->cases[0].treatment_count};
	struct claim_means means = {.claim = claim, .pairs = growth_most_pairs(&plan),
				    .searched = is_searched(experiment, claim), .share = alpha_share(&plan)};
	size_t n;

	if (means.searched)
		means.pairs -= study_search_pairs(&experiment->search, experiment->design.pairs);
	n = (size_t)means.pairs;
	if (power_smallest_p(n - n / 2, n / 2, &means.smallest_p) != STAT_OK)
		means.smallest_p = INFINITY;
	return means;
}

/*
 * As analysis/judge/claims.c decides: each case of a claim must support it at this level
 * (only a refutation is divided among them); sameness takes the 1 - 2 alpha interval.
 */
static double
needed_p(const struct claim_means *means, size_t left)
{
	double alpha = FAMILY_ALPHA / (double)left * means->share;

	return means->claim->kind == CLAIM_EQUIVALENT ? 2 * alpha : alpha;
}

/* Holm at its best: claims that can be settled first make room for the others. */
static size_t
settle(struct claim_means *all, size_t count)
{
	size_t left = count, i;
	bool moved = true;

	while (moved && left > 0) {
		moved = false;
		for (i = 0; i < count; i++) {
			if (all[i].settled || all[i].smallest_p > needed_p(&all[i], left) + 1e-12)
				continue;
			all[i].settled = moved = true;
			left--;
		}
	}
	return left;
}

static int
refuse(const struct claim_means *means, size_t number, size_t left, size_t count,
       struct error *error)
{
	const struct claim *claim = means->claim;
	char *text = claim_text(claim), *smallest, *others;
	double needed = needed_p(means, left);
	size_t pairs = 0;
	int result;

	power_pairs_for_p(needed, &pairs);
	smallest = isfinite(means->smallest_p)
			   ? memory_format("%d pairs have no p below %.2g", means->pairs, means->smallest_p)
			   : memory_format("%d pair%s no p at all", means->pairs,
					   means->pairs == 1 ? " has" : "s have");
	others = count > 1 ? memory_format(" (Holm: %zu of the study's %zu claims are to be settled at once)",
					   left, count)
			   : memory_copy_text("");
	result = error_set_at(error, EXIT_BAD_INPUT, claim->place.file, claim->place.line,
			      "claim C%zu, \"%s\", can never be supported: %s, and it needs p <= %.2g%s; plan "
			      "at least %zu pairs%s, or fewer claims", number, text, smallest, needed, others,
			      pairs, means->searched ? " beside those by which the search chooses" : "");
	free(smallest);
	free(others);
	free(text);
	return result;
}

/* The claims that are judged together: those of the report, or of one form of an experiment. */
static int
supportable_together(const struct study *study, const struct experiment *form, struct error *error)
{
	struct claim_means *all = NULL;
	size_t count = 0, capacity = 0, left, e, i;
	int result = 0;

	for (e = 0; e < study->experiment_count; e++)
		for (i = 0; i < study->experiments[e].claim_count; i++) {
			if (form != NULL ? form != &study->experiments[e] : study->experiments[e].form != NULL)
				continue;
			all = memory_grow(all, count, &capacity, sizeof *all);
			all[count++] = means_of(&study->experiments[e], &study->experiments[e].claims[i]);
		}
	left = settle(all, count);
	for (i = 0; i < count && result == 0; i++)
		if (!all[i].settled)
			result = refuse(&all[i], i + 1, left, count, error);
	free(all);
	return result;
}

int
claims_supportable(const struct study *study, struct error *error)
{
	int result = supportable_together(study, NULL, error);
	size_t e;

	for (e = 0; result == 0 && e < study->experiment_count; e++)
		if (study->experiments[e].form != NULL)
			result = supportable_together(study, &study->experiments[e], error);
	return result;
}

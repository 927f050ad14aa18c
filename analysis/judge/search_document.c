#include "analysis/judge/search_document.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/crossover.h"
#include "analysis/describe.h"
#include "base/json.h"
#include "base/memory.h"

/* One candidate against the baseline, in the blocks that choose. */
struct candidate {
	size_t treatment;
	struct pair_set pairs; /* of all blocks */
	size_t choosing;       /* how many of them choose */
	double estimate, median; /* speedups, above 1 better; NaN */
};

struct finding {
	const struct search_input *input;
	int last;              /* number of the last pair that chooses */
	struct candidate *candidates;
	size_t count;
	bool by_median;        /* a candidate lacks the estimate: then none is chosen by it */
	const struct candidate *chosen; /* NULL: none */
};

/* ---- what the candidates come to ---- */

static double
estimate(const struct comparison_context *context, const struct pair_set *set)
{
	double *d = memory_zeroed(set->count, sizeof *d), speedup = NAN;
	struct crossover_hl hl;

	if (pairs_differences(set->a, set->b, set->orders, set->count, d) == STAT_OK &&
	    crossover_hl(d, set->orders, set->count, 0.95, &hl) == STAT_OK)
		speedup = exp(context->lower_is_better ? -hl.log_ratio : hl.log_ratio);
	free(d);
	return speedup;
}

static double
median_speedup(const struct comparison_context *context, const struct pair_set *set)
{
	double *ratios = memory_zeroed(set->count, sizeof *ratios), median = NAN;
	size_t i;

	for (i = 0; i < set->count; i++)
		ratios[i] = context->lower_is_better ? set->a[i] / set->b[i] : set->b[i] / set->a[i];
	describe_median(ratios, set->count, &median);
	free(ratios);
	return median;
}

static void
look_at(const struct finding *finding, struct candidate *candidate)
{
	const struct search_input *input = finding->input;
	struct pair_set choosing;

	pair_set_collect(input->observations, (int)input->context->plan->search.against,
			 (int)candidate->treatment, false, input->item, input->column, input->collapse,
			 &candidate->pairs);
	pair_set_part(&candidate->pairs, 1, finding->last, &choosing);
	candidate->choosing = choosing.count;
	candidate->estimate = estimate(input->context, &choosing);
	candidate->median = median_speedup(input->context, &choosing);
	pair_set_free(&choosing);
}

static double
judged(const struct finding *finding, const struct candidate *candidate)
{
	return finding->by_median ? candidate->median : candidate->estimate;
}

/* One that most of the blocks lack is no fair choice; nor is anything where no number may be printed. */
static bool
is_eligible(const struct finding *finding, const struct candidate *candidate)
{
	return finding->input->context->invalid_reason == NULL &&
	       2 * candidate->choosing >= (size_t)finding->last && isfinite(candidate->median);
}

static void
choose(struct finding *finding)
{
	size_t i;

	for (i = 0; i < finding->count; i++)
		if (is_eligible(finding, &finding->candidates[i]) && !isfinite(finding->candidates[i].estimate))
			finding->by_median = true;
	for (i = 0; i < finding->count; i++) {
		const struct candidate *one = &finding->candidates[i];

		if (is_eligible(finding, one) &&
		    (finding->chosen == NULL || judged(finding, one) > judged(finding, finding->chosen)))
			finding->chosen = one;
	}
}

static void
find(const struct search_input *input, struct finding *finding)
{
	const struct plan *plan = input->context->plan;
	size_t i;

	*finding = (struct finding){.input = input, .count = plan->search.candidate_count,
				    .last = study_search_pairs(&plan->search, plan->design.pairs)};
	finding->candidates = memory_zeroed(finding->count, sizeof *finding->candidates);
	for (i = 0; i < finding->count; i++) {
		finding->candidates[i].treatment = plan->search.candidates[i];
		look_at(finding, &finding->candidates[i]);
	}
	choose(finding);
}

static void
finding_free(struct finding *finding)
{
	size_t i;

	for (i = 0; i < finding->count; i++)
		pair_set_free(&finding->candidates[i].pairs);
	free(finding->candidates);
}

/* ---- the document ---- */

static const char *
name_of(const struct finding *finding, size_t treatment)
{
	return finding->input->context->plan->treatments[treatment].name;
}

static json_t *
candidates_document(const struct finding *finding)
{
	json_t *list = json_array(), *one;
	size_t i;

	for (i = 0; i < finding->count; i++) {
		const struct candidate *candidate = &finding->candidates[i];
		bool eligible = is_eligible(finding, candidate);

		one = json_pack("{s:i, s:s, s:i}", "treatment", (int)candidate->treatment, "name",
				name_of(finding, candidate->treatment), "pairs", (int)candidate->choosing);
		json_object_set_new(one, "speedup", json_number_or_null(eligible ? candidate->estimate : NAN));
		json_object_set_new(one, "median_paired_speedup",
				    json_number_or_null(eligible ? candidate->median : NAN));
		json_array_append_new(list, one);
	}
	return list;
}

/* The chosen one against the baseline in the blocks from `first` to `last`, under the name `b`. */
static json_t *
comparison(const struct finding *finding, int first, int last, const char *b)
{
	const struct search_input *input = finding->input;
	struct comparison which = {input->context->plan->search.against, finding->chosen->treatment};
	struct comparison_context context = *input->context;
	struct pair_set part;
	json_t *document;

	context.which = &which;
	context.b_name = b;
	pair_set_part(&finding->chosen->pairs, first, last, &part);
	document = comparison_document(&context, &part);
	pair_set_free(&part);
	return document;
}

static void
put_chosen(const struct finding *finding, const char *label, json_t *document)
{
	const char *name = name_of(finding, finding->chosen->treatment);
	char *b = memory_format("%s (%s)", label, name);
	json_t *confirmed = comparison(finding, finding->last + 1, INT_MAX, b), *searched;
	double flattered;

	json_object_set_new(confirmed, "label", json_string(label));
	searched = comparison(finding, 1, finding->last, name);
	flattered = json_get_number(searched, "speedup") / json_get_number(confirmed, "speedup") - 1;
	json_object_set_new(document, "chosen", json_string(name));
	json_object_set_new(document, "searched", searched);
	json_object_set_new(document, "confirmed", confirmed);
	json_object_set_new(document, "flattered_percent", json_number_or_null(100 * flattered));
	free(b);
}

json_t *
search_document(const struct search_input *input)
{
	const struct plan *plan = input->context->plan;
	char *label = study_search_label(&plan->search);
	struct finding finding;
	json_t *document;

	find(input, &finding);
	document = json_pack("{s:s, s:s, s:s, s:i, s:o, s:s, s:n, s:n, s:n, s:n}", "name", plan->search.name,
			     "label", label, "against", name_of(&finding, plan->search.against), "pairs",
			     finding.last, "candidates", candidates_document(&finding), "chosen_by",
			     finding.by_median ? "median_paired_speedup" : "speedup", "chosen", "searched",
			     "confirmed", "flattered_percent");
	if (finding.chosen != NULL)
		put_chosen(&finding, label, document);
	finding_free(&finding);
	free(label);
	return document;
}

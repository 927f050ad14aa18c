#include "analysis/judge/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/crossover.h"
#include "analysis/judge/case_items.h"
#include "analysis/judge/sentence.h"
#include "analysis/claim.h"
#include "base/json.h"
#include "base/memory.h"

#define FAMILY_ALPHA 0.05

/* The pairs of the comparison a claim is about, in one case. */
struct evidence {
	const json_t *document;   /* the case */
	const char *item;         /* borrowed; "" */
	const json_t *comparison; /* NULL: there is none */
	bool reversed;            /* the comparison has a and b the other way round */
	bool usable;              /* neither invalid nor capped */
	double share;             /* of 5 % that the case's stop rule has left for its result */
	double *d;
	enum pair_order *orders;
	size_t count;
};

struct judged {
	const json_t *claim;
	enum claimed kind;
	double bound;
	struct evidence *cases; /* one a case and item */
	size_t case_count, capacity;
	enum claim_verdict verdict;
	bool settled;
};

static bool
names_are(const json_t *comparison, const char *a, const char *b)
{
	return strcmp(json_get_text(comparison, "a_name"), a) == 0 &&
	       strcmp(json_get_text(comparison, "b_name"), b) == 0;
}

/* What a search confirmed, where the claim is about its best; NULL: none. */
static const json_t *
find_confirmed(const json_t *item, const char *a, const char *b)
{
	const json_t *search = json_object_get(item, "search");
	const json_t *confirmed = json_object_get(search, "confirmed");

	if (!json_is_object(confirmed) || strcmp(json_get_text(search, "label"), b) != 0 ||
	    strcmp(json_get_text(search, "against"), a) != 0)
		return NULL;
	return confirmed;
}

static void
find_comparison(const json_t *claim, const json_t *item, struct evidence *evidence)
{
	const json_t *metric = json_array_get(json_object_get(evidence->document, "metrics"), 0);
	bool higher = strcmp(json_get_text(metric, "better"), "higher") == 0;
	const json_t *comparison;
	const char *a = json_get_text(claim, "a"), *b = json_get_text(claim, "b");
	size_t i;

	evidence->comparison = find_confirmed(item, a, b);
	if (evidence->comparison != NULL) {
		evidence->reversed = higher;
		return;
	}
	json_array_foreach(json_object_get(item, "comparisons"), i, comparison) {
		bool same = names_are(comparison, a, b), reversed = names_are(comparison, b, a);

		if (!same && !reversed)
			continue;
		evidence->comparison = comparison;
		/* log(new/old) is of time; for a metric where more is better it turns round. */
		evidence->reversed = reversed != higher;
		return;
	}
}

static void
read_points(struct evidence *evidence)
{
	const json_t *points = json_object_get(evidence->comparison, "points"), *point;
	const char *reason = json_get_text(evidence->comparison, "reason");
	size_t i;

	evidence->count = json_array_size(points);
	evidence->d = memory_zeroed(evidence->count, sizeof *evidence->d);
	evidence->orders = memory_zeroed(evidence->count, sizeof *evidence->orders);
	json_array_foreach((json_t *)points, i, point) {
		evidence->d[i] = json_get_number(point, "d");
		evidence->orders[i] =
			strcmp(json_get_text(point, "order"), "AB") == 0 ? PAIR_AB : PAIR_BA;
	}
	evidence->share = (1 - json_get_number(evidence->comparison, "confidence")) / FAMILY_ALPHA;
	evidence->usable = !json_is_true(json_object_get(evidence->document, "invalid")) &&
			   strncmp(reason, "the A/A' control", 16) != 0;
}

static struct verdict_interval
interval(const struct evidence *evidence, double conf)
{
	struct verdict_interval none = {NAN, NAN}, found;
	struct crossover_hl hl;

	if (crossover_hl(evidence->d, evidence->orders, evidence->count, conf, &hl) != STAT_OK)
		return none;
	found.lo = hl.lo;
	found.hi = hl.hi;
	return evidence->reversed ? verdict_flip(found) : found;
}

/* By at least a factor: faster by it or slower by it; neither, and it is refuted. */
static enum claim_verdict
decide_difference(double by, struct verdict_interval outer, struct verdict_interval inner)
{
	enum claim_verdict faster = CLAIM_OPEN, slower = CLAIM_OPEN;

	claim_decide(CLAIMED_FASTER, by, outer, inner, &faster);
	claim_decide(CLAIMED_SLOWER, by, outer, inner, &slower);
	if (faster == CLAIM_SUPPORTED || slower == CLAIM_SUPPORTED)
		return CLAIM_SUPPORTED;
	return faster == CLAIM_REFUTED && slower == CLAIM_REFUTED ? CLAIM_REFUTED : CLAIM_OPEN;
}

static enum claim_verdict
decide_case(const struct judged *judged, const struct evidence *evidence, double alpha)
{
	enum claim_verdict verdict = CLAIM_OPEN;
	struct verdict_interval outer, inner;

	if (!evidence->usable)
		return CLAIM_OPEN;
	outer = interval(evidence, 1 - alpha * evidence->share);
	inner = interval(evidence, 1 - 2 * alpha * evidence->share);
	if (judged->kind == CLAIMED_DIFFERENT && judged->bound > 1)
		return decide_difference(judged->bound, outer, inner);
	claim_decide(judged->kind, judged->bound, outer, inner, &verdict);
	return verdict;
}

/* Supported needs every case; refuted needs one, at a level divided among them. */
static enum claim_verdict
decide(const struct judged *judged, double alpha)
{
	size_t c, supported = 0;

	for (c = 0; c < judged->case_count; c++)
		if (decide_case(judged, &judged->cases[c], alpha / (double)judged->case_count) ==
		    CLAIM_REFUTED)
			return CLAIM_REFUTED;
	for (c = 0; c < judged->case_count; c++)
		supported += decide_case(judged, &judged->cases[c], alpha) == CLAIM_SUPPORTED;
	return supported > 0 && supported == judged->case_count ? CLAIM_SUPPORTED : CLAIM_OPEN;
}

/* Holm: the first to be settled pays for all, the next for all but one, and so on. */
static void
settle(struct judged *claims, size_t count)
{
	size_t left = count, i;
	bool moved = true;

	while (moved && left > 0) {
		moved = false;
		for (i = 0; i < count && !moved; i++) {
			if (claims[i].settled)
				continue;
			claims[i].verdict = decide(&claims[i], FAMILY_ALPHA / (double)left);
			claims[i].settled = moved = claims[i].verdict != CLAIM_OPEN;
		}
		left -= moved;
	}
}

static bool
any_invalid(const struct judged *judged, const char **reason)
{
	size_t c;

	for (c = 0; c < judged->case_count; c++)
		if (json_is_true(json_object_get(judged->cases[c].document, "invalid"))) {
			*reason = json_get_text(judged->cases[c].document, "invalid_reason");
			return true;
		}
	return false;
}

static bool
any_exploratory(const struct judged *judged)
{
	size_t c;

	for (c = 0; c < judged->case_count; c++)
		if (json_is_true(json_object_get(judged->cases[c].document, "exploratory")))
			return true;
	return false;
}

/* Whether only the claims beside it leave it open. */
static bool
holds_alone(const struct judged *judged)
{
	size_t c;

	for (c = 0; c < judged->case_count; c++)
		if (decide_case(judged, &judged->cases[c], FAMILY_ALPHA) != CLAIM_SUPPORTED)
			return false;
	return judged->case_count > 0;
}

/* Why a claim is open, where that is more than its intervals say; the caller frees. */
static char *
why_open(const struct judged *judged)
{
	const char *wanted = json_string_value(json_object_get(judged->claim, "item"));
	size_t c;

	for (c = 0; c < judged->case_count; c++) {
		const struct evidence *evidence = &judged->cases[c];

		if (evidence->comparison == NULL && wanted != NULL)
			return memory_format("no item is called %s", wanted);
		if (json_is_true(json_object_get(evidence->comparison, "absent")))
			return memory_format("%s%s%s", evidence->item, evidence->item[0] != '\0' ? ": " : "",
					     json_get_text(evidence->comparison, "reason"));
	}
	if (holds_alone(judged))
		return memory_copy_text("alone it would hold at 5 %, beside the study's other claims (Holm) it does "
					"not: more pairs, or fewer claims");
	return memory_copy_text("");
}

static json_t *
claim_document(const struct judged *judged, const char *experiment)
{
	const char *reason = "", *verdict = claim_verdict_name(judged->verdict);
	json_t *cases = json_array(), *document;
	char *lacking = NULL;
	size_t c;

	if (any_invalid(judged, &reason))
		verdict = "invalid";
	else if (judged->verdict == CLAIM_OPEN)
		reason = lacking = why_open(judged);
	for (c = 0; c < judged->case_count; c++) {
		const struct evidence *evidence = &judged->cases[c];
		json_t *one = json_pack("{s:s, s:s, s:s}", "case_id",
					json_get_text(evidence->document, "case_id"), "item",
					evidence->item, "verdict",
					claim_verdict_name(decide_case(judged, evidence, FAMILY_ALPHA)));
		static const char *const keys[] = {"speedup", "speedup_lo", "speedup_hi"};
		size_t k;

		for (k = 0; k < 3; k++) {
			json_t *value = json_object_get(evidence->comparison, keys[k]);

			json_object_set(one, keys[k], value != NULL ? value : json_null());
		}
		json_array_append_new(cases, one);
	}
	document = json_pack("{s:O, s:s, s:O, s:s, s:s, s:b, s:o}", "id", json_object_get(judged->claim, "id"),
			 "experiment", experiment, "text", json_object_get(judged->claim, "text"),
			 "verdict", verdict, "reason", reason, "exploratory", any_exploratory(judged),
			 "cases", cases);
	free(lacking);
	return document;
}

static void
add_evidence(struct judged *judged, const json_t *document, const json_t *item)
{
	struct evidence *evidence;

	judged->cases = memory_grow(judged->cases, judged->case_count, &judged->capacity,
				    sizeof *judged->cases);
	evidence = &judged->cases[judged->case_count++];
	memset(evidence, 0, sizeof *evidence);
	evidence->document = document;
	evidence->item = json_get_text(item, "item");
	find_comparison(judged->claim, item, evidence);
	read_points(evidence);
}

/* One side of the claim: then it is open, whatever the items. */
static bool
is_skipped(const json_t *claim, const json_t *document)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(document, "skipped"), i, one)
		if (strcmp(json_get_text(one, "name"), json_get_text(claim, "a")) == 0 ||
		    strcmp(json_get_text(one, "name"), json_get_text(claim, "b")) == 0)
			return true;
	return false;
}

/* Only one side ever had it, so that the claim is not about it; what failed is another matter. */
static bool
is_one_sided(const json_t *claim, const json_t *document, const json_t *item)
{
	const json_t *entry = case_items_find(json_object_get(document, "items"),
					      json_get_text(item, "item"));
	struct evidence found = {.document = document};

	find_comparison(claim, item, &found);
	return json_is_true(json_object_get(found.comparison, "absent")) && !is_skipped(claim, document) &&
	       json_array_size(json_object_get(entry, "failed")) == 0 &&
	       json_array_size(json_object_get(entry, "treatments")) <
		       json_array_size(json_object_get(item, "treatments"));
}

/* A claim names an item, or is about all of a case's. */
static void
add_case(struct judged *judged, const json_t *document)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0);
	const json_t *items = json_object_get(metric, "items"), *item;
	const char *wanted = json_string_value(json_object_get(judged->claim, "item"));
	size_t before = judged->case_count, i;

	json_array_foreach((json_t *)items, i, item)
		if (wanted != NULL ? strcmp(json_get_text(item, "item"), wanted) == 0
				   : json_array_size(items) == 1 ||
					     !is_one_sided(judged->claim, document, item))
			add_evidence(judged, document, item);
	if (judged->case_count == before)
		add_evidence(judged, document, NULL);
}

static void
judged_begin(struct judged *judged, const json_t *claim, const json_t *cases)
{
	const json_t *ids = json_object_get(claim, "cases");
	double by = json_get_number(claim, "by"), within = json_get_number(claim, "within");
	size_t c;

	judged->claim = claim; /* the rest is zero */
	judged->kind = CLAIMED_DIFFERENT;
	claimed_of(json_get_text(claim, "kind"), &judged->kind);
	if (judged->kind == CLAIMED_FASTER || judged->kind == CLAIMED_SLOWER ||
	    judged->kind == CLAIMED_DIFFERENT)
		judged->bound = by >= 1 ? by : 1;
	else
		judged->bound = isfinite(within) ? within : 0;
	for (c = 0; c < json_array_size(ids); c++)
		add_case(judged,
			 json_object_get(cases, json_string_value(json_array_get(ids, c))));
}

static void
judged_end(struct judged *judged)
{
	size_t c;

	for (c = 0; c < judged->case_count; c++) {
		free(judged->cases[c].d);
		free(judged->cases[c].orders);
	}
	free(judged->cases);
}

json_t *
claims_judge(const json_t *study, const json_t *cases)
{
	const json_t *experiment, *claim;
	struct judged *all = NULL;
	const char **experiments = NULL;
	size_t e, i, count = 0, capacity = 0, name_capacity = 0;
	json_t *list = json_array();

	json_array_foreach(json_object_get(study, "experiments"), e, experiment) {
		json_array_foreach(json_object_get(experiment, "claims"), i, claim) {
			all = memory_grow(all, count, &capacity, sizeof *all);
			experiments = memory_grow(experiments, count, &name_capacity, sizeof *experiments);
			memset(&all[count], 0, sizeof *all);
			experiments[count] = json_get_text(experiment, "name");
			judged_begin(&all[count++], claim, cases);
		}
	}
	settle(all, count);
	for (i = 0; i < count; i++) {
		json_array_append_new(list, claim_document(&all[i], experiments[i]));
		judged_end(&all[i]);
	}
	free(all);
	free(experiments);
	return list;
}

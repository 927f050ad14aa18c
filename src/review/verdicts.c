#include "review/verdicts.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/json.h"

/* ---- effects ---- */

static const json_t *
find_comparison(const json_t *item, const json_t *like)
{
	const json_t *list = json_object_get(item, "comparisons"), *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (strcmp(json_get_text(one, "a_name"), json_get_text(like, "a_name")) == 0 &&
		    strcmp(json_get_text(one, "b_name"), json_get_text(like, "b_name")) == 0)
			return one;
	return NULL;
}

/* What counts of a comparison; null for none. */
static json_t *
effect_of(const json_t *comparison)
{
	static const char *const keys[] = {"speedup", "speedup_lo", "speedup_hi", "verdict", "pairs"};
	json_t *effect = json_object();
	size_t i;

	if (comparison == NULL) {
		json_decref(effect);
		return json_null();
	}
	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		json_t *value = json_object_get(comparison, keys[i]);

		json_object_set(effect, keys[i], value != NULL ? value : json_null());
	}
	return effect;
}

static const char *
relation_of(const json_t *there, const json_t *here)
{
	double lo = json_get_number(there, "speedup_lo"), hi = json_get_number(there, "speedup_hi");
	double from = json_get_number(here, "speedup_lo"), to = json_get_number(here, "speedup_hi");

	if (isnan(lo) || isnan(hi) || isnan(from) || isnan(to))
		return "unknown";
	if (from <= hi && lo <= to)
		return "agree";
	return (lo > 1 && from > 1) || (hi < 1 && to < 1) ? "same direction" : "differ";
}

static void
add_effect(const json_t *document, const char *metric, const char *item, const json_t *there,
	   const json_t *here, json_t *list)
{
	json_array_append_new(
		list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:s}", "experiment",
				json_get_text(document, "experiment"), "case_id",
				json_get_text(document, "case_id"), "point",
				json_get_text(document, "point_text"), "metric", metric, "item", item, "a",
				json_get_text(here, "a_name"), "b", json_get_text(here, "b_name"), "there",
				effect_of(there), "here", effect_of(here), "relation",
				relation_of(there, here)));
}

static const json_t *
primary_of(const json_t *document)
{
	return json_array_get(json_object_get(document, "metrics"), 0);
}

static void
add_effects(const json_t *there, const json_t *here, json_t *list)
{
	const json_t *metric = primary_of(here), *item, *comparison;
	size_t i, k;

	json_array_foreach(json_object_get(metric, "items"), i, item) {
		const char *name = json_get_text(item, "item");
		const json_t *other = json_find_text(json_object_get(primary_of(there), "items"), "item", name);

		json_array_foreach(json_object_get(item, "comparisons"), k, comparison)
			add_effect(here, json_get_text(metric, "name"), name,
				   find_comparison(other, comparison), comparison, list);
	}
}

json_t *
verdicts_effects(const json_t *there, const json_t *here)
{
	const json_t *cases = json_object_get(here, "cases"), *document;
	json_t *list = json_array();
	const char *case_id;

	json_object_foreach((json_t *)cases, case_id, document)
		add_effects(json_object_get(json_object_get(there, "cases"), case_id), document, list);
	return list;
}

/* ---- claims ---- */

/* The claim as study.json has it, with its cases. */
static const json_t *
declared_claim(const json_t *study, const char *id)
{
	const json_t *experiment, *found = NULL;
	size_t i;

	json_array_foreach(json_object_get(study, "experiments"), i, experiment)
		if (found == NULL)
			found = json_find_text(json_object_get(experiment, "claims"), "id", id);
	return found;
}

/* Why one of its cases was not measured, "" when nobody wanted it; NULL when all were. */
static const char *
why_missing(const json_t *claim, const json_t *here, const json_t *missing)
{
	const json_t *cases = json_object_get(claim, "cases"), *one, *entry;
	size_t i, k;

	json_array_foreach((json_t *)cases, i, one) {
		const char *case_id = json_string_value(one);

		if (case_id == NULL || json_object_get(json_object_get(here, "cases"), case_id) != NULL)
			continue;
		json_array_foreach((json_t *)missing, k, entry)
			if (strcmp(json_get_text(entry, "case_id"), case_id) == 0)
				return json_get_text(entry, "reason");
		return "";
	}
	return NULL;
}

static bool
is_settled(const char *verdict)
{
	return strcmp(verdict, "supported") == 0 || strcmp(verdict, "refuted") == 0;
}

static const char *
outcome_of(const char *there, const char *here)
{
	if (strcmp(there, "invalid") == 0)
		return "invalid there";
	if (!is_settled(there))
		return is_settled(here) ? "settled here" : "open";
	if (strcmp(there, here) == 0)
		return "holds";
	return strcmp(here, "open") == 0 ? "undecided" : "flips";
}

json_t *
verdicts_claims(const json_t *study, const json_t *there, const json_t *here, const json_t *missing)
{
	const json_t *claims = json_object_get(there, "claims"), *claim;
	json_t *list = json_array();
	size_t i;

	json_array_foreach((json_t *)claims, i, claim) {
		const char *id = json_get_text(claim, "id"), *before = json_get_text(claim, "verdict");
		const json_t *ours = json_find_text(json_object_get(here, "claims"), "id", id);
		const char *lacking = why_missing(declared_claim(study, id), here, missing);
		const char *now = json_get_text(ours, "verdict");
		bool measured = lacking == NULL && ours != NULL;

		json_array_append_new(
			list, json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s, s:s}", "id", id, "experiment",
					json_get_text(claim, "experiment"), "text",
					json_get_text(claim, "text"), "there", before, "here",
					measured ? now : NULL, "outcome",
					measured                ? outcome_of(before, now)
					: lacking != NULL && *lacking != '\0' ? "not measured"
									    : "not asked for",
					"reason", measured ? json_get_text(ours, "reason")
						  : lacking != NULL ? lacking
								    : ""));
	}
	return list;
}

/* ---- the whole ---- */

struct tally {
	size_t same, against, undecided;
};

static void
count_claims(const json_t *claims, struct tally *tally)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)claims, i, one) {
		const char *outcome = json_get_text(one, "outcome");

		tally->same += strcmp(outcome, "holds") == 0;
		tally->against += strcmp(outcome, "flips") == 0;
		tally->undecided += strcmp(outcome, "undecided") == 0 || strcmp(outcome, "not measured") == 0;
	}
}

static void
count_effects(const json_t *effects, struct tally *tally)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)effects, i, one) {
		const char *relation = json_get_text(one, "relation");

		tally->same += strcmp(relation, "agree") == 0 || strcmp(relation, "same direction") == 0;
		tally->against += strcmp(relation, "differ") == 0;
		tally->undecided += strcmp(relation, "unknown") == 0;
	}
}

const char *
verdicts_summary(const json_t *claims, const json_t *effects)
{
	struct tally tally = {0, 0, 0};

	count_claims(claims, &tally);
	if (tally.same + tally.against + tally.undecided == 0)
		count_effects(effects, &tally);
	if (tally.same > 0)
		return tally.against + tally.undecided == 0 ? "reproduced" : "partly reproduced";
	return tally.against > 0 ? "not reproduced" : "undecided";
}

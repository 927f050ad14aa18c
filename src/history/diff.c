#include "history/diff.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/judge/case.h"
#include "base/json.h"
#include "base/memory.h"
#include "history/across.h"
#include "history/change.h"

#define NOTE "unpaired: the two were measured at different times, so what else changed in between is in " \
	     "it; it describes, and is no verdict"

/* One of the two. */
struct side {
	const struct identity *identity;
	struct stored_case stored;
	json_t *document; /* NULL: nothing can be said of its results */
	char *problem;    /* why not; NULL */
	char *regime;     /* of the blocks that count; NULL */
};

static char *
regime_of(const struct stored_case *stored)
{
	size_t count;
	const struct chunk *chunks = store_chunks(&stored->store, &count);
	struct schedule schedule;
	const char *regime;
	char *copy;

	schedule_build(&stored->plan, chunks, count, &schedule);
	regime = store_regime(&stored->store, &schedule);
	copy = regime != NULL ? memory_copy_text(regime) : NULL;
	schedule_free(&schedule);
	return copy;
}

/* The side starts zeroed but for its identity. */
static void
side_read(const struct past *past, struct side *side)
{
	side->problem = past_results(past, side->identity, &side->stored);
	if (side->problem == NULL) {
		struct case_options options = case_options_declared(&side->stored.plan);

		side->document = stored_case_analyse(&side->stored, &options);
		side->regime = regime_of(&side->stored);
	}
}

static void
side_free(struct side *side)
{
	json_decref(side->document);
	stored_case_free(&side->stored);
	free(side->problem);
	free(side->regime);
}

static const struct plan *
plan_of(const struct side *side)
{
	return side->stored.plan.case_id != NULL ? &side->stored.plan : NULL;
}

static json_t *
side_json(const struct past *past, const struct side *side)
{
	size_t count = side->stored.store.session_count;
	const json_t *last = json_array_get(side->stored.sessions, count > 0 ? count - 1 : 0);

	return json_pack("{s:s, s:b, s:s, s:s, s:b, s:s, s:i, s:s?}", "identity", side->identity->hex,
			 "current", past_is_current(past, side->identity), "measured_at",
			 past_measured_at(past, side->identity), "commit", json_get_text(last, "commit"),
			 "dirty", json_is_true(json_object_get(last, "dirty")), "machine", json_get_text(last, "machine"), "sessions", (int)count, "problem",
			 side->problem);
}

/* Of the plan's primary metric, where the study of today has it; else "1". The caller frees. */
static char *
unit_of(const struct plan *plan)
{
	json_t *study = json_read_file("build/study.json", NULL), *experiment, *metric;
	const char *unit = "1";
	char *copy;
	size_t i, k;

	json_array_foreach(json_object_get(study, "experiments"), i, experiment)
		if (strcmp(json_get_text(experiment, "name"), plan->experiment) == 0)
			json_array_foreach(json_object_get(experiment, "metrics"), k, metric)
				if (strcmp(json_get_text(metric, "name"), plan->primary) == 0)
					unit = json_get_text(metric, "unit");
	copy = memory_copy_text(unit);
	json_decref(study);
	return copy;
}

/* The results of each treatment; empty where one side has none that can be analysed. */
static json_t *
treatments_of(const struct side *from, const struct side *to, char **unit)
{
	if (from->document == NULL || to->document == NULL) {
		*unit = memory_copy_text("1");
		return json_array();
	}
	*unit = unit_of(&to->stored.plan);
	return across_list(from->document, to->document);
}

static json_t *
compare(const struct past *past, const struct side *from, const struct side *to)
{
	char *unit;
	json_t *treatments = treatments_of(from, to, &unit);
	json_t *document = json_pack(
		"{s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:s, s:s, s:o}", "format", "assay-diff-1", "case_id",
		past->case_id, "from", side_json(past, from), "to", side_json(past, to), "changes",
		change_list(from->identity->text, to->identity->text, plan_of(from), plan_of(to)), "regime",
		change_regime(from->regime, to->regime), "paired", false, "note", NOTE, "unit", unit,
		"treatments", treatments);

	free(unit);
	return document;
}

json_t *
diff_document(const struct past *past, const char *from_asked, const char *to_asked, struct error *error)
{
	struct side from = {.identity = past_find(past, from_asked, error)};
	struct side to = {.identity = from.identity != NULL ? past_find(past, to_asked, error) : NULL};
	json_t *document;

	if (to.identity == NULL)
		return NULL;
	side_read(past, &from);
	side_read(past, &to);
	document = compare(past, &from, &to);
	side_free(&from);
	side_free(&to);
	return document;
}

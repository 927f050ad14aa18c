#include "history/log.h"

#include <stdlib.h>

#include "analysis/judge/case.h"
#include "base/json.h"
#include "report/document.h"

/* ---- what a case's document says of its estimate ---- */

static void
take(json_t *to, const json_t *from, const char *const *keys)
{
	for (; *keys != NULL; keys++)
		json_object_set(to, *keys, json_object_get(from, *keys));
}

static json_t *
comparisons_of(const json_t *document)
{
	static const char *const keys[] = {"a_name", "b_name", "speedup", "speedup_lo", "speedup_hi", "level",
					   "pairs", "verdict", "reason", "sentence", NULL};
	const json_t *item, *comparison;
	json_t *list = json_array(), *one;
	size_t i, k;

	json_array_foreach(json_object_get(document_primary(document), "items"), i, item)
		json_array_foreach(json_object_get(item, "comparisons"), k, comparison) {
			one = json_object();
			json_object_set(one, "item", json_object_get(item, "item"));
			take(one, comparison, keys);
			json_array_append_new(list, one);
		}
	return list;
}

static json_t *
estimate_of(const json_t *document)
{
	static const char *const keys[] = {"pairs", "invalid", "invalid_reason", "exploratory",
					   "exploratory_reason", NULL};
	json_t *estimate = json_pack("{s:O, s:o}", "metric", json_object_get(document, "primary"),
				     "comparisons", comparisons_of(document));

	take(estimate, document, keys);
	return estimate;
}

/* ---- an identity ---- */

static json_t *
sessions_of(const struct stored_case *one)
{
	json_t *list = one->sessions != NULL ? json_deep_copy(one->sessions) : json_array(), *session;
	bool known = one->observations.table.names != NULL;
	size_t i;

	json_array_foreach(list, i, session) {
		int number = (int)json_get_integer(session, "session", 0);

		json_object_set_new(session, "pairs",
				    known ? json_integer(case_session_pairs(&one->observations, number))
					  : json_null());
	}
	return list;
}

static json_t *
identity_document(const struct past *past, const struct identity *identity)
{
	json_t *entry = json_pack("{s:s, s:b, s:s, s:n, s:n}", "identity", identity->hex, "current",
				  past_is_current(past, identity), "measured_at",
				  past_measured_at(past, identity), "estimate", "problem");
	struct stored_case one;
	char *why = past_results(past, identity, &one);
	json_t *document;

	if (why == NULL) {
		struct case_options options = case_options_declared(&one.plan);

		document = stored_case_analyse(&one, &options);
		json_object_set_new(entry, "estimate", estimate_of(document));
		json_decref(document);
	} else {
		json_object_set_new(entry, "problem", json_string(why));
	}
	json_object_set_new(entry, "sessions", sessions_of(&one));
	stored_case_free(&one);
	free(why);
	return entry;
}

json_t *
log_document(const struct past *past)
{
	json_t *identities = json_array();
	bool measured = false;
	size_t i;

	for (i = 0; i < past->count; i++) {
		measured |= past_is_current(past, &past->list[i].identity);
		json_array_append_new(identities, identity_document(past, &past->list[i].identity));
	}
	return json_pack("{s:s, s:s, s:o, s:s?, s:b, s:O}", "format", "assay-log-1", "case_id", past->case_id,
			 "identities", identities, "current",
			 past->current.text != NULL ? past->current.hex : NULL, "current_measured", measured,
			 "left_out", past->left_out);
}

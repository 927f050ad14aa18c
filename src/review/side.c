#include "review/side.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "identity/identity.h"
#include "store/store.h"

static void
take_sessions(struct side_case *one, const struct store_case *store)
{
	size_t i, k;

	for (i = 0; i < store->session_count; i++) {
		const struct store_session *session = &store->sessions[i];

		for (k = 0; k < session->record_count; k++)
			one->measured_s += session->records[k].result.wall_us / 1e6;
		one->groups += session->record_count;
		if (session->regime != NULL) {
			free(one->regime);
			one->regime = memory_copy_text(session->regime);
		}
		if (session->provenance != NULL) {
			json_decref(one->provenance);
			one->provenance = json_incref(session->provenance);
		}
	}
}

/* A case that was never looked at has no identity and no records: that is no error. */
static int
read_records(struct side_case *one, struct error *error)
{
	char *path = memory_format("build/identity/%s", one->plan.case_id);
	struct store_case store = {0};
	struct identity identity;
	int result = 0;

	if (file_exists(path)) {
		result = identity_read(path, &identity, error);
		if (result == 0) {
			free(one->identity);
			one->identity = memory_copy_text(identity.text);
			identity_settle(&identity, &one->plan);
			result = store_load(one->plan.case_id, identity.hex, &store, error);
			identity_free(&identity);
		}
	}
	if (result == 0) {
		take_sessions(one, &store);
		stored_times_load(&one->plan, &store, &one->times);
	}
	store_free(&store);
	free(path);
	return result;
}

static int
read_case(const json_t *entry, const char *experiment, struct side *side, struct error *error)
{
	char *path = memory_format("build/plan/%s.json", json_get_text(entry, "case_id"));
	struct side_case *one = &side->cases[side->count];
	int result = plan_read(path, &one->plan, error);

	free(path);
	if (result != 0)
		return -1;
	side->count++;
	if (strcmp(one->plan.case_id, json_get_text(entry, "case_id")) != 0)
		return error_set(error, EXIT_BAD_INPUT, "build/plan: the plan of case %s is another case's",
				 json_get_text(entry, "case_id"));
	one->experiment = memory_copy_text(experiment);
	one->point_text = memory_copy_text(json_get_text(entry, "point_text"));
	one->identity = memory_copy_text("");
	one->regime = memory_copy_text("");
	return read_records(one, error);
}

static int
read_cases(const char *only, struct side *side, struct error *error)
{
	const json_t *experiments = json_object_get(side->study, "experiments"), *experiment, *entry;
	size_t room = 0, i, k;

	json_array_foreach(experiments, i, experiment)
		room += json_array_size(json_object_get(experiment, "cases"));
	side->cases = memory_zeroed(room, sizeof *side->cases);
	json_array_foreach(experiments, i, experiment) {
		const char *name = json_get_text(experiment, "name");

		if (only != NULL && strcmp(only, name) != 0)
			continue;
		json_array_foreach(json_object_get(experiment, "cases"), k, entry)
			if (read_case(entry, name, side, error) != 0)
				return -1;
	}
	if (side->count > 0)
		return 0;
	if (only != NULL)
		return error_set(error, EXIT_USAGE, "the study has no experiment '%s'", only);
	return error_set(error, EXIT_BAD_INPUT, "the study has no cases");
}

int
side_read(const char *only, struct side *side, struct error *error)
{
	memset(side, 0, sizeof *side);
	side->study = json_read_file("build/study.json", error);
	if (side->study == NULL)
		return -1;
	if (file_exists("build/stats.json")) {
		side->stats = json_read_file("build/stats.json", error);
		if (side->stats == NULL)
			return -1;
	}
	return read_cases(only, side, error);
}

void
side_free(struct side *side)
{
	size_t i;

	for (i = 0; i < side->count; i++) {
		struct side_case *one = &side->cases[i];

		plan_free(&one->plan);
		stored_times_free(&one->times);
		json_decref(one->provenance);
		free(one->experiment);
		free(one->point_text);
		free(one->identity);
		free(one->regime);
	}
	free(side->cases);
	json_decref(side->study);
	json_decref(side->stats);
	memset(side, 0, sizeof *side);
}

struct side_case *
side_find(const struct side *side, const char *case_id)
{
	size_t i;

	for (i = 0; i < side->count; i++)
		if (strcmp(side->cases[i].plan.case_id, case_id) == 0)
			return &side->cases[i];
	return NULL;
}

const json_t *
side_provenance(const struct side *side)
{
	size_t i;

	for (i = 0; i < side->count; i++)
		if (side->cases[i].provenance != NULL)
			return side->cases[i].provenance;
	return NULL;
}

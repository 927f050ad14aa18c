#include "identity/check_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "schedule/plan.h"

static void
plan_digest(const struct plan *plan, char hex[DIGEST_SHA256_HEX])
{
	json_t *object = plan_json(plan);
	char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));

	digest_bytes(DIGEST_SHA256, text != NULL ? text : "", text != NULL ? strlen(text) : 0, hex);
	free(text);
	json_decref(object);
}

static json_t *
case_object(const struct study *study, const struct experiment *experiment,
	    const struct study_case *one)
{
	char hex[DIGEST_SHA256_HEX];
	struct plan plan;

	plan_from_case(study, experiment, one, &plan);
	plan_digest(&plan, hex);
	plan_free(&plan);
	return json_pack("{s:s, s:s}", "case_id", one->case_id, "plan_sha256", hex);
}

int
check_index_write(const struct study *study, const struct experiment *experiment,
		  const char *path, struct error *error)
{
	json_t *cases = json_array(), *object;
	int result;
	size_t i;

	for (i = 0; i < experiment->case_count; i++)
		json_array_append_new(cases,
				      case_object(study, experiment, &experiment->cases[i]));
	object = json_pack("{s:s, s:s, s:s, s:o}", "format", "assay-check-1", "experiment",
			   experiment->name, "machine",
			   study->machine != NULL ? study->machine : "", "cases", cases);
	result = json_write_file(path, object, FILE_IF_CHANGED, error);
	json_decref(object);
	return result;
}

int
check_index_read(const char *path, struct check_index *index, struct error *error)
{
	json_t *object = json_read_file(path, error);
	const json_t *cases = json_object_get(object, "cases");
	size_t i;

	memset(index, 0, sizeof *index);
	if (object == NULL)
		return -1;
	if (strcmp(json_get_text(object, "format"), "assay-check-1") != 0 ||
	    !json_is_array(cases)) {
		json_decref(object);
		return error_set_at(error, EXIT_BAD_INPUT, path, 1,
				    "no list of cases that this assay can use; 'assay generate' "
				    "writes it again");
	}
	index->experiment = memory_copy_text(json_get_text(object, "experiment"));
	index->machine = memory_copy_text(json_get_text(object, "machine"));
	index->cases = memory_zeroed(json_array_size(cases), sizeof *index->cases);
	for (i = 0; i < json_array_size(cases); i++) {
		const json_t *one = json_array_get(cases, i);

		index->cases[i].case_id = memory_copy_text(json_get_text(one, "case_id"));
		index->cases[i].plan_sha256 = memory_copy_text(json_get_text(one, "plan_sha256"));
		index->count++;
	}
	json_decref(object);
	return 0;
}

void
check_index_free(struct check_index *index)
{
	size_t i;

	for (i = 0; i < index->count; i++) {
		free(index->cases[i].case_id);
		free(index->cases[i].plan_sha256);
	}
	free(index->cases);
	free(index->experiment);
	free(index->machine);
	memset(index, 0, sizeof *index);
}

#include "compare/study_files.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "compare/spec.h"
#include "identity/check_index.h"
#include "schedule/plan.h"
#include "spec/host.h"
#include "spec/study_json.h"

#define ENTRY "build.ninja.lua"
#define SPEC "experiments/" COMPARE_EXPERIMENT ".lua"

static int
write_spec(const struct compare_options *options, bool check_outputs, struct error *error)
{
	struct buffer text = BUFFER_EMPTY;
	int result;

	compare_spec_study(&text);
	result = file_write(ENTRY, text.bytes, text.length, FILE_IF_CHANGED, error);
	buffer_clear(&text);
	compare_spec_experiment(options, check_outputs, &text);
	if (result == 0)
		result = file_write(SPEC, text.bytes, text.length, FILE_IF_CHANGED, error);
	buffer_free(&text);
	return result;
}

static int
write_plans(const struct study *study, struct error *error)
{
	const struct experiment *experiment = &study->experiments[0];
	int result = 0;
	size_t i;

	for (i = 0; result == 0 && i < experiment->case_count; i++) {
		char *path = memory_format("build/plan/%s.json", experiment->cases[i].case_id);
		struct plan plan;

		plan_from_case(study, experiment, &experiment->cases[i], &plan);
		result = plan_write(path, &plan, FILE_IF_CHANGED, error);
		plan_free(&plan);
		free(path);
	}
	if (result == 0)
		result = check_index_write(study, experiment, "build/check/" COMPARE_EXPERIMENT ".json",
					   error);
	return result;
}

int
study_files_write(const struct compare_options *options, bool check_outputs, struct error *error)
{
	struct host *host = host_new();
	const struct study *study = NULL;
	int result = write_spec(options, check_outputs, error);

	if (result == 0) {
		study = host_load(host, ENTRY, error);
		result = study != NULL ? write_plans(study, error) : -1;
	}
	if (result == 0)
		result = study_json_write(study, "build/study.json", error);
	host_free(host);
	return result;
}

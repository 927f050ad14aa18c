#include "graph/steps.h"

#include "base/memory.h"
#include "graph/paths.h"

/* What people call the steps' results: report, bundle, experiments, their forms, cases. */

static int
put_name(struct ninja *ninja, const struct place *place, const char *name,
	 const struct texts *needs, struct error *error)
{
	if (ninja_has_output(ninja, name))
		return error_set_at(error, EXIT_BAD_INPUT, place->file != NULL ? place->file : "",
				    place->line,
				    "'%s' is the name of a target or of a file that the graph knows; "
				    "choose another name", name);
	return ninja_phony(ninja, name, needs, error);
}

static int
put_case_names(struct ninja *ninja, const struct experiment *experiment, struct error *error)
{
	struct texts all = {0};
	int result = 0;
	size_t i;

	for (i = 0; result == 0 && i < experiment->case_count; i++) {
		struct texts one = {0};

		paths_add(&one, "build/stats/%s.json", experiment->cases[i].case_id);
		if (experiment->form == NULL)
			paths_add(&all, "build/stats/%s.json", experiment->cases[i].case_id);
		result = put_name(ninja, &experiment->place, experiment->cases[i].case_id, &one, error);
		paths_free(&one);
	}
	if (experiment->form != NULL)
		paths_add(&all, FORM_FOLDER "/report/gate", experiment->name);
	if (result == 0)
		result = put_name(ninja, &experiment->place, experiment->name, &all, error);
	paths_free(&all);
	return result;
}

static int
put_own_names(struct ninja *ninja, const struct study *study, struct error *error)
{
	struct texts report = {0}, bundle = {0};
	int result;

	paths_add(&report, "build/report/gate");
	paths_add(&bundle, "build/bundle/%s.tar.zst", study->name);
	result = ninja_phony(ninja, "report", &report, error);
	if (result == 0)
		result = ninja_phony(ninja, "bundle", &bundle, error);
	paths_free(&report);
	paths_free(&bundle);
	return result;
}

int
steps_put_names(struct ninja *ninja, const struct study *study, struct error *error)
{
	size_t i;

	if (put_own_names(ninja, study, error) != 0)
		return -1;
	for (i = 0; i < study->experiment_count; i++)
		if (put_case_names(ninja, &study->experiments[i], error) != 0)
			return -1;
	return 0;
}

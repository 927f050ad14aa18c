#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "provenance/capture_parts.h"
#include "provenance/fact.h"

/*
 * "sources" of provenance.json: for each program that was made from a revision what
 * `assay source make` wrote down of it (revision/revision.h), and of which variant it is.
 */

static json_t *
source_fact(const struct plan_treatment *treatment)
{
	char *path = memory_format("%s/source.json", treatment->program.source);
	struct error problem = {0};
	json_t *source = json_read_file(path, &problem);

	if (source == NULL)
		source = fact_unavailable("%s", problem.message);
	json_object_set_new(source, "variant", fact_text(treatment->variant));
	json_object_set_new(source, "program", fact_text(treatment->program.path));
	free(path);
	return source;
}

static bool
comes_earlier(const struct plan *plan, size_t index)
{
	const struct plan_treatment *one = &plan->treatments[index];
	size_t i;

	for (i = 0; i < index; i++)
		if (plan->treatments[i].program.source != NULL &&
		    strcmp(plan->treatments[i].program.source, one->program.source) == 0)
			return true;
	return false;
}

void
capture_sources(const struct plan *plan, json_t *provenance)
{
	json_t *sources = json_array();
	size_t i;

	for (i = 0; i < plan->treatment_count; i++)
		if (plan->treatments[i].program.source != NULL && !plan->treatments[i].left_out &&
		    !comes_earlier(plan, i))
			json_array_append_new(sources, source_fact(&plan->treatments[i]));
	if (json_array_size(sources) > 0)
		json_object_set(provenance, "sources", sources);
	json_decref(sources);
}

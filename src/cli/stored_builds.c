#include "cli/stored_builds.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "provenance/fact.h"

static const json_t *
programs_of(const struct store_case *store)
{
	size_t i;

	for (i = store->session_count; i > 0; i--)
		if (!store->sessions[i - 1].invalid)
			return json_object_get(store->sessions[i - 1].provenance, "programs");
	return NULL;
}

static json_t *
build_of(const json_t *programs, const char *path)
{
	char *plain = fact_redact(path);
	json_t *found = NULL, *one;
	size_t i;

	json_array_foreach((json_t *)programs, i, one)
		if (strcmp(json_get_text(one, "path"), plain) == 0)
			found = json_object_get(one, "build");
	free(plain);
	return found != NULL ? found : json_null();
}

json_t *
stored_builds(const struct plan *plan, const struct store_case *store)
{
	const json_t *programs = programs_of(store);
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < plan->treatment_count; i++)
		json_array_append(list, build_of(programs, plan->treatments[i].program.path));
	return list;
}

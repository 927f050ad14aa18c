#include "cli/case_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/selection.h"

struct search {
	const char *asked;
	const char *found; /* the first */
	size_t count;
	struct buffer names;
};

static bool
is_case(const char *asked)
{
	char *path = memory_format("build/plan/%s.json", asked);
	bool there = asked[0] != '\0' && file_exists(path);

	free(path);
	return there;
}

static void
search_cases(struct search *search, const json_t *experiment)
{
	bool all = strcmp(json_get_text(experiment, "name"), search->asked) == 0;
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(experiment, "cases"), i, one) {
		const char *case_id = json_get_text(one, "case_id");

		if (!all && strncmp(case_id, search->asked, strlen(search->asked)) != 0)
			continue;
		if (search->count++ == 0)
			search->found = case_id;
		buffer_printf(&search->names, "%s%s", search->count > 1 ? ", " : "", case_id);
	}
}

/* An experiment's name counts before beginnings of names: 'speed' is not 'speed_of_light'. The
 * forms of experiments are looked at too. */
static void
search_studies(struct search *search, const json_t *studies)
{
	const json_t *study, *one;
	size_t s, i;

	json_array_foreach((json_t *)studies, s, study)
		json_array_foreach(json_object_get(study, "experiments"), i, one)
			if (strcmp(json_get_text(one, "name"), search->asked) == 0) {
				search_cases(search, one);
				return;
			}
	json_array_foreach((json_t *)studies, s, study)
		json_array_foreach(json_object_get(study, "experiments"), i, one)
			search_cases(search, one);
}

char *
case_name_find(const char *asked, struct error *error)
{
	struct search search = {.asked = asked};
	char *name = NULL;
	json_t *studies;

	if (is_case(asked))
		return memory_copy_text(asked);
	studies = selection_studies(NULL);
	if (studies != NULL && asked[0] != '\0')
		search_studies(&search, studies);
	if (studies == NULL)
		name = memory_copy_text(asked); /* what needs the study will say that it lacks */
	else if (search.count == 1)
		name = memory_copy_text(search.found);
	else if (search.count > 1)
		error_set(error, EXIT_BAD_INPUT, "'%s' may be any of %zu cases; name one: %.1500s", asked,
			  search.count, buffer_text(&search.names));
	else
		error_set(error, EXIT_BAD_INPUT, "no case '%s' in this study; 'assay status' lists them", asked);
	buffer_free(&search.names);
	json_decref(studies);
	return name;
}

#include "cli/selection.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/case_name.h"
#include "cli/form.h"

bool
selection_take(const char *option, const char *text, struct selection *selection,
	       const char **problem)
{
	*problem = NULL;
	if (strcmp(option, "only") == 0)
		selection->only = text;
	else if (strcmp(option, "sizes") == 0)
		selection->sizes = text;
	else if (strcmp(option, "where") != 0)
		return false;
	else if (strchr(text, '=') == NULL || text[0] == '=')
		*problem = "--where is NAME=VALUE,…, such as n=1024,4096";
	else if (selection->where_count == SELECTION_WHERE)
		*problem = "too many --where";
	else
		selection->where[selection->where_count++] = text;
	return true;
}

bool
selection_is_whole(const struct selection *selection)
{
	return selection->only == NULL && selection->sizes == NULL && selection->where_count == 0;
}

/* ---- lists of words ---- */

/* Is `word` one of the comma-separated words of the list? */
static bool
lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (;;) {
		size_t size = strcspn(list, ",");

		if (size == length && memcmp(list, word, size) == 0)
			return true;
		if (list[size] == '\0')
			return false;
		list += size + 1;
	}
}

/* The first word of the list that is none of the names, an array of texts; NULL. The caller frees. */
static char *
first_unknown(const char *list, const json_t *names)
{
	for (;;) {
		size_t size = strcspn(list, ","), i;
		const json_t *name;
		bool known = false;

		json_array_foreach((json_t *)names, i, name)
			known |= strlen(json_string_value(name)) == size &&
				 memcmp(json_string_value(name), list, size) == 0;
		if (!known)
			return memory_copy_span(list, size);
		if (list[size] == '\0')
			return NULL;
		list += size + 1;
	}
}

static char *
joined(const json_t *names)
{
	struct buffer out = BUFFER_EMPTY;
	const json_t *name;
	size_t i;

	json_array_foreach((json_t *)names, i, name)
		buffer_printf(&out, "%s%s", i > 0 ? ", " : "", json_string_value(name));
	return buffer_detach(&out);
}

/* Sets *error where a word of the list is unknown. */
static int
check_words(const char *list, const json_t *names, const char *what, struct error *error)
{
	char *unknown = first_unknown(list, names), *known;

	if (unknown == NULL)
		return 0;
	known = joined(names);
	error_set(error, EXIT_BAD_INPUT, "no %s '%s'; there are: %s", what, unknown, known);
	free(unknown);
	free(known);
	return -1;
}

/* A value of the sweep as it is written on a command line. The caller frees. */
static char *
value_text(const json_t *value)
{
	return json_is_string(value) ? memory_copy_text(json_string_value(value))
				     : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
}

/* ---- cases ---- */

static const json_t *
dimension_of(const json_t *experiment, const char *name, size_t length)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(experiment, "sweep"), i, one)
		if (strlen(json_get_text(one, "name")) == length &&
		    memcmp(json_get_text(one, "name"), name, length) == 0)
			return one;
	return NULL;
}

/* The cases whose value of the dimension is one of the list's stay in *cases. */
static int
keep_values(const json_t *dimension, const char *list, json_t *cases, struct error *error)
{
	const char *name = json_get_text(dimension, "name");
	json_t *values = json_array(), *value;
	size_t i;
	int result;

	if (json_is_true(json_object_get(dimension, "blocked"))) {
		json_decref(values);
		return error_set(error, EXIT_BAD_INPUT, "'%s' is compared inside the block, so no case is at one of its "
				 "values: choose treatments with --only", name);
	}
	json_array_foreach(json_object_get(dimension, "values"), i, value) {
		char *text = value_text(value);

		json_array_append_new(values, json_string(text));
		free(text);
	}
	result = check_words(list, values, name, error);
	for (i = json_array_size(cases); result == 0 && i-- > 0;) {
		char *text = value_text(json_object_get(json_object_get(json_array_get(cases, i), "point"),
							name));

		if (!lists(list, text))
			json_array_remove(cases, i);
		free(text);
	}
	json_decref(values);
	return result;
}

static int
keep_where(const json_t *experiment, const char *where, json_t *cases, struct error *error)
{
	size_t length = strcspn(where, "=");
	const json_t *dimension = dimension_of(experiment, where, length);

	if (dimension == NULL)
		return error_set(error, EXIT_BAD_INPUT, "the sweep of %s has no dimension '%.*s'",
				 json_get_text(experiment, "name"), (int)length, where);
	return keep_values(dimension, where + length + 1, cases, error);
}

static int
keep_sizes(const json_t *experiment, const char *sizes, json_t *cases, struct error *error)
{
	const json_t *sweep = json_object_get(experiment, "sweep");

	if (json_array_size(sweep) != 1)
		return error_set(error, EXIT_BAD_INPUT, "--sizes is about the one dimension of a sweep; %s has %zu: "
				 "use --where NAME=VALUE,…", json_get_text(experiment, "name"),
				 json_array_size(sweep));
	return keep_values(json_array_get(sweep, 0), sizes, cases, error);
}

/* The entries of the experiment that the name stands for; */
static json_t *
named_cases(const json_t *experiment, const char *name)
{
	json_t *cases = json_array(), *one;
	bool whole = strcmp(json_get_text(experiment, "name"), name) == 0;
	size_t i;

	json_array_foreach(json_object_get(experiment, "cases"), i, one)
		if (whole || strcmp(json_get_text(one, "case_id"), name) == 0)
			json_array_append(cases, one);
	return cases;
}

static int
keep_chosen(const struct selection *selection, const json_t *experiment, json_t *cases,
	    struct error *error)
{
	size_t i;

	if (selection->sizes != NULL && keep_sizes(experiment, selection->sizes, cases, error) != 0)
		return -1;
	for (i = 0; i < selection->where_count; i++)
		if (keep_where(experiment, selection->where[i], cases, error) != 0)
			return -1;
	if (json_array_size(cases) == 0)
		return error_set(error, EXIT_BAD_INPUT, "no case of %s is at those values",
				 json_get_text(experiment, "name"));
	return 0;
}

static json_t *
ids_of(const json_t *cases)
{
	json_t *ids = json_array(), *one;
	size_t i;

	json_array_foreach((json_t *)cases, i, one)
		json_array_append(ids, json_object_get(one, "case_id"));
	return ids;
}

json_t *
selection_cases_of(const struct selection *selection, const json_t *studies, const char *name,
		   struct error *error)
{
	const json_t *study, *experiment;
	json_t *cases, *ids = NULL;
	size_t s, e;

	json_array_foreach((json_t *)studies, s, study)
		json_array_foreach(json_object_get(study, "experiments"), e, experiment) {
			cases = named_cases(experiment, name);
			if (json_array_size(cases) == 0) {
				json_decref(cases);
				continue;
			}
			if (keep_chosen(selection, experiment, cases, error) == 0)
				ids = ids_of(cases);
			json_decref(cases);
			return ids;
		}
	error_set(error, EXIT_BAD_INPUT, "no case and no experiment '%s' in this study; 'assay status' lists them",
		  name);
	return NULL;
}

json_t *
selection_studies(struct error *error)
{
	json_t *study = NULL, *studies, *one;
	const json_t *form;
	size_t i;

	if (!file_exists("build/study.json"))
		error_set(error, EXIT_BAD_INPUT, "no build/study.json here; run './bootstrap' or 'assay generate' in "
			  "the study's folder first");
	else
		study = json_read_file("build/study.json", error);
	if (study == NULL)
		return NULL;
	studies = json_array();
	json_array_append_new(studies, study);
	json_array_foreach(json_object_get(study, "forms"), i, form) {
		char *base = form_base(json_string_value(form));
		char *path = memory_format("%s/study.json", base);

		one = json_read_file(path, error);
		free(path);
		free(base);
		if (one == NULL) {
			json_decref(studies);
			return NULL;
		}
		json_array_append_new(studies, one);
	}
	return studies;
}

static const json_t *
find_experiment(const json_t *studies, const char *name)
{
	const json_t *study, *experiment;
	size_t s, e;

	json_array_foreach((json_t *)studies, s, study)
		json_array_foreach(json_object_get(study, "experiments"), e, experiment)
			if (strcmp(json_get_text(experiment, "name"), name) == 0)
				return experiment;
	return NULL;
}

const char *
selection_about(const json_t *studies, const char *name)
{
	return json_get_text(find_experiment(studies, name), "about");
}

bool
selection_is_of_several(const char *name)
{
	json_t *studies = selection_studies(NULL);
	const json_t *experiment = find_experiment(studies, name);
	bool several = json_array_size(json_object_get(experiment, "cases")) > 1 ||
		       json_object_get(experiment, "about") != NULL;

	json_decref(studies);
	return several;
}

json_t *
selection_cases(const struct selection *selection, const char *name, struct error *error)
{
	json_t *studies = selection_studies(NULL), *ids = NULL;
	bool whole = find_experiment(studies, name) != NULL;
	char *case_id = whole ? memory_copy_text(name) : case_name_find(name, error);

	if (case_id != NULL && !whole && selection->sizes == NULL && selection->where_count == 0)
		ids = json_pack("[s]", case_id);
	else if (case_id != NULL)
		ids = selection_cases_of(selection, studies, case_id, error);
	free(case_id);
	json_decref(studies);
	return ids;
}

/* ---- variants ---- */

int
selection_variants(const struct selection *selection, const struct plan *plan, bool **only,
		   struct error *error)
{
	json_t *names;
	size_t i;
	int result;

	*only = NULL;
	if (selection->only == NULL)
		return 0;
	names = json_array();
	for (i = 0; i < plan->treatment_count; i++)
		json_array_append_new(names, json_string(plan->treatments[i].name));
	result = check_words(selection->only, names, "variant", error);
	json_decref(names);
	if (result != 0)
		return -1;
	*only = memory_zeroed(plan->treatment_count, sizeof **only);
	for (i = 0; i < plan->treatment_count; i++)
		(*only)[i] = lists(selection->only, plan->treatments[i].name);
	return 0;
}

void
selection_compare(struct plan *plan, const bool *only)
{
	size_t first = 0, kept = 0, i;

	for (i = 0; i < plan->comparison_count; i++)
		if (only[plan->comparisons[i].a] && only[plan->comparisons[i].b])
			plan->comparisons[kept++] = plan->comparisons[i];
	plan->comparison_count = kept;
	if (kept > 0)
		return;
	plan->comparisons = memory_resize(plan->comparisons, plan->treatment_count + 1,
					  sizeof *plan->comparisons);
	while (first < plan->treatment_count && !only[first])
		first++;
	for (i = first + 1; i < plan->treatment_count; i++)
		if (only[i])
			plan->comparisons[plan->comparison_count++] = (struct comparison){first, i};
}

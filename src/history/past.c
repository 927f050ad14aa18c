#include "history/past.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/case_name.h"
#include "spec/case_id.h"

/* ---- which case ---- */

static bool
is_stored(const char *name)
{
	char *path = memory_format("results/%s", name);
	bool there = case_id_is_one(name) && file_exists(path);

	free(path);
	return there;
}

/* A case that no plan has any more is still in the store. */
static char *
find_case(const char *asked, struct error *error)
{
	char *name = case_name_find(asked, error);

	if (name != NULL || !is_stored(asked))
		return name;
	memset(error, 0, sizeof *error);
	return memory_copy_text(asked);
}

/* ---- its identities ---- */

/* By the folder's name, or the whole hex. */
static const struct recorded *
find_recorded(const struct past *past, const char *hex)
{
	size_t i;

	for (i = 0; i < past->count; i++)
		if (strncmp(past->list[i].folder, hex, 16) == 0)
			return &past->list[i];
	return NULL;
}

static int
is_identity(const struct dirent *entry)
{
	return strlen(entry->d_name) == 16 && strspn(entry->d_name, "0123456789abcdef") == 16;
}

static void
find_left_out(struct past *past)
{
	char *folder = memory_format("results/%s", past->case_id), *path;
	struct dirent **names = NULL;
	int found = scandir(folder, &names, is_identity, alphasort), i;

	for (i = 0; i < found; i++) {
		path = memory_format("%s/%s", folder, names[i]->d_name);
		if (find_recorded(past, names[i]->d_name) == NULL)
			json_array_append_new(past->left_out, json_string(path));
		free(path);
		free(names[i]);
	}
	free(names);
	free(folder);
}

static int
read_current(struct past *past, struct error *error)
{
	char *plan = memory_format("build/plan/%s.json", past->case_id);
	char *path = memory_format("build/identity/%s", past->case_id);
	int result = 0;

	if (file_exists(plan) && file_exists(path))
		result = identity_read(path, &past->current, error);
	free(plan);
	free(path);
	return result;
}

int
past_read(const char *asked, struct past *past, struct error *error)
{
	memset(past, 0, sizeof *past);
	past->left_out = json_array();
	past->case_id = find_case(asked, error);
	if (past->case_id == NULL)
		return -1;
	past->list = recorded_list(past->case_id, &past->count);
	find_left_out(past);
	return read_current(past, error);
}

void
past_free(struct past *past)
{
	recorded_free(past->list, past->count);
	if (past->current.text != NULL)
		identity_free(&past->current);
	json_decref(past->left_out);
	free(past->case_id);
}

/* ---- one of them ---- */

bool
past_is_current(const struct past *past, const struct identity *identity)
{
	return past->current.text != NULL && strcmp(past->current.hex, identity->hex) == 0;
}

const char *
past_measured_at(const struct past *past, const struct identity *identity)
{
	const struct recorded *found = find_recorded(past, identity->hex);

	return found != NULL ? found->measured_at : "";
}

/* All of them by number, the current one last where it has no results. NULL: past the end. */
static const struct identity *
identity_at(const struct past *past, size_t i)
{
	if (i < past->count)
		return &past->list[i].identity;
	return i == past->count && past->current.text != NULL && find_recorded(past, past->current.hex) == NULL
		       ? &past->current
		       : NULL;
}

static const struct identity *
fail_find(const struct past *past, const char *asked, size_t found, struct error *error)
{
	struct buffer names = BUFFER_EMPTY;
	const struct identity *one;
	size_t i;

	for (i = 0; (one = identity_at(past, i)) != NULL; i++)
		buffer_printf(&names, "%s%.16s", i > 0 ? ", " : "", one->hex);
	error_set(error, EXIT_BAD_INPUT, "'%s' %s of case %s; there are: %.1200s", asked,
		  found > 1 ? "may be several identities" : "is no identity", past->case_id,
		  names.length > 0 ? buffer_text(&names) : "none");
	buffer_free(&names);
	return NULL;
}

const struct identity *
past_find(const struct past *past, const char *asked, struct error *error)
{
	const struct identity *one, *match = NULL;
	size_t found = 0, i;

	if (strcmp(asked, "current") == 0 && past->current.text != NULL)
		return &past->current;
	if (strcmp(asked, "current") == 0) {
		error_set(error, EXIT_BAD_INPUT, "case %s has no current identity here; 'ninja report' looks at "
			  "its programs and inputs", past->case_id);
		return NULL;
	}
	for (i = 0; asked[0] != '\0' && (one = identity_at(past, i)) != NULL; i++)
		if (strncmp(one->hex, asked, strlen(asked)) == 0) {
			match = one;
			found++;
		}
	return found == 1 ? match : fail_find(past, asked, found, error);
}

char *
past_results(const struct past *past, const struct identity *identity, struct stored_case *one)
{
	struct error why = {0};
	int result = past_is_current(past, identity)
			     ? stored_case_read(past->case_id, NULL, one, &why)
			     : stored_case_read_past(past->case_id, identity, one, &why);

	if (result == 0)
		return NULL;
	return memory_format("%s%s%s", why.file, why.file[0] != '\0' ? ": " : "", why.message);
}

#include "review/unpacked.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "provenance/contents.h"

#define STUDY "bundle/data/study"
#define LITTLE_ROOM ((unsigned long long)1 << 18) /* bytes: what failed for lack of room may have left some */

/* ---- names: files are written by those that the bundle says ---- */

static bool
is_file_name(const json_t *object, const char *key)
{
	const char *name = json_get_text(object, key);

	return strchr(name, '/') == NULL && contents_name_is_safe(name, strlen(name));
}

static bool
are_file_names(const json_t *list, const char *key)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (!is_file_name(one, key))
			return false;
	return true;
}

static bool
names_are_safe(const json_t *study)
{
	const json_t *experiments = json_object_get(study, "experiments"), *one;
	size_t i;

	if (!is_file_name(study, "entry") || !are_file_names(experiments, "name"))
		return false;
	json_array_foreach((json_t *)experiments, i, one)
		if (!are_file_names(json_object_get(one, "cases"), "case_id") ||
		    !are_file_names(json_object_get(one, "figures"), "label") ||
		    !are_file_names(json_object_get(one, "figures"), "name"))
			return false;
	return true;
}

static bool
is_safe_study(const char *path)
{
	json_t *study = json_read_file(path, NULL);
	bool safe = study != NULL && names_are_safe(study);

	json_decref(study);
	return safe;
}

/* A form that is not in the bundle has no names. */
static bool
forms_are_safe(const json_t *study)
{
	const json_t *form;
	bool safe = true;
	size_t i;

	json_array_foreach(json_object_get(study, "forms"), i, form) {
		const char *name = json_is_string(form) ? json_string_value(form) : "";
		char *path = memory_format("build/form/%s/study.json", name);

		safe = safe && strchr(name, '/') == NULL && contents_name_is_safe(name, strlen(name)) &&
		       (!file_exists(path) || is_safe_study(path));
		free(path);
	}
	return safe;
}

/* The harness that its runners are linked with and the templates of its figures are those that it
 * came with, whatever version we are. */
static void
use_its_own_home(void)
{
	static const char *const places[] = {"../tool", "."};
	size_t i;

	for (i = 0; i < sizeof places / sizeof *places; i++) {
		char *probe = memory_format("%s/kernels/harness", places[i]);
		char *home = file_exists(probe) ? realpath(places[i], NULL) : NULL;
		bool found = home != NULL && setenv("ASSAY_HOME", home, 1) == 0;

		free(home);
		free(probe);
		if (found)
			return;
	}
}

static int
enter_study(struct error *error)
{
	json_t *study;
	bool safe;

	if (chdir(STUDY) != 0 || !file_exists("build/study.json") || !file_exists("build/stats.json"))
		return error_set(error, EXIT_BAD_INPUT,
				 "no study with its results is in it: build/study.json or build/stats.json is "
				 "missing");
	study = json_read_file("build/study.json", error);
	if (study == NULL)
		return -1;
	safe = names_are_safe(study) && forms_are_safe(study);
	json_decref(study);
	return safe ? 0 : error_set(error, EXIT_BAD_INPUT, "build/study.json, or that of a form: a name in it "
				    "cannot be that of a file");
}

/* ---- the whole ---- */

int
unpacked_open(const char *bundle, const char *keep, struct unpacked *unpacked,
	      struct error *error)
{
	char *path = realpath(bundle, NULL);
	int result = -1;

	memset(unpacked, 0, sizeof *unpacked);
	if (path == NULL)
		error_set_errno(error, "cannot read %s", bundle);
	else if (workspace_open("review", keep, &unpacked->workspace, error) == 0) {
		unpacked->top = getcwd(NULL, 0);
		if (bundle_unpack(path, "bundle", NULL, &unpacked->facts, error) == 0)
			result = enter_study(error);
		if (result == 0)
			use_its_own_home();
	}
	if (path == NULL)
		error->code = EXIT_BAD_INPUT;
	free(path);
	return result;
}

void
unpacked_explain(const struct unpacked *unpacked, struct error *error)
{
	struct statvfs status;

	if (unpacked->top == NULL || statvfs(unpacked->top, &status) != 0)
		return;
	if (status.f_bavail * status.f_frsize < LITTLE_ROOM || (status.f_files > 0 && status.f_favail == 0))
		error_prefix(error, "the disk of '%s' is full; set TMPDIR (or --keep) to a folder on one with more room",
			     unpacked->top);
}

void
unpacked_close(struct unpacked *unpacked)
{
	workspace_close(&unpacked->workspace);
	bundle_facts_free(&unpacked->facts);
	free(unpacked->top);
	unpacked->top = NULL;
}

char *
unpacked_shipped(const struct unpacked *unpacked, const char *path)
{
	return memory_format("%s/shipped/%s", unpacked->top, path);
}

static int
move(const char *from, const char *to, struct error *error)
{
	if (!file_exists(from))
		return 0;
	if (file_make_parent(to, error) != 0)
		return -1;
	return rename(from, to) != 0 ? error_set_errno(error, "cannot move %s to %s", from, to) : 0;
}

int
unpacked_put_aside(const struct unpacked *unpacked, const char *path, struct error *error)
{
	char *shipped = unpacked_shipped(unpacked, path);
	int result = move(path, shipped, error);

	free(shipped);
	return result;
}

int
unpacked_bring_back(const struct unpacked *unpacked, const char *path, struct error *error)
{
	char *shipped = unpacked_shipped(unpacked, path);
	int result = move(shipped, path, error);

	free(shipped);
	return result;
}

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/home.h"
#include "base/memory.h"
#include "provenance/bundle_parts.h"
#include "provenance/git.h"
#include "provenance/used_files.h"

/* Which of the study's files a bundle holds. */

#define PREFIX "data/study/"

/* Where a link leads, relative to the study; NULL for what is no link or leads out. */
static char *
target_of_link(const char *path)
{
	struct stat status;
	char *target = NULL, *here, *inside = NULL;

	if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
		target = realpath(path, NULL);
	here = target != NULL ? realpath(".", NULL) : NULL;
	if (here != NULL && strncmp(target, here, strlen(here)) == 0 && target[strlen(here)] == '/')
		inside = memory_copy_text(target + strlen(here) + 1);
	free(target);
	free(here);
	return inside;
}

/* An earlier bundle beside the sources would make each one hold its forerunner. */
static bool
is_output(const struct bundle *bundle, const char *path)
{
	struct stat one, other;

	return stat(path, &one) == 0 && stat(bundle->output, &other) == 0 &&
	       one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* What may not leave this machine, by its own name or by that of a link to it. */
static bool
is_withheld(const struct bundle *bundle, const char *path)
{
	char *target = target_of_link(path);
	bool withheld = used_files_is_private(bundle->study, path) ||
			(target != NULL && (used_files_is_private(bundle->study, target) ||
					    strncmp(target, ".git/", 5) == 0));

	free(target);
	return withheld;
}

static void
add_source(struct bundle *bundle, const char *path)
{
	char *name = memory_format(PREFIX "%s", path);

	if (!is_withheld(bundle, path))
		contents_add_file(&bundle->contents, name, path);
	free(name);
}

/* ---- in a repository ---- */

static bool
is_ours(const char *path)
{
	return strncmp(path, "build/", 6) == 0 || strncmp(path, "results/", 8) == 0;
}

static void
add_untracked(struct bundle *bundle, const struct buffer *names)
{
	struct used_files files = {NULL, 0, 0};
	size_t at, i;

	for (at = 0; at < names->length; at += strlen(names->bytes + at) + 1)
		used_files_add(&files, names->bytes + at, strlen(names->bytes + at));
	used_files_sort(&files);
	used_files_mark_specs(&files, bundle->study);
	used_files_mark_graph(&files);
	for (i = 0; i < files.count; i++) {
		const char *path = files.items[i].path;

		if (files.items[i].used)
			add_source(bundle, path);
		else if (!is_output(bundle, path))
			contents_note(&bundle->contents.aside, path,
				      "left out: git does not track it and the graph does not name it");
	}
	used_files_free(&files);
}

static int
add_from_git(struct bundle *bundle, const struct git_status *status, struct error *error)
{
	struct buffer tracked = BUFFER_EMPTY, untracked = BUFFER_EMPTY;
	char *problem = git_tracked(&tracked);
	int result = 0;
	size_t at;

	if (problem == NULL)
		problem = git_untracked(status, bundle->study, &untracked);
	if (problem != NULL)
		result = error_set(error, EXIT_FAILED, "git cannot list the study's files: %s",
				   problem);
	for (at = 0; result == 0 && at < tracked.length; at += strlen(tracked.bytes + at) + 1)
		if (!is_ours(tracked.bytes + at))
			add_source(bundle, tracked.bytes + at);
	if (result == 0)
		add_untracked(bundle, &untracked);
	free(problem);
	buffer_free(&tracked);
	buffer_free(&untracked);
	return result;
}

/* ---- without one ---- */

static bool
skips(const char *path, const char *base_name, void *context)
{
	struct bundle *bundle = context;
	char *name;

	if (strcmp(path, "build") == 0 || strcmp(path, "results") == 0 ||
	    strcmp(path, "build.ninja") == 0 || strncmp(path, ".ninja_", 7) == 0 ||
	    strcmp(base_name, ".git") == 0 || is_withheld(bundle, path) ||
	    is_output(bundle, path) || strstr(base_name, ".tmp.") != NULL)
		return true;
	if (base_name[0] != '.' || strcmp(path, ".gitignore") == 0 ||
	    strcmp(path, ".clang-format") == 0 || strcmp(path, ".ci") == 0)
		return false;
	name = memory_format(PREFIX "%s", path);
	contents_note(&bundle->contents.left_out, name,
		      "hidden, and no repository says that it belongs to the study");
	free(name);
	return true;
}

static void
note_private(struct bundle *bundle)
{
	const json_t *list = json_object_get(bundle->study, "private");
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		const char *path = json_string_value(json_array_get(list, i));
		char *name = memory_format(PREFIX "%s", path != NULL ? path : "");

		contents_note(&bundle->contents.left_out, name, "private, says the study");
		free(name);
	}
}

static void
find_licence(struct bundle *bundle)
{
	static const char *const names[] = {"LICENSE", "LICENCE", "COPYING", "LICENSE.md",
					    "LICENSE.txt", "LICENCE.md", "LICENCE.txt"};
	size_t i;

	for (i = 0; bundle->licence == NULL && i < sizeof names / sizeof *names; i++)
		if (file_exists(names[i]) && !is_withheld(bundle, names[i]))
			bundle->licence = memory_format("study/%s", names[i]);
}

int
bundle_add_sources(struct bundle *bundle, struct error *error)
{
	struct git_status status;
	int result = 0;

	git_status_read(&status);
	if (status.problem == NULL)
		result = add_from_git(bundle, &status, error);
	else if (file_exists(".git")) /* what belongs to the study is git's to say */
		result = error_set(error, EXIT_FAILED, "git cannot list the study's files: %s",
				   status.problem);
	else
		contents_add_tree(&bundle->contents, "data/study", ".", skips, bundle);
	git_status_free(&status);
	note_private(bundle);
	find_licence(bundle);
	return result;
}

/* ---- the tool ---- */

static bool
skips_tool(const char *path, const char *base_name, void *context)
{
	(void)path;
	(void)context;
	return strcmp(base_name, "build") == 0 || strcmp(base_name, "results") == 0 ||
	       strcmp(base_name, "build.ninja") == 0 || base_name[0] == '.';
}

void
bundle_add_tool(struct bundle *bundle)
{
	static const char *const parts[] = {"src", "kernels", "analysis", "figures", "provenance",
					    "experiments", "docs", "tests"};
	static const char *const files[] = {"bootstrap", "build.ninja.lua", "LICENSE", "README.md"};
	char *home = home_path(NULL), *here = realpath(".", NULL);
	size_t i;

	if (home == NULL)
		contents_note(&bundle->contents.left_out, "data/tool",
			      "Assay's own sources are not on the machine that packed this");
	for (i = 0; home != NULL && strcmp(home, here) != 0 && i < sizeof parts / sizeof *parts; i++) {
		char *path = memory_format("%s/%s", home, parts[i]);
		char *name = memory_format("data/tool/%s", parts[i]);

		contents_add_tree(&bundle->contents, name, path, skips_tool, NULL);
		free(path);
		free(name);
	}
	for (i = 0; home != NULL && strcmp(home, here) != 0 && i < sizeof files / sizeof *files; i++) {
		char *path = memory_format("%s/%s", home, files[i]);
		char *name = memory_format("data/tool/%s", files[i]);

		contents_add_file(&bundle->contents, name, path);
		free(path);
		free(name);
	}
	free(home);
	free(here);
}

#include "history/overlay.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "revision/git.h"

static bool
is_folder(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int put(const char *from, const char *to, struct error *error);

/* A folder of both: what lies in it. */
static int
put_entries(const char *from, const char *to, struct error *error)
{
	DIR *folder = opendir(from);
	struct dirent *entry;
	int result = 0;

	if (folder == NULL)
		return error_set_errno(error, "cannot read the folder %s", from);
	while (result == 0 && (entry = readdir(folder)) != NULL) {
		char *below, *target;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    strcmp(entry->d_name, ".git") == 0)
			continue;
		below = memory_format("%s/%s", from, entry->d_name);
		target = memory_format("%s/%s", to, entry->d_name);
		result = put(below, target, error);
		free(below);
		free(target);
	}
	closedir(folder);
	return result;
}

static int
put(const char *from, const char *to, struct error *error)
{
	struct stat status;

	if (lstat(to, &status) == 0)
		return is_folder(from) && is_folder(to) ? put_entries(from, to, error) : 0;
	if (file_make_parent(to, error) != 0)
		return -1;
	return symlink(from, to) == 0 ? 0 : error_set_errno(error, "cannot make the link %s", to);
}

static bool
is_left_out(const char *name)
{
	return strncmp(name, "build/", 6) == 0 || strncmp(name, "results/", 8) == 0 ||
	       strcmp(name, "build") == 0 || strcmp(name, "results") == 0;
}

/* Whether no folder on the way to it is a link or a file there: then that stands, and nothing is
 * written through a link to some other place. */
static bool
is_clear(const char *to, const char *name)
{
	const char *slash = name;
	bool clear = true;

	while (clear && (slash = strchr(slash, '/')) != NULL) {
		char *path = memory_format("%s/%.*s", to, (int)(slash - name), name);
		struct stat status;

		clear = lstat(path, &status) != 0 || S_ISDIR(status.st_mode);
		free(path);
		slash++;
	}
	return clear;
}

static int
put_listed(const char *root, const char *name, const char *to, struct error *error)
{
	size_t length = strlen(name);
	char *clean = memory_copy_span(name, length - (length > 0 && name[length - 1] == '/'));
	char *from = memory_format("%s/%s", root, clean), *target = memory_format("%s/%s", to, clean);
	int result = is_clear(to, clean) ? put(from, target, error) : 0;

	free(clean);
	free(from);
	free(target);
	return result;
}

int
overlay_untracked(const char *to, struct error *error)
{
	static const char *const words[] = {"ls-files", "-z", "--others", "--directory", NULL};
	struct buffer list = BUFFER_EMPTY;
	char *root = realpath(".", NULL);
	const char *name;
	size_t at = 0;
	int result = root != NULL ? git_ask(root, words, &list, error)
				  : error_set_errno(error, "cannot tell where the study lies");

	while (result == 0 && (name = git_next(&list, &at)) != NULL)
		if (!is_left_out(name))
			result = put_listed(root, name, to, error);
	buffer_free(&list);
	free(root);
	return result;
}

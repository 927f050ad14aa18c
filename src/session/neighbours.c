#include "session/neighbours.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "identity/elf_content.h"

/* "" for a bare name. */
static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return memory_copy_span(path, slash != NULL ? (size_t)(slash - path) : 0);
}

/* The path as seen from the folder, "" for the folder itself; NULL: it lies elsewhere. */
static const char *
below(const char *folder, const char *path)
{
	size_t length = strlen(folder);

	if (length == 0)
		return path[0] != '/' ? path : NULL;
	if (strncmp(path, folder, length) != 0)
		return NULL;
	if (path[length] == '/')
		return path + length + 1;
	return path[length] == '\0' ? path + length : NULL;
}

static bool
is_step(const char *way, const char *step)
{
	size_t length = strlen(step);

	return strncmp(way, step, length) == 0 && (way[length] == '/' || way[length] == '\0');
}

/* Whether "../lib" stays among the folders that belong to the copy. */
static bool
stays(const char *way)
{
	int up = 0;

	for (; *way != '\0'; way += strcspn(way, "/"), way += strspn(way, "/")) {
		if (is_step(way, ".."))
			up++;
		else if (!is_step(way, "."))
			up--;
		if (up > NEIGHBOURS_UP)
			return false;
	}
	return true;
}

static int
link_file(const char *target, const char *folder, const char *name, struct error *error)
{
	char *real = realpath(target, NULL), *path = memory_format("%s/%s", folder, name);
	int result = 0;

	/* The same library in two folders of the list; the copy itself. */
	if (real != NULL && symlink(real, path) != 0 && errno != EEXIST)
		result = error_set_errno(error, "cannot link %s", path);
	free(real);
	free(path);
	return result;
}

static int
is_library(const struct dirent *entry)
{
	return strstr(entry->d_name, ".so") != NULL;
}

/* File by file, so that no link leads to a folder that is not ours. */
static int
link_libraries(const char *from, const char *to, struct error *error)
{
	struct dirent **names = NULL;
	int count = scandir(from, &names, is_library, alphasort), result = 0, i;

	if (count > 0)
		result = file_make_folder(to, error);
	for (i = 0; i < count; i++) {
		char *path = memory_format("%s/%s", from, names[i]->d_name);

		if (result == 0)
			result = link_file(path, to, names[i]->d_name, error);
		free(path);
		free(names[i]);
	}
	free(names);
	return result;
}

static int
link_origin(const struct plan_program *program, const char *around, struct error *error)
{
	char *real = realpath(program->path, NULL);
	char *origin = real != NULL ? folder_of(real) : NULL;
	struct texts folders = {0};
	int result = 0;
	size_t i;

	if (origin != NULL)
		elf_content_search(program->path, &folders);
	for (i = 0; i < folders.count; i++) {
		const char *way = below(origin, folders.items[i]);

		if (result == 0 && way != NULL && stays(way)) {
			char *to = memory_format("%s/%s", around, way);

			result = link_libraries(folders.items[i], to, error);
			free(to);
		}
		free(folders.items[i]);
	}
	free(folders.items);
	free(origin);
	free(real);
	return result;
}

static int
link_scripts(const struct plan_program *program, const char *around, struct error *error)
{
	char *folder = folder_of(program->path);
	int result = 0;
	size_t i;

	for (i = 0; result == 0 && i < program->scripts.count; i++) {
		const char *script = program->scripts.items[i], *way = below(folder, script);
		char *path, *parent;

		if (way == NULL)
			continue;
		path = memory_format("%s/%s", around, way);
		parent = folder_of(path);
		result = file_make_folder(parent, error);
		if (result == 0)
			result = link_file(script, parent, strrchr(path, '/') + 1, error);
		free(parent);
		free(path);
	}
	free(folder);
	return result;
}

int
neighbours_link(const struct plan_program *program, const char *copy, struct error *error)
{
	char *around = folder_of(copy);
	int result = link_origin(program, around, error);

	if (result == 0)
		result = link_scripts(program, around, error);
	free(around);
	return result;
}

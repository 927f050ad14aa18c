#include "spec/glob_files.h"

#include <dirent.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "spec/api.h"
#include "spec/fail.h"
#include "spec/text.h"

/* Sorted: the program runs in the C locale. Owned by the arena, so that a Lua error leaks nothing. */
static struct texts
run_glob(struct host *host, const char *pattern, int flags)
{
	struct texts found = {NULL, 0};
	glob_t result;
	size_t i;

	if (glob(pattern, flags, NULL, &result) == 0)
		for (i = 0; i < result.gl_pathc; i++)
			texts_add(host->arena, &found, result.gl_pathv[i]);
	globfree(&result);
	return found;
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folder part of a pattern is itself a pattern: "a" + "/" + "*" + "/x.c" lists a/ and each a/y/. */
static void
note_folders(lua_State *L, const char *pattern)
{
	struct host *host = host_of(L);
	const char *at = pattern;

	while (*at != '\0') {
		size_t length = strcspn(at, "/");
		char *component = arena_span(host->arena, at, length);
		size_t before = (size_t)(at - pattern);
		struct texts folders;
		size_t i;

		if (strpbrk(component, "*?[") != NULL && before == 0) {
			api_reads(L, "./");
		} else if (strpbrk(component, "*?[") != NULL) {
			folders = run_glob(host, arena_span(host->arena, pattern, before), GLOB_ONLYDIR);
			for (i = 0; i < folders.count; i++)
				api_reads(L, folders.items[i]);
		}
		at += length;
		at += *at == '/';
	}
}

struct texts
glob_files(lua_State *L, const char *pattern)
{
	struct host *host = host_of(L);
	struct fields fields = {L, 0, fail_place(L), "glob", NULL, "", NULL};
	struct texts found;
	char *clean;

	if (strstr(pattern, "**") != NULL)
		fail_here(L, "the pattern \"%.200s\" holds **; name each folder level with its own *",
			  pattern);
	clean = api_path(&fields, "", pattern);
	note_folders(L, clean);
	found = run_glob(host, clean, 0);
	if (found.count > 0)
		qsort(found.items, found.count, sizeof *found.items, by_bytes);
	return found;
}

struct texts
glob_folder(lua_State *L, const char *folder, const char *end)
{
	struct host *host = host_of(L);
	struct texts found = {NULL, 0};
	struct dirent *entry;
	DIR *listing = opendir(folder);

	if (listing == NULL)
		fail_here(L, "cannot list the folder %s", folder);
	while ((entry = readdir(listing)) != NULL) {
		size_t length = strlen(entry->d_name), tail = strlen(end);

		if (entry->d_name[0] != '.' && length > tail &&
		    strcmp(entry->d_name + length - tail, end) == 0)
			texts_add(host->arena, &found,
				  arena_printf(host->arena, "%s/%s", folder, entry->d_name));
	}
	closedir(listing);
	if (found.count > 0)
		qsort(found.items, found.count, sizeof *found.items, by_bytes);
	api_reads(L, arena_printf(host->arena, "%s/", folder));
	return found;
}

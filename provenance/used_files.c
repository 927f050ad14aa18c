#include "provenance/used_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"

#define SOURCE_LIMIT ((size_t)4 << 20)

void
used_files_add(struct used_files *files, const char *path, size_t length)
{
	files->items = memory_grow(files->items, files->count, &files->capacity,
				   sizeof *files->items);
	files->items[files->count++] = (struct used_file){memory_copy_span(path, length), false};
}

static int
by_path(const void *a, const void *b)
{
	return strcmp(((const struct used_file *)a)->path, ((const struct used_file *)b)->path);
}

void
used_files_sort(struct used_files *files)
{
	size_t i, kept = 0;

	if (files->count > 0)
		qsort(files->items, files->count, sizeof *files->items, by_path);
	for (i = 0; i < files->count; i++)
		if (kept > 0 && by_path(&files->items[kept - 1], &files->items[i]) == 0)
			free(files->items[i].path);
		else
			files->items[kept++] = files->items[i];
	files->count = kept;
}

void
used_files_free(struct used_files *files)
{
	size_t i;

	for (i = 0; i < files->count; i++)
		free(files->items[i].path);
	free(files->items);
	memset(files, 0, sizeof *files);
}

static struct used_file *
find(const struct used_files *files, const char *path)
{
	struct used_file key = {(char *)path, false};

	if (files->count == 0)
		return NULL;
	return bsearch(&key, files->items, files->count, sizeof key, by_path);
}

static void
mark(struct used_files *files, const char *path)
{
	struct used_file *file = path != NULL ? find(files, path) : NULL;

	if (file != NULL)
		file->used = true;
}

static void
mark_texts(struct used_files *files, const struct texts *paths)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		mark(files, paths->items[i]);
}

/* ---- specs and plans ---- */

void
used_files_mark_specs(struct used_files *files, const json_t *study)
{
	const json_t *specs = json_object_get(study, "specs");
	size_t i;

	mark(files, "build.ninja.lua");
	mark(files, json_string_value(json_object_get(study, "entry")));
	for (i = 0; i < json_array_size(specs); i++)
		mark(files, json_string_value(json_array_get(specs, i)));
}

void
used_files_mark_plan(struct used_files *files, const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->treatment_count; i++) {
		const struct plan_treatment *treatment = &plan->treatments[i];

		mark(files, treatment->program.path);
		mark_texts(files, &treatment->program.scripts);
		mark_texts(files, &treatment->program.identity_inputs);
		mark_texts(files, &treatment->inputs);
		mark_texts(files, &treatment->prepare);
		mark_texts(files, &treatment->args);
		mark(files, treatment->stdin_path);
	}
}

/* ---- what sources include ---- */

static bool
ends_with(const char *text, const char *const *ends)
{
	const char *dot = strrchr(text, '.');
	size_t i;

	for (i = 0; dot != NULL && ends[i] != NULL; i++)
		if (strcmp(dot + 1, ends[i]) == 0)
			return true;
	return false;
}

static bool
may_include(const char *path)
{
	static const char *const ends[] = {"c",  "h",   "cc",  "hh",  "cpp", "hpp", "cxx", "hxx",
					   "cu", "cuh", "inc", "inl", "ipp", "S",   "m",   NULL};

	return ends_with(path, ends);
}

/* "kernels/a/../b.h" -> "kernels/b.h"; NULL when it leads out of the study. */
static char *
resolve(const char *folder, size_t folder_length, const char *name, size_t name_length)
{
	char *joined = memory_format("%.*s%.*s", (int)folder_length, folder, (int)name_length, name);
	char *out = memory_alloc(strlen(joined) + 2), *rest = joined, *part;
	size_t length = 0;

	out[0] = '\0';
	while (out != NULL && (part = strsep(&rest, "/")) != NULL) {
		if (part[0] == '\0' || strcmp(part, ".") == 0)
			continue;
		if (strcmp(part, "..") != 0) {
			length += (size_t)sprintf(out + length, "%s%s", length > 0 ? "/" : "", part);
		} else if (length > 0) {
			while (length > 0 && out[--length] != '/')
				;
			out[length] = '\0';
		} else {
			free(out);
			out = NULL;
		}
	}
	free(joined);
	return out;
}

/* Include folders are not known here: a file at the end of whose path the name stands may be
 * meant. Better one file too many than one that is missing. */
static size_t
mark_included(struct used_files *files, const char *name, size_t length)
{
	size_t i, marked = 0;

	for (i = 0; i < files->count; i++) {
		const char *path = files->items[i].path;
		size_t whole = strlen(path);

		if (files->items[i].used || whole < length ||
		    strncmp(path + whole - length, name, length) != 0 ||
		    (whole > length && path[whole - length - 1] != '/'))
			continue;
		files->items[i].used = true;
		marked++;
	}
	return marked;
}

static size_t
mark_include(struct used_files *files, const char *source, const char *name, size_t length)
{
	const char *slash = strrchr(source, '/');
	char *beside = resolve(source, slash != NULL ? (size_t)(slash - source) + 1 : 0, name, length);
	struct used_file *file = beside != NULL ? find(files, beside) : NULL;
	size_t marked = 0;

	if (file != NULL) {
		marked = !file->used;
		file->used = true;
	} else if (memmem(name, length, "..", 2) == NULL) {
		marked = mark_included(files, name, length);
	}
	free(beside);
	return marked;
}

static size_t
mark_includes(struct used_files *files, const char *source)
{
	struct buffer text = BUFFER_EMPTY;
	size_t marked = 0;
	const char *at;

	if (file_read(source, SOURCE_LIMIT, &text, NULL) != 0) {
		buffer_free(&text);
		return 0;
	}
	for (at = buffer_text(&text); (at = strstr(at, "include")) != NULL;) {
		size_t length;

		at += strlen("include");
		at += strspn(at, " \t");
		if (*at != '"')
			continue;
		length = strcspn(++at, "\"\n");
		if (at[length] == '"' && length > 0)
			marked += mark_include(files, source, at, length);
	}
	buffer_free(&text);
	return marked;
}

/* ---- the graph ---- */

struct words {
	char **items;
	size_t count, capacity;
};

/* One path of build.ninja, without its escapes; the next one's start, NULL at the end. */
static const char *
next_word(const char *at, struct buffer *word)
{
	buffer_clear(word);
	at += strspn(at, " \n|:=\t'\"");
	if (*at == '\0')
		return NULL;
	while (*at != '\0' && strchr(" \n|:=\t'\"", *at) == NULL) {
		if (*at == '$' && at[1] != '\0' && strchr(" :$", at[1]) != NULL)
			at++;
		buffer_putc(word, *at++);
	}
	return at;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Marks the files that build.ninja names, and gathers the sources that may include others. */
static void
mark_words(struct used_files *files, const char *graph, struct words *sources)
{
	struct buffer word = BUFFER_EMPTY;

	while ((graph = next_word(graph, &word)) != NULL) {
		mark(files, buffer_text(&word));
		if (!may_include(buffer_text(&word)))
			continue;
		sources->items = memory_grow(sources->items, sources->count, &sources->capacity,
					     sizeof *sources->items);
		sources->items[sources->count++] = memory_copy_text(buffer_text(&word));
	}
	buffer_free(&word);
	if (sources->count > 0)
		qsort(sources->items, sources->count, sizeof *sources->items, by_text);
}

static bool
is_any_left(const struct used_files *files)
{
	size_t i;

	for (i = 0; i < files->count; i++)
		if (!files->items[i].used && may_include(files->items[i].path))
			return true;
	return false;
}

/* Headers found used may include further ones, until nothing new is found. */
static void
follow_includes(struct used_files *files, const struct words *sources)
{
	bool *read = memory_zeroed(files->count, sizeof *read);
	size_t i, marked;

	for (i = 0; i < sources->count; i++)
		if (i == 0 || strcmp(sources->items[i], sources->items[i - 1]) != 0)
			mark_includes(files, sources->items[i]);
	do {
		marked = 0;
		for (i = 0; i < files->count; i++)
			if (files->items[i].used && !read[i] && may_include(files->items[i].path)) {
				read[i] = true;
				marked += mark_includes(files, files->items[i].path);
			}
	} while (marked > 0);
	free(read);
}

void
used_files_mark_graph(struct used_files *files)
{
	struct buffer graph = BUFFER_EMPTY;
	struct words sources = {NULL, 0, 0};
	size_t i;

	if (files->count > 0 && file_read("build.ninja", 0, &graph, NULL) == 0) {
		mark_words(files, buffer_text(&graph), &sources);
		if (is_any_left(files))
			follow_includes(files, &sources);
	}
	for (i = 0; i < sources.count; i++)
		free(sources.items[i]);
	free(sources.items);
	buffer_free(&graph);
}

bool
used_files_is_private(const json_t *study, const char *path)
{
	const json_t *list = json_object_get(study, "private");
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		const char *private = json_string_value(json_array_get(list, i));
		size_t length = private != NULL ? strlen(private) : 0;

		while (length > 0 && private[length - 1] == '/')
			length--;
		if (length > 0 && strncmp(path, private, length) == 0 &&
		    (path[length] == '\0' || path[length] == '/'))
			return true;
	}
	return false;
}

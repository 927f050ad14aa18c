#include "compare/argument_files.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "compare/words.h"
#include "spec/text.h"

/* Without ".." and the like. The caller frees. */
static char *
clean(const char *folder, const char *path)
{
	char *joined = path[0] == '/' ? memory_copy_text(path) : memory_format("%s/%s", folder, path);
	struct buffer out = BUFFER_EMPTY;

	text_path(joined, &out);
	free(joined);
	return buffer_detach(&out);
}

/* What of an absolute path is below the folder; NULL: it lies elsewhere. */
static const char *
below(const char *folder, const char *path)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* "../" for each folder of the prefix that the path does not share. The caller frees. */
static char *
seen_from(const char *prefix, const char *path)
{
	struct buffer way = BUFFER_EMPTY;
	size_t length;

	while (*prefix != '\0') {
		length = strcspn(prefix, "/");
		if (strncmp(path, prefix, length) != 0 || path[length] != '/')
			break;
		prefix += length + (prefix[length] == '/');
		path += length + 1;
	}
	for (; *prefix != '\0'; prefix += length + (prefix[length] == '/')) {
		length = strcspn(prefix, "/");
		buffer_puts(&way, "../");
	}
	buffer_puts(&way, path);
	return buffer_detach(&way);
}

char *
argument_files_in_tree(const struct repository *repository, const char *path)
{
	char *whole = clean(repository->folder, path), *way = NULL;
	const char *inside = below(repository->top, whole);

	if (inside != NULL)
		way = seen_from(repository->prefix, inside);
	free(whole);
	return way;
}

/* ---- what is there ---- */

static size_t
placeholder_length(const struct compare_options *options, const char *at)
{
	size_t i;

	for (i = 0; *at == '{' && i < options->dimension_count; i++) {
		size_t length = strlen(options->dimensions[i].name);

		if (strncmp(at + 1, options->dimensions[i].name, length) == 0 && at[length + 1] == '}')
			return length + 2;
	}
	return 0;
}

/* A pattern of glob(3): placeholders match anything, all else itself. The caller frees. */
static char *
pattern_of(const struct compare_options *options, const char *path)
{
	struct buffer pattern = BUFFER_EMPTY;

	while (*path != '\0') {
		size_t length = placeholder_length(options, path);

		if (length > 0) {
			buffer_putc(&pattern, '*');
			path += length;
			continue;
		}
		if (strchr("*?[\\", *path) != NULL)
			buffer_putc(&pattern, '\\');
		buffer_putc(&pattern, *path++);
	}
	return buffer_detach(&pattern);
}

static bool
is_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* A word such as "test" may be anything: a folder of that name is meant where a slash says so. */
static bool
is_meant(const char *path, const glob_t *found)
{
	return found->gl_pathc > 0 && (strchr(path, '/') != NULL || is_file(found->gl_pathv[0]));
}

/* One path of an argument. */
struct meant {
	const struct compare_options *options;
	const struct repository *repository;
	const char *path;  /* as written */
	glob_t found;      /* absolute paths in the user's folder */
};

static char *
in_tree_of(const struct meant *meant, const struct compared *command, const char *found)
{
	const char *inside = below(meant->repository->top, found);
	char *way, *path;

	if (inside == NULL)
		return NULL;
	way = seen_from(meant->repository->prefix, inside);
	path = memory_format("%s/%s", command->cwd, way);
	free(way);
	return path;
}

/* The first revision whose tree lacks a file of the user's; NULL: all have all. */
static const struct compared *
lacks(const struct meant *meant)
{
	size_t i, k;

	for (i = 0; i < meant->options->command_count; i++)
		for (k = 0; k < meant->found.gl_pathc; k++) {
			const struct compared *command = &meant->options->commands[i];
			char *path = in_tree_of(meant, command, meant->found.gl_pathv[k]);
			bool has = path != NULL && file_exists(path);

			free(path);
			if (!has)
				return command;
		}
	return NULL;
}

/* ---- settling ---- */

static void
add_once(struct texts *list, const char *text)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (strcmp(list->items[i], text) == 0)
			return;
	words_add(list, text);
}

static void
note_scripts(const struct meant *meant)
{
	size_t i, k;

	for (i = 0; i < meant->options->command_count; i++)
		for (k = 0; k < meant->found.gl_pathc; k++) {
			struct compared *command = &meant->options->commands[i];
			const char *found = meant->found.gl_pathv[k];
			char *path = in_tree_of(meant, command, found), *way;

			if (path != NULL && is_file(path)) {
				way = seen_from(meant->repository->prefix, below(meant->repository->top, found));
				if (command->output == NULL || strcmp(way, command->output) != 0)
					add_once(&command->scripts, way);
				free(way);
			}
			free(path);
		}
}

static void
use_users(const struct meant *meant, size_t argument, size_t before)
{
	size_t i, k;

	for (i = 0; i < meant->options->command_count; i++) {
		struct compared *command = &meant->options->commands[i];
		char **slot = &command->args.items[argument];
		char *whole = clean(meant->options->folder, meant->path);
		char *text = memory_format("%.*s%s", (int)before, *slot, whole);

		free(whole);
		for (k = 0; k < meant->found.gl_pathc; k++)
			if (is_file(meant->found.gl_pathv[k]))
				add_once(&command->inputs, meant->found.gl_pathv[k]);
		free(*slot);
		*slot = text;
	}
}

static void
settle(struct compare_options *options, const struct repository *repository, size_t argument,
       FILE *out)
{
	char *text = memory_copy_text(options->commands[0].args.items[argument]);
	const char *equals = text[0] == '-' ? strchr(text, '=') : NULL;
	const char *path = equals != NULL ? equals + 1 : text;
	struct meant meant = {.options = options, .repository = repository, .path = path};
	char *whole = clean(options->folder, path), *pattern = pattern_of(options, whole);
	const struct compared *lacking;

	if (path[0] != '\0' && path[0] != '/' && glob(pattern, 0, NULL, &meant.found) == 0) {
		lacking = is_meant(path, &meant.found) ? lacks(&meant) : NULL;
		if (lacking == NULL) {
			note_scripts(&meant);
		} else {
			use_users(&meant, argument, (size_t)(path - text));
			if (out != NULL)
				fprintf(out, "note: %s has no %s, so all use yours: %s\n", lacking->revision, path, whole);
		}
		globfree(&meant.found);
	}
	free(pattern);
	free(whole);
	free(text);
}

void
argument_files_settle(struct compare_options *options, const struct repository *repository,
		      FILE *out)
{
	size_t i;

	for (i = 0; i < options->commands[0].args.count; i++)
		settle(options, repository, i, out);
}

#include "init/template.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/home.h"
#include "base/memory.h"

#define ABOUT "@ABOUT@\n"

const struct template_kind template_kinds[] = {
	{"hello", "two loops in C, timed by the harness"},
	{"compare", "two commands that are there already"},
	{"revisions", "a program at the last commit and in the work tree"},
	{"google-benchmark", "a Google Benchmark program before and after a change"},
	{"scripts", "two scripts, one in Python where there is one"},
	{NULL, NULL},
};

/* ---- the folder to write to ---- */

static bool
is_self_or_parent(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* The first thing in the folder that is more than a fresh clone has; the caller frees, NULL: none. */
static char *
find_content(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	char *found = NULL;

	while (folder != NULL && found == NULL && (entry = readdir(folder)) != NULL)
		if (!is_self_or_parent(entry->d_name) && strcmp(entry->d_name, ".git") != 0)
			found = memory_copy_text(entry->d_name);
	if (folder != NULL)
		closedir(folder);
	return found;
}

static int
make_empty(const char *path, struct error *error)
{
	char *content;
	int result;

	if (file_make_folder(path, error) != 0)
		return -1;
	content = find_content(path);
	if (content == NULL)
		return 0;
	result = error_set(error, EXIT_BAD_INPUT, "the folder '%s' is not empty ('%s' is in it), and nothing "
			   "is overwritten; name a new one", path, content);
	free(content);
	return result;
}

/* ---- what is written ---- */

/* What goes where. */
struct copying {
	const char *templates; /* the folder with all of them */
	const char *kind;
	struct error *error;
};

static int
write_readme(const struct copying *copying, const char *from, const char *to)
{
	char *about_path = memory_format("%s/%s/about.md", copying->templates, copying->kind);
	struct buffer text = BUFFER_EMPTY, about = BUFFER_EMPTY, out = BUFFER_EMPTY;
	int result = file_read(from, 0, &text, copying->error);
	const char *mark;

	if (result == 0)
		result = file_read(about_path, 0, &about, copying->error);
	mark = strstr(buffer_text(&text), ABOUT);
	if (result == 0 && mark != NULL) {
		buffer_append(&out, text.bytes, (size_t)(mark - text.bytes));
		buffer_append(&out, about.bytes, about.length);
		buffer_puts(&out, mark + strlen(ABOUT));
		result = file_write(to, out.bytes, out.length, FILE_NO_REPLACE, copying->error);
	}
	buffer_free(&text);
	buffer_free(&about);
	buffer_free(&out);
	free(about_path);
	return result;
}

static int
copy_tree(const struct copying *copying, const char *from, const char *to);

static int
copy_entry(const struct copying *copying, const char *from, const char *to, const char *name)
{
	char *source = memory_format("%s/%s", from, name);
	char *target = memory_format("%s/%s%s", to, strcmp(name, "gitignore") == 0 ? "." : "", name);
	struct stat status;
	int result = 0;

	if (stat(source, &status) != 0)
		result = error_set_errno(copying->error, "cannot read %s", source);
	else if (S_ISDIR(status.st_mode))
		result = copy_tree(copying, source, target);
	else if (strcmp(name, "README.md") == 0)
		result = write_readme(copying, source, target);
	else if (strcmp(name, "about.md") != 0)
		result = file_copy(source, target, copying->error);
	free(source);
	free(target);
	return result;
}

static int
copy_tree(const struct copying *copying, const char *from, const char *to)
{
	DIR *folder = opendir(from);
	struct dirent *entry;
	int result = 0;

	if (folder == NULL)
		return error_set_errno(copying->error, "cannot read the template %s", from);
	if (file_make_folder(to, copying->error) != 0)
		result = -1;
	while (result == 0 && (entry = readdir(folder)) != NULL)
		if (!is_self_or_parent(entry->d_name))
			result = copy_entry(copying, from, to, entry->d_name);
	closedir(folder);
	return result;
}

static int
copy_one(const struct copying *copying, const char *name, const char *to)
{
	char *from = memory_format("%s/%s", copying->templates, name);
	int result = copy_tree(copying, from, to);

	free(from);
	return result;
}

static bool
is_in_path(const char *name)
{
	const char *path = getenv("PATH");
	bool found = false;

	while (path != NULL && *path != '\0' && !found) {
		size_t length = strcspn(path, ":");
		char *file = memory_format("%.*s/%s", (int)length, path, name);

		found = length > 0 && access(file, X_OK) == 0;
		free(file);
		path += length + (path[length] == ':');
	}
	return found;
}

/* What a kind has besides where this machine has more to offer. */
static int
copy_addition(const struct copying *copying, const char *folder)
{
	if (strcmp(copying->kind, "scripts") == 0 && is_in_path("python3"))
		return copy_one(copying, "scripts-python3", folder);
	return 0;
}

int
template_write(const struct template_kind *kind, const char *folder, struct error *error)
{
	char *home = home_path(error), *templates;
	struct copying copying = {.kind = kind->name, .error = error};
	int result;

	if (home == NULL)
		return -1;
	templates = memory_format("%s/src/init/templates", home);
	copying.templates = templates;
	result = make_empty(folder, error);
	if (result == 0)
		result = copy_one(&copying, "common", folder);
	if (result == 0)
		result = copy_one(&copying, kind->name, folder);
	if (result == 0)
		result = copy_addition(&copying, folder);
	free(templates);
	free(home);
	return result;
}

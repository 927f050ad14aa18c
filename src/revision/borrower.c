#include "revision/borrower.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "revision/git.h"

static int
write_in(const char *folder, const char *name, const char *text, struct error *error)
{
	char *path = memory_format("%s/.git/%s", folder, name);
	int result = file_write(path, text, strlen(text), 0, error);

	free(path);
	return result;
}

static int
copy_in(const char *folder, const char *name, const char *from, struct error *error)
{
	char *path = memory_format("%s/.git/%s", folder, name);
	int result = file_exists(from) ? file_copy(from, path, error) : 0;

	free(path);
	return result;
}

/* Tags alone: what `git describe` looks for. */
static int
copy_tags(const struct repository *from, const char *folder, struct error *error)
{
	static const char *const words[] = {"for-each-ref", "--format=%(objectname) %(refname)",
					    "refs/tags", NULL};
	struct buffer tags = BUFFER_EMPTY;
	int result = git_ask(from->folder, words, &tags, error);

	if (result == 0)
		result = write_in(folder, "packed-refs", buffer_text(&tags), error);
	buffer_free(&tags);
	return result;
}

int
borrower_make(const struct repository *from, const char *folder, const char *commit,
	      struct error *error)
{
	char *format = memory_format("--object-format=%s", from->format);
	const char *const words[] = {"init", "--quiet", "--template=", format, NULL};
	char *line = memory_format("%s\n", from->objects), *head = NULL;
	struct buffer none = BUFFER_EMPTY;
	int result = file_make_folder(folder, error);

	if (result == 0)
		result = git_ask(folder, words, &none, error);
	if (result == 0)
		result = write_in(folder, "objects/info/alternates", line, error);
	if (result == 0)
		result = copy_in(folder, "info/attributes", from->attributes, error);
	if (result == 0)
		result = copy_in(folder, "shallow", from->shallow, error);
	if (result == 0)
		result = copy_tags(from, folder, error);
	if (result == 0 && commit != NULL) {
		head = memory_format("%s\n", commit);
		result = write_in(folder, "HEAD", head, error);
	}
	buffer_free(&none);
	free(head);
	free(line);
	free(format);
	return result;
}

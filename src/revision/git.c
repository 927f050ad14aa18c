#include "revision/git.h"

#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/memory.h"

#define LIST_LIMIT ((size_t)256 << 20)
#define MOST_WORDS 64

const char *const git_settings[] = {
	"git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false",
	"-c", "core.hooksPath=/dev/null", "-c", "core.sparseCheckout=false",
	"-c", "submodule.recurse=false", NULL,
};

/* "fatal: not a git repository (or any of the parent directories): .git" and so on. */
static int
complain(const char *folder, const struct child *child, struct error *error)
{
	const char *complaint = buffer_text(&child->complaint);

	if (child->missing)
		return error_set(error, EXIT_BAD_INPUT, "git is not installed; revisions need it");
	if (strstr(complaint, "not a git repository") != NULL)
		return error_set(error, EXIT_BAD_INPUT, "%s is in no git repository; go to a folder of the "
				 "work tree whose revisions are meant", folder);
	if (strstr(complaint, "must be run in a work tree") != NULL)
		return error_set(error, EXIT_BAD_INPUT, "%s is in a git repository but not in a work tree; go "
				 "to a folder of one", folder);
	if (strstr(complaint, "dubious ownership") != NULL)
		return error_set(error, EXIT_BAD_INPUT, "the git repository of %s belongs to another user, so "
				 "git refuses; see safe.directory in 'git help config'", folder);
	if (strncmp(complaint, "fatal: ", 7) == 0)
		complaint += 7;
	if (complaint[0] == '\0')
		complaint = child->problem;
	return error_set(error, EXIT_FAILED, "git: %.*s", (int)strcspn(complaint, "\n"), complaint);
}

int
git_ask(const char *folder, const char *const *words, struct buffer *out, struct error *error)
{
	const char *argv[MOST_WORDS];
	struct child child;
	size_t count = 0, i;
	int result = 0;

	for (i = 0; git_settings[i] != NULL; i++)
		argv[count++] = git_settings[i];
	argv[count++] = "-C";
	argv[count++] = folder;
	for (i = 0; words[i] != NULL && count < MOST_WORDS - 1; i++)
		argv[count++] = words[i];
	argv[count] = NULL;
	child_run(argv, LIST_LIMIT, &child);
	if (child.problem != NULL)
		result = complain(folder, &child, error);
	else
		buffer_append(out, buffer_text(&child.out), child.out.length);
	child_free(&child);
	return result;
}

char *
git_ask_line(const char *folder, const char *const *words, struct error *error)
{
	struct buffer out = BUFFER_EMPTY;

	if (git_ask(folder, words, &out, error) != 0) {
		buffer_free(&out);
		return NULL;
	}
	if (out.length > 0 && out.bytes[out.length - 1] == '\n')
		out.bytes[--out.length] = '\0';
	return buffer_detach(&out);
}

const char *
git_next(const struct buffer *list, size_t *at)
{
	const char *text = list->bytes + *at;

	if (*at >= list->length)
		return NULL;
	*at += strlen(text) + 1;
	return text;
}

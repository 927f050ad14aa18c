#include "revision/repository.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "revision/git.h"
#include "spec/suggest.h"

/* Cuts the text's first line off; NULL when there is none. */
static char *
take_line(char **text)
{
	char *line = *text != NULL ? strsep(text, "\n") : NULL;

	return line != NULL ? memory_copy_text(line) : NULL;
}

static int
read_answers(struct repository *repository, char *text, struct error *error)
{
	size_t length;

	repository->top = take_line(&text);
	repository->prefix = take_line(&text);
	repository->objects = take_line(&text);
	repository->attributes = take_line(&text);
	repository->shallow = take_line(&text);
	repository->format = take_line(&text);
	if (repository->format == NULL || text == NULL || text[0] != '\0' || repository->top[0] != '/')
		return error_set(error, EXIT_BAD_INPUT, "git does not tell where the repository of %s lies; a "
				 "line break in a folder's name?", repository->folder);
	length = strlen(repository->prefix);
	if (length > 0)
		repository->prefix[length - 1] = '\0'; /* its last sign is a slash */
	return 0;
}

int
repository_open(const char *folder, struct repository *repository, struct error *error)
{
	static const char *const words[] = {
		"rev-parse", "--path-format=absolute", "--show-toplevel", "--show-prefix", "--git-path",
		"objects", "--git-path", "info/attributes", "--git-path", "shallow",
		"--show-object-format", NULL};
	struct buffer out = BUFFER_EMPTY;
	int result;

	memset(repository, 0, sizeof *repository);
	repository->folder = realpath(folder, NULL);
	if (repository->folder == NULL)
		return error_set_errno(error, "cannot go to %s", folder);
	result = git_ask(repository->folder, words, &out, error);
	if (result == 0)
		result = read_answers(repository, out.bytes, error);
	buffer_free(&out);
	return result;
}

void
repository_close(struct repository *repository)
{
	free(repository->folder);
	free(repository->top);
	free(repository->prefix);
	free(repository->objects);
	free(repository->attributes);
	free(repository->shallow);
	free(repository->format);
	memset(repository, 0, sizeof *repository);
}

/* ---- commits ---- */

/* What has a name, in lines; cut up in place. */
static void
suggest(const struct repository *repository, const char *text, struct buffer *out)
{
	static const char *const words[] = {"for-each-ref", "--format=%(refname:short)", "refs/heads",
					    "refs/tags", "refs/remotes", NULL};
	struct buffer list = BUFFER_EMPTY;
	const char **names = NULL, *near;
	char *rest, *name;
	size_t count = 0;

	if (git_ask(repository->folder, words, &list, NULL) == 0) {
		rest = list.bytes;
		while (rest != NULL && (name = strsep(&rest, "\n")) != NULL) {
			names = memory_resize(names, count + 1, sizeof *names);
			names[count++] = name;
		}
		near = suggest_nearest(text, names, count);
		if (near != NULL)
			buffer_printf(out, "; did you mean %s?", near);
	}
	free(names);
	buffer_free(&list);
}

static char *
fail_unknown(const struct repository *repository, const char *text, struct error *error)
{
	struct buffer hint = BUFFER_EMPTY;

	suggest(repository, text, &hint);
	if (file_exists(repository->shallow))
		buffer_puts(&hint, "; this is a shallow clone, 'git fetch --unshallow' brings the rest");
	error_set(error, EXIT_BAD_INPUT, "there is no revision '%.200s' in %s%s", text, repository->top,
		  buffer_text(&hint));
	buffer_free(&hint);
	return NULL;
}

static char *
peel(const struct repository *repository, const char *object)
{
	char *exact = memory_format("%s^{commit}", object);
	const char *const words[] = {"rev-parse", "--verify", "--quiet", exact, NULL};
	char *commit = git_ask_line(repository->folder, words, NULL);

	free(exact);
	return commit;
}

/* In two steps: what a text such as ":/fix" names goes on to its end. */
char *
repository_commit(const struct repository *repository, const char *text, struct error *error)
{
	const char *words[] = {"rev-parse", "--verify", "--quiet", text, NULL};
	char *object = NULL, *commit;

	if (text[0] != '\0' && text[0] != '-')
		object = git_ask_line(repository->folder, words, NULL);
	if (object == NULL)
		return fail_unknown(repository, text, error);
	commit = peel(repository, object);
	free(object);
	if (commit == NULL)
		error_set(error, EXIT_BAD_INPUT, "'%.200s' is no commit of %s; name a branch, a tag or a commit",
			  text, repository->top);
	return commit;
}

char *
repository_head(const struct repository *repository)
{
	return repository_commit(repository, "HEAD", NULL);
}

bool
repository_has(const struct repository *repository, const char *commit)
{
	char *tree = memory_format("%s^{tree}", commit);
	const char *const words[] = {"cat-file", "-e", tree, NULL};
	struct buffer none = BUFFER_EMPTY;
	bool has = git_ask(repository->folder, words, &none, NULL) == 0;

	buffer_free(&none);
	free(tree);
	return has;
}

/* ---- the work tree ---- */

/* ":(top,exclude,literal)bench/build" for a folder of the study; NULL when it lies elsewhere. */
static char *
leave_out(const struct repository *repository, const char *name)
{
	char *here = realpath(".", NULL), *spec = NULL;
	size_t length = strlen(repository->top);

	if (here != NULL && strncmp(here, repository->top, length) == 0 &&
	    (here[length] == '/' || here[length] == '\0'))
		spec = memory_format(":(top,exclude,literal)%s%s%s", here + length + (here[length] == '/'),
				     here[length] == '/' ? "/" : "", name);
	free(here);
	return spec;
}

/* `words` has room for three more and their end. */
static int
ask_of_tree(const struct repository *repository, const char **words, struct buffer *out,
	    struct error *error)
{
	char *build = leave_out(repository, "build"), *results = leave_out(repository, "results");
	size_t count = 0;
	int result;

	while (words[count] != NULL)
		count++;
	words[count++] = ":/";
	if (build != NULL) {
		words[count++] = build;
		words[count++] = results;
	}
	words[count] = NULL;
	result = git_ask(repository->top, words, out, error);
	free(build);
	free(results);
	return result;
}

int
repository_files(const struct repository *repository, struct buffer *out, struct error *error)
{
	const char *words[16] = {"ls-files", "-z", "--cached", "--others", "--exclude-standard",
				 "--deduplicate", "--"};

	return ask_of_tree(repository, words, out, error);
}

int
repository_changes(const struct repository *repository, struct buffer *out, struct error *error)
{
	const char *words[16] = {"status", "-z", "--porcelain=v1", "--no-renames",
				 "--untracked-files=all", "--ignore-submodules=none", "--"};

	return ask_of_tree(repository, words, out, error);
}

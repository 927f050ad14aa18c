#include "provenance/git.h"

#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/file.h"
#include "base/memory.h"

#define STATUS_LIMIT ((size_t)16 << 20)
#define LIST_LIMIT ((size_t)256 << 20)

/* An argument list that owns its words. */
struct arguments {
	char **items;
	size_t count;
};

static void
add(struct arguments *arguments, const char *word)
{
	arguments->items = memory_resize(arguments->items, arguments->count + 2,
					 sizeof *arguments->items);
	arguments->items[arguments->count++] = memory_copy_text(word);
	arguments->items[arguments->count] = NULL;
}

static void
add_all(struct arguments *arguments, const char *const *words)
{
	for (; *words != NULL; words++)
		add(arguments, *words);
}

/* fsmonitor would start a daemon or a hook beside the measurement. */
static const char *const git[] = {"git", "--no-pager", "-c", "core.fsmonitor=false", "-c",
				  "core.untrackedCache=false", NULL};

static void
begin(struct arguments *arguments, const char *const *words)
{
	*arguments = (struct arguments){NULL, 0};
	add_all(arguments, git);
	add_all(arguments, words);
}

static void
end(struct arguments *arguments)
{
	size_t i;

	for (i = 0; i < arguments->count; i++)
		free(arguments->items[i]);
	free(arguments->items);
}

/* What git complains of names folders of this machine; only known complaints are told. */
static char *
explain(const struct child *child)
{
	const char *complaint = buffer_text(&child->complaint);

	if (strstr(complaint, "not a git repository") != NULL)
		return memory_copy_text("not in a git repository");
	if (strstr(complaint, "dubious ownership") != NULL)
		return memory_copy_text("the git repository belongs to another user, so git refuses; "
					"see safe.directory in 'git help config'");
	if (strstr(complaint, "must be run in a work tree") != NULL)
		return memory_copy_text("not in a git work tree");
	return memory_copy_text(child->problem);
}

/* Appends the output; NULL or the reason. */
static char *
ask(struct arguments *arguments, size_t limit, struct buffer *out)
{
	struct child child;
	char *problem = NULL;

	child_run((const char *const *)arguments->items, limit, &child);
	if (child.problem != NULL)
		problem = explain(&child);
	else
		buffer_append(out, buffer_text(&child.out), child.out.length);
	child_free(&child);
	end(arguments);
	return problem;
}

/* ---- status ---- */

static void
read_place(struct git_status *status)
{
	static const char *const words[] = {"rev-parse", "--show-cdup", "--show-prefix", NULL};
	struct buffer out = BUFFER_EMPTY;
	struct arguments arguments;
	const char *line;
	char *modules;
	size_t up;

	begin(&arguments, words);
	status->problem = ask(&arguments, STATUS_LIMIT, &out);
	line = buffer_text(&out);
	up = strcspn(line, "\n");
	modules = memory_format("%.*s.gitmodules", (int)up, line);
	status->has_submodules = file_exists(modules);
	free(modules);
	line += up + (line[up] == '\n');
	/* The prefix may hold newlines itself; its last one is git's. */
	status->prefix = memory_copy_span(line, strlen(line) > 0 ? strlen(line) - 1 : 0);
	buffer_free(&out);
}

/* The path of a porcelain v2 line: after 8 fields, or 10 of an unmerged one. */
static const char *
path_of(const char *line)
{
	int fields = line[0] == 'u' ? 10 : 8;

	while (fields > 0 && line != NULL) {
		line = strchr(line, ' ');
		line = line != NULL ? line + 1 : NULL;
		fields--;
	}
	return line != NULL ? line : "";
}

static bool
is_below(const char *path, const char *folder)
{
	return strncmp(path, folder, strlen(folder)) == 0;
}

const char *
git_status_path(const struct git_status *status, const char *line)
{
	const char *path = path_of(line);

	return is_below(path, status->prefix) ? path + strlen(status->prefix) : NULL;
}

static void
take_change(struct git_status *status, const char *line)
{
	const char *path = git_status_path(status, line);

	if (path != NULL) {
		if (is_below(path, "results/") || is_below(path, "build/"))
			return;
		status->changed_inside = true;
	}
	status->lines = memory_resize(status->lines, status->line_count + 1, sizeof *status->lines);
	status->lines[status->line_count++] = memory_copy_text(line);
}

static void
take_line(struct git_status *status, const char *line)
{
	static const char oid[] = "# branch.oid ", head[] = "# branch.head ";

	if (is_below(line, oid)) {
		if (strcmp(line + strlen(oid), "(initial)") != 0)
			status->commit = memory_copy_text(line + strlen(oid));
	} else if (is_below(line, head)) {
		if (strcmp(line + strlen(head), "(detached)") != 0)
			status->branch = memory_copy_text(line + strlen(head));
	} else if (line[0] == '1' || line[0] == 'u') {
		take_change(status, line);
	}
}

void
git_status_read(struct git_status *status)
{
	static const char *const words[] = {"status", "--porcelain=v2", "--branch", "-z",
					    "--no-renames", "--untracked-files=no",
					    "--ignore-submodules=none", NULL};
	struct buffer out = BUFFER_EMPTY;
	struct arguments arguments;
	size_t at;

	memset(status, 0, sizeof *status);
	read_place(status);
	if (status->problem == NULL) {
		begin(&arguments, words);
		status->problem = ask(&arguments, STATUS_LIMIT, &out);
	}
	for (at = 0; at < out.length; at += strlen(out.bytes + at) + 1)
		take_line(status, out.bytes + at);
	buffer_free(&out);
}

void
git_status_free(struct git_status *status)
{
	size_t i;

	for (i = 0; i < status->line_count; i++)
		free(status->lines[i]);
	free(status->lines);
	free(status->problem);
	free(status->commit);
	free(status->branch);
	free(status->prefix);
	memset(status, 0, sizeof *status);
}

/* ---- diff and lists ---- */

/* The study's folder without what we write and what is private. */
static void
add_pathspec(struct arguments *arguments, const json_t *study)
{
	static const char *const words[] = {"--", ".", ":(exclude,literal)results",
					    ":(exclude,literal)build", NULL};
	const json_t *list = json_object_get(study, "private");
	size_t i;

	add_all(arguments, words);
	for (i = 0; i < json_array_size(list); i++) {
		const char *private = json_string_value(json_array_get(list, i));
		char *word = memory_format(":(exclude,literal)%s", private != NULL ? private : "");

		if (private != NULL && private[0] != '\0')
			add(arguments, word);
		free(word);
	}
}

/* The name of the empty tree depends on the repository's kind of hash. */
static char *
empty_tree(char **name)
{
	static const char *const words[] = {"hash-object", "-t", "tree", "/dev/null", NULL};
	struct buffer out = BUFFER_EMPTY;
	struct arguments arguments;
	char *problem;

	begin(&arguments, words);
	problem = ask(&arguments, 256, &out);
	*name = buffer_detach(&out);
	(*name)[strcspn(*name, "\n")] = '\0';
	return problem;
}

char *
git_diff(const struct git_status *status, const json_t *study, size_t limit, struct buffer *out)
{
	static const char *const words[] = {
		"diff", "--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv",
		"--no-renames", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short",
		"--ignore-submodules=none", NULL};
	struct arguments arguments;
	char *base = NULL, *problem = NULL;

	if (status->commit == NULL)
		problem = empty_tree(&base);
	if (problem == NULL) {
		begin(&arguments, words);
		add(&arguments, base != NULL ? base : "HEAD");
		add_pathspec(&arguments, study);
		problem = ask(&arguments, limit, out);
	}
	free(base);
	return problem;
}

char *
git_untracked(const struct git_status *status, const json_t *study, struct buffer *out)
{
	static const char *const words[] = {"ls-files", "-z", "--others", "--exclude-standard",
					    NULL};
	struct arguments arguments;

	begin(&arguments, words);
	if (status->prefix[0] == '\0') { /* patterns count from the repository's root */
		add(&arguments, "--exclude=/results/");
		add(&arguments, "--exclude=/build/");
	}
	add_pathspec(&arguments, study);
	return ask(&arguments, LIST_LIMIT, out);
}

char *
git_tracked(struct buffer *out)
{
	static const char *const words[] = {"ls-files", "-z", "--cached", "--recurse-submodules",
					    NULL};
	struct arguments arguments;

	begin(&arguments, words);
	add_pathspec(&arguments, NULL);
	return ask(&arguments, LIST_LIMIT, out);
}

char *
git_submodules(struct buffer *out)
{
	static const char *const words[] = {"ls-files", "-z", "--stage", "--", ":/", NULL};
	struct buffer all = BUFFER_EMPTY;
	struct arguments arguments;
	char *problem;
	size_t at;

	begin(&arguments, words);
	problem = ask(&arguments, LIST_LIMIT, &all);
	for (at = 0; problem == NULL && at < all.length; at += strlen(all.bytes + at) + 1)
		if (is_below(all.bytes + at, "160000 "))
			buffer_append(out, all.bytes + at, strlen(all.bytes + at) + 1);
	buffer_free(&all);
	return problem;
}

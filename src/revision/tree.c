#include "revision/tree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"
#include "revision/borrower.h"
#include "revision/git.h"

#define MOST_CHANGES 1000
#define MOST_WORDS 64
#define DEEPEST 16 /* submodules of submodules */

struct making {
	const struct repository *repository;
	const char *commit;  /* NULL: the work tree */
	const char *folder;
	const struct step *step;
	struct tree *tree;
	struct error *error;
	int depth;
};

/* ---- a commit's files ---- */

/* Settings of the repository alone that decide what a file holds: line ends, filters. */
static int
ask_settings(const struct making *making, struct buffer *list)
{
	static const char *const words[] = {"config", "--local", "-z", "--get-regexp",
					    "^(core\\.(autocrlf|eol|symlinks|filemode)|filter\\.|lfs\\.)", NULL};
	struct error none = {0};

	/* It ends with 1 when there is no such setting. */
	git_ask(making->repository->folder, words, list, &none);
	return 0;
}

/* "core.eol\ncrlf" becomes "core.eol=crlf"; a name alone stands for true. */
static void
add_settings(struct buffer *list, const char **argv, size_t *count)
{
	const char *one;
	size_t at = 0;

	while ((one = git_next(list, &at)) != NULL && *count < MOST_WORDS - 12) {
		char *end = strchr(one, '\n');

		if (end != NULL)
			*end = '=';
		argv[(*count)++] = "-c";
		argv[(*count)++] = one;
	}
}

/* A partial clone fetches files when it needs them, but the folder's repository has no remote. */
static void
explain_missing(const struct making *making)
{
	static const char *const words[] = {"config", "--get-regexp",
					    "^remote\\..*\\.promisor$", NULL};
	struct buffer remote = BUFFER_EMPTY;
	struct error none = {0};

	if (making->error->code == EXIT_INTERRUPTED)
		return;
	if (git_ask(making->repository->folder, words, &remote, &none) == 0)
		error_prefix(making->error, "this is a partial clone; 'git archive %.12s >/dev/null' fetches the "
			     "files that it lacks", making->tree->commit);
	error_prefix(making->error, "taking the files of commit %.12s out of git", making->tree->commit);
	buffer_free(&remote);
}

/* `read-tree` with or without the files; with them it is what a checkout does, but for hooks. */
static int
read_tree(const struct making *making, bool with_files)
{
	const char *argv[MOST_WORDS];
	struct buffer settings = BUFFER_EMPTY;
	struct step step = *making->step;
	size_t count = 0, i;
	int result = ask_settings(making, &settings);

	for (i = 0; git_settings[i] != NULL; i++)
		argv[count++] = git_settings[i];
	add_settings(&settings, argv, &count);
	argv[count++] = "read-tree";
	argv[count++] = "--reset";
	if (with_files)
		argv[count++] = "-u";
	argv[count++] = making->tree->commit;
	argv[count] = NULL;
	step.folder = making->folder;
	if (result == 0 && step_program(&step, argv, making->error) != 0) {
		result = -1;
		explain_missing(making);
	}
	buffer_free(&settings);
	return result;
}

static int
take_commit(const struct making *making)
{
	char *name = memory_format("%s^{tree}", making->commit);
	const char *const words[] = {"rev-parse", "--verify", name, NULL};
	int result = read_tree(making, true);

	if (result == 0)
		making->tree->id = git_ask_line(making->repository->folder, words, making->error);
	free(name);
	return making->tree->id != NULL ? 0 : -1;
}

/* ---- the work tree's files ---- */

static int
copy_link(const char *from, const char *to, struct error *error)
{
	char target[PATH_MAX];
	ssize_t length = readlink(from, target, sizeof target - 1);

	if (length < 0)
		return error_set_errno(error, "cannot read the link %s", from);
	target[length] = '\0';
	if (file_make_parent(to, error) != 0)
		return -1;
	if (symlink(target, to) != 0)
		return error_set_errno(error, "cannot make the link %s", to);
	return 0;
}

/* Copies one file; its name, kind and content go into the digest. */
static int
copy_file(const struct making *making, const char *name, struct digest *content)
{
	char *from = memory_format("%s/%s", making->repository->top, name);
	char *to = memory_format("%s/%s", making->folder, name);
	char hex[DIGEST_SHA256_HEX] = "link", kind;
	struct stat status;
	int result = 0;

	if (lstat(from, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)))
		goto out; /* deleted; a submodule; what no commit could hold */
	kind = S_ISLNK(status.st_mode) ? 'l' : (status.st_mode & 0100) != 0 ? 'x' : 'f';
	result = kind == 'l' ? copy_link(from, to, making->error)
			     : file_copy(from, to, making->error);
	if (result == 0 && kind != 'l')
		result = digest_file(DIGEST_SHA256, to, hex, making->error);
	digest_update(content, name, strlen(name) + 1);
	digest_update(content, &kind, 1);
	digest_update(content, hex, strlen(hex));
out:
	free(from);
	free(to);
	return result;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char **
sort_list(const struct buffer *list, size_t *count)
{
	const char **names = NULL, *name;
	size_t at = 0, room = 0;

	*count = 0;
	while ((name = git_next(list, &at)) != NULL) {
		names = memory_grow(names, *count, &room, sizeof *names);
		names[(*count)++] = name;
	}
	if (*count > 0)
		qsort(names, *count, sizeof *names, by_name);
	return names;
}

static bool
is_interrupted(const struct making *making)
{
	return making->step->interrupted != NULL && *making->step->interrupted;
}

static int
copy_files(const struct making *making)
{
	struct digest *content = digest_begin(DIGEST_SHA256);
	char hex[DIGEST_SHA256_HEX];
	struct buffer list = BUFFER_EMPTY;
	int result = repository_files(making->repository, &list, making->error);
	const char **names;
	size_t count, i;

	names = sort_list(&list, &count);
	for (i = 0; result == 0 && i < count; i++) {
		result = copy_file(making, names[i], content);
		if (result == 0 && is_interrupted(making))
			result = error_set(making->error, EXIT_INTERRUPTED, "interrupted");
	}
	digest_end(content, hex);
	making->tree->id = memory_format("sha256:%s", hex);
	free(names);
	buffer_free(&list);
	return result;
}

static json_t *
text_or_percent(const char *text)
{
	json_t *value = json_string(text);

	return value != NULL ? value : json_string("a name that is no UTF-8");
}

static int
note_changes(const struct making *making)
{
	struct buffer list = BUFFER_EMPTY;
	int result = repository_changes(making->repository, &list, making->error);
	const char *one;
	size_t at = 0;

	while ((one = git_next(&list, &at)) != NULL) {
		making->tree->dirty = true;
		if (json_array_size(making->tree->changes) < MOST_CHANGES)
			json_array_append_new(making->tree->changes, text_or_percent(one));
	}
	buffer_free(&list);
	return result;
}

static int
take_work_tree(const struct making *making)
{
	if (note_changes(making) != 0 ||
	    (making->tree->commit != NULL && read_tree(making, false) != 0))
		return -1;
	return copy_files(making);
}

/* ---- submodules ---- */

static int make_at(const struct making *making);

/* The submodule's repository where it is there: a folder of its own work tree. */
static bool
open_submodule(const struct repository *around, const char *path, struct repository *inside)
{
	char *folder = memory_format("%s/%s", around->top, path);
	struct error none = {0};
	bool is = repository_open(folder, inside, &none) == 0 && strcmp(inside->top, around->top) != 0 &&
		  inside->prefix[0] == '\0';

	free(folder);
	return is;
}

static int
make_submodule(const struct making *making, const struct repository *inside, const char *path,
	       const char *commit, json_t *told)
{
	char *folder = memory_format("%s/%s", making->folder, path);
	struct tree tree;
	struct making one = {inside, making->commit != NULL ? commit : NULL, folder, making->step, &tree,
			     making->error, making->depth + 1};
	int result;

	if (one.commit != NULL && !repository_has(inside, commit)) {
		memset(&tree, 0, sizeof tree);
		result = error_set(making->error, EXIT_BAD_INPUT, "the submodule %s is at commit %.12s there, "
				   "which is not here; 'git -C %s fetch' may bring it", path, commit, path);
	} else {
		result = make_at(&one);
	}
	if (result == 0) {
		json_object_set_new(told, "id", json_string(tree.id));
		json_object_set(told, "submodules", tree.submodules);
		making->tree->dirty |= tree.dirty;
	}
	tree_free(&tree);
	free(folder);
	return result;
}

/* "160000 <commit> 0\t<path>" of the index. */
static int
take_submodule(const struct making *making, const char *line)
{
	const char *path = strchr(line, '\t') + 1;
	char *commit = memory_copy_span(line + 7, strcspn(line + 7, " "));
	json_t *told = json_pack("{s:o, s:s, s:n}", "path", text_or_percent(path), "commit", commit, "id");
	struct repository inside;
	int result = 0;

	if (open_submodule(making->repository, path, &inside))
		result = making->depth < DEEPEST
				 ? make_submodule(making, &inside, path, commit, told)
				 : error_set(making->error, EXIT_BAD_INPUT, "submodules of submodules deeper than %d",
					     DEEPEST);
	json_array_append_new(making->tree->submodules, told);
	repository_close(&inside);
	free(commit);
	return result;
}

static int
take_submodules(const struct making *making)
{
	static const char *const words[] = {"ls-files", "-z", "--stage", NULL};
	const char *folder = making->commit != NULL ? making->folder : making->repository->top;
	struct buffer list = BUFFER_EMPTY;
	int result = git_ask(folder, words, &list, making->error);
	const char *line;
	size_t at = 0;

	while (result == 0 && (line = git_next(&list, &at)) != NULL)
		if (strncmp(line, "160000 ", 7) == 0 && strchr(line, '\t') != NULL)
			result = take_submodule(making, line);
	buffer_free(&list);
	return result;
}

/* ---- the whole ---- */

static int
make_at(const struct making *making)
{
	struct tree *tree = making->tree;
	int result;

	memset(tree, 0, sizeof *tree);
	tree->changes = json_array();
	tree->submodules = json_array();
	tree->commit = making->commit != NULL ? memory_copy_text(making->commit)
					      : repository_head(making->repository);
	result = borrower_make(making->repository, making->folder, tree->commit, making->error);
	if (result == 0)
		result = making->commit != NULL ? take_commit(making) : take_work_tree(making);
	return result == 0 ? take_submodules(making) : -1;
}

int
tree_make(const struct repository *repository, const char *commit, const char *folder,
	  const struct step *step, struct tree *tree, struct error *error)
{
	struct making making = {repository, commit, folder, step, tree, error, 0};

	return make_at(&making);
}

void
tree_free(struct tree *tree)
{
	free(tree->commit);
	free(tree->id);
	json_decref(tree->changes);
	json_decref(tree->submodules);
	memset(tree, 0, sizeof *tree);
}

/* ---- looking ---- */

static void
look_at_file(const struct repository *repository, const char *name, struct digest *all)
{
	char *path = memory_format("%s/%s", repository->top, name);
	struct file_signature signature = {0};
	struct stat status;

	if (lstat(path, &status) == 0 && !S_ISDIR(status.st_mode)) { /* submodules tell themselves */
		signature.device = status.st_dev;
		signature.inode = status.st_ino;
		signature.size = (uint64_t)status.st_size;
		signature.mtime_ns = status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
		signature.ctime_ns = status.st_ctim.tv_sec * 1000000000 + status.st_ctim.tv_nsec;
	}
	digest_update(all, name, strlen(name) + 1);
	digest_update(all, &signature, sizeof signature);
	free(path);
}

static int look_at(const struct repository *repository, int depth, struct buffer *out,
		   struct error *error);

static int
look_at_submodule(const struct repository *repository, const char *path, int depth,
		  struct buffer *out, struct error *error)
{
	struct repository inside = {0};
	int result = 0;

	if (depth < DEEPEST && open_submodule(repository, path, &inside))
		result = look_at(&inside, depth + 1, out, error);
	repository_close(&inside);
	return result;
}

static int
look_at_submodules(const struct repository *repository, int depth, struct buffer *out,
		   struct error *error)
{
	static const char *const words[] = {"ls-files", "-z", "--stage", NULL};
	struct buffer list = BUFFER_EMPTY;
	int result = git_ask(repository->top, words, &list, error);
	const char *line;
	size_t at = 0;

	while (result == 0 && (line = git_next(&list, &at)) != NULL)
		if (strncmp(line, "160000 ", 7) == 0 && strchr(line, '\t') != NULL)
			result = look_at_submodule(repository, strchr(line, '\t') + 1, depth, out, error);
	buffer_free(&list);
	return result;
}

static int
look_at(const struct repository *repository, int depth, struct buffer *out, struct error *error)
{
	struct digest *all = digest_begin(DIGEST_SHA256);
	char hex[DIGEST_SHA256_HEX], *commit = repository_head(repository);
	struct buffer list = BUFFER_EMPTY;
	int result = repository_files(repository, &list, error);
	const char *name;
	size_t at = 0;

	while ((name = git_next(&list, &at)) != NULL)
		look_at_file(repository, name, all);
	digest_end(all, hex);
	buffer_printf(out, "%s files %s\n", commit != NULL ? commit : "no commit", hex);
	free(commit);
	buffer_free(&list);
	return result == 0 ? look_at_submodules(repository, depth, out, error) : -1;
}

int
tree_look(const struct repository *repository, struct buffer *out, struct error *error)
{
	return look_at(repository, 0, out, error);
}

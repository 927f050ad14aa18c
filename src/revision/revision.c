#include "revision/revision.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "revision/tree.h"
#include "session/lock.h"
#include "session/warden.h"
#include "spec/git_source.h"

struct making {
	const struct revision_wish *wish;
	struct repository repository;
	struct tree tree;
	struct step step;
	char *files;  /* <folder>/tree */
	char *place;  /* of it, where the build runs */
	struct error *error;
};

bool
revision_is_work_tree(const char *revision)
{
	return strcmp(revision, GIT_SOURCE_WORKTREE) == 0;
}

static const char *
name_of(const struct revision_wish *wish)
{
	return wish->name != NULL ? wish->name : wish->revision;
}

static char *
path_in(const struct revision_wish *wish, const char *name)
{
	return memory_format("%s/%s", wish->folder, name);
}

static int
write_in(const struct revision_wish *wish, const char *name, const struct buffer *text,
	 struct error *error)
{
	char *path = path_in(wish, name);
	int result = file_write(path, buffer_text(text), text->length, FILE_IF_CHANGED, error);

	free(path);
	return result;
}

/* The commit; NULL for the work tree, and with *error set where there is no such revision. */
static char *
find_commit(const struct revision_wish *wish, const struct repository *repository,
	    struct error *error)
{
	if (revision_is_work_tree(wish->revision))
		return NULL;
	return repository_commit(repository, wish->revision, error);
}

/* ---- looking ---- */

static int
put_look(const struct revision_wish *wish, const struct repository *repository,
	 struct buffer *text, struct error *error)
{
	char *commit;

	if (revision_is_work_tree(wish->revision))
		return tree_look(repository, text, error);
	commit = find_commit(wish, repository, error);
	if (commit == NULL)
		return -1;
	buffer_printf(text, "%s\n", commit);
	free(commit);
	return 0;
}

int
revision_look(const struct revision_wish *wish, struct error *error)
{
	struct repository repository;
	struct buffer text = BUFFER_EMPTY;
	int result = repository_open(wish->repository, &repository, error);

	if (result == 0)
		result = put_look(wish, &repository, &text, error);
	if (result == 0)
		result = write_in(wish, "revision", &text, error);
	buffer_free(&text);
	repository_close(&repository);
	return result;
}

/* ---- building ---- */

static int
count_jobs(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0)
		return CPU_COUNT(&set);
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* {jobs} filled in, all other braces as they are: a shell has its own. The caller frees. */
static char *
fill_jobs(const char *command)
{
	static const char placeholder[] = "{jobs}";
	struct buffer out = BUFFER_EMPTY;

	while (*command != '\0')
		if (strncmp(command, placeholder, strlen(placeholder)) == 0) {
			buffer_printf(&out, "%d", count_jobs());
			command += strlen(placeholder);
		} else {
			buffer_putc(&out, *command++);
		}
	return buffer_detach(&out);
}

/* "main (commit 0123456789ab)", as errors say it. */
static void
prefix_revision(const struct making *making)
{
	const char *commit = making->tree.commit;

	if (making->error->code == EXIT_INTERRUPTED)
		return;
	if (commit == NULL || strncmp(commit, name_of(making->wish), strlen(commit)) == 0)
		error_prefix(making->error, "%.100s", name_of(making->wish));
	else
		error_prefix(making->error, "%.100s (commit %.12s%s)", name_of(making->wish), commit,
			     making->tree.dirty ? " with changes" : "");
}

static int
build(struct making *making)
{
	const struct texts *commands = &making->wish->build;
	size_t i;

	making->step.folder = making->place;
	for (i = 0; i < commands->count; i++) {
		char *command = fill_jobs(commands->items[i]);
		int result = step_shell(&making->step, command, making->error);

		if (result != 0 && making->error->code != EXIT_INTERRUPTED)
			error_prefix(making->error, "the build failed: '%.200s'", command);
		free(command);
		if (result != 0)
			return -1;
	}
	return 0;
}

static int
check_place(const struct making *making)
{
	struct stat status;

	if (stat(making->place, &status) == 0 && S_ISDIR(status.st_mode))
		return 0;
	return error_set(making->error, EXIT_BAD_INPUT, "it has no folder %s, where the build is to run",
			 making->repository.prefix);
}

static int
check_made(const struct making *making, const char *name, bool runs)
{
	bool builds = making->wish->build.count > 0;
	char *path = memory_format("%s/%s", making->place, name);
	struct stat status;
	int result = 0;

	if (stat(path, &status) != 0)
		result = error_set(making->error, EXIT_BAD_INPUT, builds ? "the build made no %s"
				   : "there is no %s, and no build was asked for (--build, or build = "
			     "{ … } in a spec) that would make it", name);
	else if (runs && (!S_ISREG(status.st_mode) || access(path, X_OK) != 0))
		result = error_set(making->error, EXIT_BAD_INPUT, "%s is no program that may be run", name);
	free(path);
	return result;
}

static int
check_all_made(const struct making *making)
{
	const struct revision_wish *wish = making->wish;
	size_t i;

	if (wish->program != NULL && check_made(making, wish->program, true) != 0)
		return -1;
	for (i = 0; i < wish->scripts.count; i++)
		if (check_made(making, wish->scripts.items[i], false) != 0)
			return -1;
	return 0;
}

/* ---- what is written beside the tree ---- */

static void
put_content(struct buffer *out, const char *name, const json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);

	buffer_printf(out, "%s = %s\n", name, text != NULL ? text : "");
	free(text);
}

static int
write_records(const struct making *making)
{
	const struct tree *tree = &making->tree;
	json_t *commands = json_array(), *source;
	struct buffer content = BUFFER_EMPTY;
	char *path = path_in(making->wish, "source.json");
	int result;
	size_t i;

	for (i = 0; i < making->wish->build.count; i++)
		json_array_append_new(commands, json_string(making->wish->build.items[i]));
	buffer_printf(&content, "tree = %s\n", tree->id);
	put_content(&content, "submodules", tree->submodules);
	put_content(&content, "build", commands);
	source = json_pack("{s:s, s:s?, s:s, s:b, s:O, s:O, s:o}", "revision", making->wish->revision,
			   "commit", tree->commit, "tree", tree->id, "dirty", tree->dirty, "changes",
			   tree->changes, "submodules", tree->submodules, "build", commands);
	result = write_in(making->wish, "content", &content, making->error);
	if (result == 0 && source != NULL)
		result = json_write_file(path, source, FILE_IF_CHANGED, making->error);
	else if (result == 0)
		result = error_set(making->error, EXIT_BAD_INPUT, "the revision or the build is no UTF-8");
	json_decref(source);
	buffer_free(&content);
	free(path);
	return result;
}

/* ---- the whole ---- */

static int
make_tree(struct making *making)
{
	const struct revision_wish *wish = making->wish;
	char *commit = NULL;
	int result = 0;

	if (!revision_is_work_tree(wish->revision)) {
		commit = find_commit(wish, &making->repository, making->error);
		if (commit == NULL)
			return -1;
	}
	if (file_remove_tree(making->files, making->error) != 0 ||
	    tree_make(&making->repository, commit, making->files, &making->step, &making->tree,
		      making->error) != 0 ||
	    check_place(making) != 0)
		result = -1;
	free(commit);
	return result;
}

static int
make(struct making *making)
{
	if (make_tree(making) == 0 && build(making) == 0 && check_all_made(making) == 0 &&
	    write_records(making) == 0)
		return 0;
	if (making->tree.changes != NULL) /* else the message names the revision itself */
		prefix_revision(making);
	return -1;
}

static int
make_locked(struct making *making, struct lock *lock)
{
	const struct revision_wish *wish = making->wish;
	char *log = path_in(wish, "build.log"), *root = realpath(".", NULL);
	char *token = memory_format("build-%d-%lld", (int)getpid(), (long long)clock_realtime_ns());
	int result, count;
	const int *fds = lock_descriptors(lock, &count);

	making->files = memory_format("%s/%s/tree", root != NULL ? root : "", wish->folder);
	making->place = memory_format("%s%s%s", making->files,
				      making->repository.prefix[0] != '\0' ? "/" : "",
				      making->repository.prefix);
	making->step = (struct step){NULL, log, token, wish->interrupted};
	result = warden_start(token, fds, count, making->error);
	if (result == 0) {
		result = make(making);
		warden_stop();
	}
	tree_free(&making->tree);
	free(making->files);
	free(making->place);
	free(token);
	free(root);
	free(log);
	return result;
}

int
revision_make(const struct revision_wish *wish, struct error *error)
{
	struct making making = {.wish = wish, .error = error};
	char *who = memory_format("build of %.60s", name_of(wish));
	int result = repository_open(wish->repository, &making.repository, error);
	struct lock *lock = result == 0 ? lock_open(who, error) : NULL;

	free(who);
	if (lock != NULL) {
		lock_interrupted_by(lock, wish->interrupted);
		result = lock_acquire(lock, LOCK_SHARED, error);
		if (result == 0)
			result = make_locked(&making, lock);
		lock_close(lock);
	} else {
		result = -1;
	}
	repository_close(&making.repository);
	return result;
}

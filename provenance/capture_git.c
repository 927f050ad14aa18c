#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"
#include "provenance/capture_parts.h"
#include "provenance/fact.h"
#include "provenance/git.h"
#include "provenance/used_files.h"

/*
 * "git" of provenance.json. The diff and the contents of untracked files that the graph uses lie
 * beside it, so that what was measured can be built again. All counts are bounded and a cut list
 * says so: a session is no place for somebody's data.
 */

#define STATUS_LINES 1000
#define DIFF_BYTES ((size_t)4 << 20)
#define UNTRACKED_FILES 1000
#define KEPT_FILE_BYTES ((long long)1 << 20)
#define KEPT_BYTES ((long long)16 << 20)
#define HASHED_BYTES ((long long)32 << 20) /* of all files that are not kept */

struct capturing {
	const char *session_folder;
	const json_t *study;
	struct git_status status;
	json_t *git;
	struct error *error;
	long long kept_bytes, hashed_bytes;
	bool uses_untracked;
};

/* ---- status ---- */

static void
put_count(struct capturing *to, const char *name, size_t count)
{
	if (count > 0)
		json_object_set_new(to->git, name, json_integer((json_int_t)count));
}

/* Not the names of what is private: they may tell what it is. */
static void
put_status_lines(struct capturing *to)
{
	const struct git_status *status = &to->status;
	json_t *lines = json_array();
	size_t i, private = 0, left_out = 0;

	for (i = 0; i < status->line_count; i++) {
		const char *path = git_status_path(status, status->lines[i]);

		if (path != NULL && used_files_is_private(to->study, path))
			private++;
		else if (json_array_size(lines) < STATUS_LINES)
			json_array_append_new(lines, fact_text(status->lines[i]));
		else
			left_out++;
	}
	json_object_set_new(to->git, "status", lines);
	put_count(to, "status_left_out", left_out);
	put_count(to, "status_private", private);
}

static void
put_status(struct capturing *to)
{
	const struct git_status *status = &to->status;

	put_status_lines(to);
	json_object_set_new(to->git, "commit",
			    status->commit != NULL ? fact_text(status->commit)
						   : fact_unavailable("no commits yet"));
	json_object_set_new(to->git, "branch",
			    status->branch != NULL ? fact_text(status->branch)
						   : fact_unavailable("detached head"));
	json_object_set_new(to->git, "folder", fact_text(status->prefix));
}

static void
put_submodules(struct capturing *to)
{
	struct buffer out = BUFFER_EMPTY;
	json_t *list = json_array();
	char *problem = git_submodules(&out);
	size_t at;

	for (at = 0; at < out.length; at += strlen(out.bytes + at) + 1) {
		const char *commit = strchr(out.bytes + at, ' ');
		const char *path = strchr(out.bytes + at, '\t');
		json_t *one = json_object();

		if (commit != NULL && path != NULL) {
			commit++;
			json_object_set_new(one, "commit", fact_span(commit, strcspn(commit, " ")));
			json_object_set_new(one, "path", fact_text(path + 1));
		}
		json_array_append_new(list, one);
	}
	if (problem != NULL) {
		json_decref(list);
		list = fact_unavailable("%s", problem);
	}
	json_object_set_new(to->git, "submodules", list);
	free(problem);
	buffer_free(&out);
}

/* ---- diff ---- */

static int
put_diff(struct capturing *to)
{
	char *path = memory_format("%s/diff.patch", to->session_folder), *problem = NULL;
	struct buffer diff = BUFFER_EMPTY;
	json_t *fact = json_null();
	int result = 0;

	if (to->status.changed_inside)
		problem = git_diff(&to->status, to->study, DIFF_BYTES, &diff);
	if (problem != NULL) {
		fact = fact_unavailable("%s", problem);
	} else if (diff.length > 0) {
		result = file_write(path, diff.bytes, diff.length, FILE_SYNC | FILE_NO_REPLACE,
				    to->error);
		fact = json_string("diff.patch");
	}
	json_object_set_new(to->git, "diff", fact);
	buffer_free(&diff);
	free(problem);
	free(path);
	return result;
}

/* ---- untracked files ---- */

static int
keep(struct capturing *to, const char *path, const struct buffer *bytes)
{
	char *copy = memory_format("%s/untracked/%s", to->session_folder, path);
	int result = file_write(copy, buffer_text(bytes), bytes->length,
				FILE_SYNC | FILE_NO_REPLACE, to->error);

	free(copy);
	return result;
}

/* The content is read once, so that what is kept has the digest that is told. */
static int
put_used(struct capturing *to, const char *path, json_t *entry)
{
	struct buffer bytes = BUFFER_EMPTY;
	char hex[DIGEST_SHA256_HEX];
	struct error problem = {0};
	int result = 0;

	if (file_read(path, (size_t)KEPT_FILE_BYTES, &bytes, &problem) != 0) {
		json_object_set_new(entry, "sha256", fact_unavailable("%s", problem.message));
	} else {
		digest_bytes(DIGEST_SHA256, buffer_text(&bytes), bytes.length, hex);
		json_object_set_new(entry, "sha256", json_string(hex));
		to->kept_bytes += (long long)bytes.length;
		result = keep(to, path, &bytes);
		json_object_set_new(entry, "kept", json_true());
	}
	buffer_free(&bytes);
	return result;
}

static json_t *
hash(struct capturing *to, const char *path, long long size)
{
	char hex[DIGEST_SHA256_HEX];
	struct error problem = {0};

	if (size > HASHED_BYTES - to->hashed_bytes)
		return fact_unavailable("not hashed: the untracked files are larger than %lld bytes",
					HASHED_BYTES);
	to->hashed_bytes += size;
	if (digest_file(DIGEST_SHA256, path, hex, &problem) != 0)
		return fact_unavailable("%s", problem.message);
	return json_string(hex);
}

static int
put_file(struct capturing *to, const struct used_file *file, json_t *entry)
{
	struct stat status;

	json_object_set_new(entry, "path", fact_text(file->path));
	json_object_set_new(entry, "kept", json_false());
	memset(&status, 0, sizeof status);
	if (lstat(file->path, &status) != 0 || !S_ISREG(status.st_mode)) {
		json_object_set_new(entry, "sha256",
				    fact_unavailable(S_ISDIR(status.st_mode) ? "another repository"
									     : "no regular file"));
		return 0;
	}
	json_object_set_new(entry, "bytes", json_integer(status.st_size));
	if (file->used && status.st_size <= KEPT_FILE_BYTES &&
	    to->kept_bytes + status.st_size <= KEPT_BYTES)
		return put_used(to, file->path, entry);
	json_object_set_new(entry, "sha256", hash(to, file->path, status.st_size));
	return 0;
}

/* Those that the graph uses come first into what is kept and listed. */
static int
put_files(struct capturing *to, const struct used_files *files)
{
	json_t *list = json_array();
	size_t i, listed = 0;
	int pass, result = 0;

	json_object_set_new(to->git, "untracked", list);
	for (pass = 0; pass < 2; pass++)
		for (i = 0; result == 0 && i < files->count && listed < UNTRACKED_FILES; i++) {
			const struct used_file *file = &files->items[i];
			json_t *entry;

			if (file->used != (pass == 0))
				continue;
			entry = json_object();
			json_array_append_new(list, entry);
			to->uses_untracked |= file->used;
			result = put_file(to, file, entry);
			json_object_set_new(entry, "used", json_boolean(file->used));
			listed++;
		}
	if (files->count > listed)
		json_object_set_new(to->git, "untracked_left_out",
				    json_integer((json_int_t)(files->count - listed)));
	return result;
}

static int
put_untracked(struct capturing *to, const struct plan *plan)
{
	struct used_files files = {NULL, 0, 0};
	struct buffer out = BUFFER_EMPTY;
	char *problem = git_untracked(&to->status, to->study, &out);
	int result = 0;
	size_t at;

	if (problem != NULL) {
		json_object_set_new(to->git, "untracked", fact_unavailable("%s", problem));
	} else {
		for (at = 0; at < out.length; at += strlen(out.bytes + at) + 1)
			used_files_add(&files, out.bytes + at, strlen(out.bytes + at));
		used_files_sort(&files);
		used_files_mark_specs(&files, to->study);
		used_files_mark_plan(&files, plan);
		used_files_mark_graph(&files);
		result = put_files(to, &files);
	}
	used_files_free(&files);
	free(problem);
	buffer_free(&out);
	return result;
}

/* What was measured is not what the commit says. */
static bool
is_dirty(const struct capturing *to)
{
	return to->status.commit == NULL || to->status.line_count > 0 || to->uses_untracked;
}

json_t *
capture_git(const struct plan *plan, const json_t *study, const char *session_folder,
	    struct error *error)
{
	struct capturing to = {.session_folder = session_folder, .study = study, .error = error};
	int result = 0;

	git_status_read(&to.status);
	if (to.status.problem != NULL) {
		to.git = fact_unavailable("%s", to.status.problem);
	} else {
		to.git = json_object();
		put_status(&to);
		if (to.status.has_submodules)
			put_submodules(&to);
		if (put_diff(&to) != 0 || put_untracked(&to, plan) != 0)
			result = -1;
		json_object_set_new(to.git, "dirty", json_boolean(is_dirty(&to)));
	}
	git_status_free(&to.status);
	if (result != 0) {
		json_decref(to.git);
		to.git = NULL;
	}
	return to.git;
}

#include "history/garbage.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "identity/recorded.h"
#include "session/running.h"
#include "spec/case_id.h"

/* A file that is being written is younger. */
#define OLD_S 60

/* ---- folders ---- */

/* The names in a folder, sorted; an empty list for what is no folder, or a link to one. */
struct names {
	struct dirent **items;
	int count;
};

static bool
is_folder(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int
is_name(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void
names_list(const char *folder, struct names *names)
{
	names->items = NULL;
	names->count = is_folder(folder) ? scandir(folder, &names->items, is_name, alphasort) : 0;
}

static void
names_free(struct names *names)
{
	int i;

	for (i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
}

typedef void path_visit(void *context, const char *path);

static void
each_in(const char *folder, path_visit *visit, void *context)
{
	struct names names;
	int i;

	names_list(folder, &names);
	for (i = 0; i < names.count; i++) {
		char *path = memory_format("%s/%s", folder, names.items[i]->d_name);

		visit(context, path);
		free(path);
	}
	names_free(&names);
}

static const char *
name_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* ---- what a case takes ---- */

struct tally {
	double bytes; /* on the disk */
	int identities, sessions;
	pid_t measured_by;
	char *stranger; /* something in it that is no identity's folder; NULL: none */
};

static void
add_bytes(void *context, const char *path)
{
	struct tally *tally = context;
	struct stat status;

	if (lstat(path, &status) != 0)
		return;
	tally->bytes += 512.0 * (double)status.st_blocks;
	if (S_ISDIR(status.st_mode))
		each_in(path, add_bytes, tally);
}

static void
add_session(void *context, const char *path)
{
	struct tally *tally = context;

	tally->sessions += is_folder(path) && isdigit((unsigned char)name_of(path)[0]);
}

static bool
is_identity(const char *path)
{
	const char *name = name_of(path);

	return strlen(name) == 16 && strspn(name, "0123456789abcdef") == 16 && is_folder(path);
}

static void
add_identity(void *context, const char *path)
{
	struct tally *tally = context;
	char *sessions;

	if (!is_identity(path)) {
		if (tally->stranger == NULL)
			tally->stranger = memory_copy_text(path);
		return;
	}
	sessions = memory_format("%s/sessions", path);
	tally->identities++;
	each_in(sessions, add_session, tally);
	if (tally->measured_by == 0)
		tally->measured_by = running_holder(path);
	free(sessions);
}

/* ---- left by killed sessions ---- */

static bool
is_temporary(const char *path)
{
	const char *name = name_of(path);
	size_t length = strlen(name);
	struct stat status;

	return length > 11 && strncmp(name + length - 11, ".tmp.", 5) == 0 && lstat(path, &status) == 0 &&
	       S_ISREG(status.st_mode) && status.st_mtime < time(NULL) - OLD_S;
}

static void
add_temporary(void *leftovers, const char *path)
{
	if (is_temporary(path))
		json_array_append_new(leftovers, json_string(path));
}

static void
add_temporaries_in(void *leftovers, const char *path)
{
	each_in(path, add_temporary, leftovers);
}

/* Where file_write puts them: beside a session's files, identity.txt and looks.csv. */
static void
add_leftovers(void *leftovers, const char *path)
{
	char *sessions = memory_format("%s/sessions", path);

	if (is_identity(path)) {
		each_in(path, add_temporary, leftovers);
		each_in(sessions, add_temporaries_in, leftovers);
	}
	free(sessions);
}

/* ---- results/ ---- */

struct search {
	const struct named *named;
	struct garbage *garbage;
	bool session_runs;
	struct error *error;
	int result;
};

static void
leave(struct search *search, const char *path, const char *why)
{
	char *text = memory_format("%s: %s", path, why);

	json_array_append_new(search->garbage->odd, json_string(text));
	free(text);
}

static char *
measured_at(const char *case_id)
{
	size_t count;
	struct recorded *list = recorded_list(case_id, &count);
	char *time = memory_copy_text(count > 0 ? list[0].measured_at : "");

	recorded_free(list, count);
	return time;
}

static void
add_case(struct search *search, const char *path, const struct tally *tally)
{
	char *time = measured_at(name_of(path));

	json_array_append_new(search->garbage->cases,
			      json_pack("{s:s, s:f, s:i, s:i, s:s}", "case_id", name_of(path), "kib",
					tally->bytes / 1024, "identities", tally->identities, "sessions",
					tally->sessions, "measured_at", time));
	free(time);
}

static void
take_unnamed(struct search *search, const char *path, const struct tally *tally)
{
	char *why;

	if (tally->stranger != NULL) {
		why = memory_format("no case's folder, or not only: it holds %s", name_of(tally->stranger));
		leave(search, path, why);
		free(why);
	} else if (tally->measured_by != 0 && search->result == 0) {
		search->result = error_set(search->error, EXIT_FAILED, "no plan names case %s, but process %d "
					   "measures it; wait for it or end it", name_of(path),
					   (int)tally->measured_by);
	} else {
		add_case(search, path, tally);
	}
}

static void
take_folder(struct search *search, const char *path)
{
	bool named = named_has(search->named, name_of(path));
	struct tally tally = {0};

	each_in(path, add_identity, &tally);
	search->session_runs |= tally.measured_by != 0;
	if (!named) {
		add_bytes(&tally, path);
		take_unnamed(search, path, &tally);
	} else {
		each_in(path, add_leftovers, search->garbage->leftovers);
	}
	free(tally.stranger);
}

static void
take_entry(void *context, const char *path)
{
	struct search *search = context;
	struct stat status;

	if (lstat(path, &status) != 0)
		return;
	if (S_ISLNK(status.st_mode))
		leave(search, path, "a link, which is not followed");
	else if (!S_ISDIR(status.st_mode) || !case_id_is_one(name_of(path)))
		leave(search, path, "no case's folder");
	else
		take_folder(search, path);
}

static int
check_results(struct error *error)
{
	struct stat status;

	if (lstat("results", &status) != 0)
		return errno == ENOENT ? 0 : error_set_errno(error, "cannot look at results");
	if (S_ISLNK(status.st_mode))
		return error_set(error, EXIT_BAD_INPUT, "results is a link, which is not followed here: its "
				 "folder may hold the results of other studies too");
	if (access("results", R_OK | X_OK) != 0)
		return error_set_errno(error, "cannot read the folder results");
	return 0;
}

int
garbage_find(const struct named *named, struct garbage *garbage, struct error *error)
{
	struct search search = {.named = named, .garbage = garbage, .error = error};

	*garbage = (struct garbage){json_array(), json_array(), json_array()};
	if (check_results(error) != 0)
		return -1;
	each_in("results", take_entry, &search);
	if (search.session_runs)
		json_array_clear(garbage->leftovers);
	return search.result;
}

void
garbage_free(struct garbage *garbage)
{
	json_decref(garbage->cases);
	json_decref(garbage->leftovers);
	json_decref(garbage->odd);
}

int
garbage_remove(const struct garbage *garbage, struct error *error)
{
	const json_t *one;
	int result = 0;
	size_t i;

	json_array_foreach(garbage->cases, i, one) {
		char *path = memory_format("results/%s", json_get_text(one, "case_id"));

		if (result == 0)
			result = file_remove_tree(path, error);
		free(path);
	}
	json_array_foreach(garbage->leftovers, i, one)
		if (result == 0 && unlink(json_string_value(one)) != 0 && errno != ENOENT)
			result = error_set_errno(error, "cannot remove %s", json_string_value(one));
	return result;
}

#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "store/seals.h"

/* The highest number any folder there has, with or without a plan in it. */
static int
last_number(const char *sessions)
{
	DIR *folder = opendir(sessions);
	struct dirent *entry;
	long last = 0;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		char *end;
		long number = strtol(entry->d_name, &end, 10);

		if (*end == '\0' && number > last && number <= RECORD_SESSION_MAX)
			last = number;
	}
	if (folder != NULL)
		closedir(folder);
	return (int)last;
}

/* mkdir decides: two sessions never get one number. */
static int
make_numbered(const char *sessions, int *number, char **folder, struct error *error)
{
	if (file_make_folder(sessions, error) != 0)
		return -1;
	for (*number = last_number(sessions) + 1; *number <= RECORD_SESSION_MAX; ++*number) {
		*folder = memory_format("%s/%03d", sessions, *number);
		if (mkdir(*folder, 0777) == 0)
			return 0;
		if (errno != EEXIST) {
			error_set_errno(error, "cannot make session folder %s", *folder);
			free(*folder);
			*folder = NULL;
			return -1;
		}
		free(*folder);
	}
	*folder = NULL;
	return error_set(error, EXIT_FAILED, "%s has %d sessions already, which is the limit",
			 sessions, RECORD_SESSION_MAX);
}

static int
write_text(const char *folder, const char *name, const char *text, unsigned flags,
	   struct error *error)
{
	char *path = memory_format("%s/%s", folder, name);
	int result = file_write(path, text, strlen(text), flags, error);

	free(path);
	return result;
}

int
store_begin_session(const char *case_id, const struct identity *identity,
		    const struct plan *plan, const char *why, int *number, char **folder,
		    struct error *error)
{
	char *store = store_folder(case_id, identity->hex);
	char *sessions = memory_format("%s/sessions", store);
	char *path = NULL;
	int result = -1;

	*folder = NULL;
	if (write_text(store, "identity.txt", identity->text, FILE_IF_CHANGED | FILE_SYNC, error) == 0 &&
	    make_numbered(sessions, number, folder, error) == 0 &&
	    (why == NULL || write_text(*folder, "why.txt", why, FILE_SYNC | FILE_NO_REPLACE, error) == 0)) {
		/* Last: a session counts from its plan on. */
		path = memory_format("%s/plan.json", *folder);
		result = plan_write(path, plan, FILE_SYNC | FILE_NO_REPLACE, error);
	}
	if (result != 0) {
		free(*folder);
		*folder = NULL;
	}
	free(path);
	free(sessions);
	free(store);
	return result;
}

int
store_publish(const char *session_folder, const struct record *record, struct error *error)
{
	char *name = record_file_name(record->order, record->phase, record->treatment);
	char *path = memory_format("%s/%s", session_folder, name);
	struct buffer bytes = BUFFER_EMPTY;
	int result;

	record_encode(record, &bytes);
	result = file_write(path, bytes.bytes, bytes.length, FILE_SYNC | FILE_NO_REPLACE, error);
	buffer_free(&bytes);
	free(path);
	free(name);
	return result;
}

int
store_end_session(const char *session_folder, const json_t *end, struct error *error)
{
	char *path = memory_format("%s/end.json", session_folder), *line = NULL;
	/* results/C/HEX of results/C/HEX/sessions/NNN */
	char *store = memory_format("%s/../..", session_folder);
	int result = json_write_file(path, end, FILE_SYNC | FILE_NO_REPLACE, error);

	if (result == 0) {
		line = seals_line_of_end(session_folder, error);
		result = line != NULL ? seals_add(store, line, error) : -1;
	}
	free(line);
	free(store);
	free(path);
	return result;
}

int
store_add_look(const struct store_case *store, int pairs, const char *rule, struct error *error)
{
	char *path = memory_format("%s/looks.csv", store->folder);
	char *line = memory_format("look %d", pairs);
	bool added = false;
	int result = looks_add(path, pairs, rule, &added, error);

	if (result == 0 && added)
		result = seals_add(store->folder, line, error);
	free(line);
	free(path);
	return result;
}

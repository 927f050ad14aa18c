#include "store/store.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "store/seals.h"

#define REGIME_LIMIT ((size_t)1 << 20)

char *
store_folder(const char *case_id, const char *identity_hex)
{
	return memory_format("results/%s/%.16s", case_id, identity_hex);
}

static bool
all_digits(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return length > 0;
}

/* Session folders are numbers; whatever else lies there is not ours. */
static int
is_session(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length >= 3 && length <= 6 && all_digits(entry->d_name, length) &&
	       atol(entry->d_name) > 0;
}

/* "0007-aa-0.log"; not "0007-aa-0.log.tmp.x1y2z3" of a killed session. */
static int
is_log(const struct dirent *entry)
{
	const char *name = entry->d_name;
	size_t length = strlen(name);

	return length > 9 && all_digits(name, 4) && strcmp(name + length - 4, ".log") == 0;
}

/* Shorter numbers first, so that 1000 comes after 999 and 10000- after 9999-. */
static int
by_number(const struct dirent **a, const struct dirent **b)
{
	size_t la = strspn((*a)->d_name, "0123456789"), lb = strspn((*b)->d_name, "0123456789");

	if (la != lb)
		return la < lb ? -1 : 1;
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* A missing folder is an empty list. */
static int
list(const char *folder, int (*wanted)(const struct dirent *), struct dirent ***names,
     int *count, struct error *error)
{
	*names = NULL;
	*count = scandir(folder, names, wanted, by_number);
	if (*count >= 0)
		return 0;
	*count = 0;
	return errno == ENOENT ? 0 : error_set_errno(error, "cannot read folder %s", folder);
}

static void
free_list(struct dirent **names, int count)
{
	int i;

	for (i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

/* The file's text, NULL when there is none. */
static int
read_text(const char *folder, const char *name, char **text, struct error *error)
{
	char *path = memory_format("%s/%s", folder, name);
	struct buffer bytes = BUFFER_EMPTY;
	int result = 0;

	*text = NULL;
	if (file_exists(path)) {
		result = file_read(path, REGIME_LIMIT, &bytes, error);
		if (result == 0)
			*text = buffer_detach(&bytes);
		buffer_free(&bytes);
	}
	free(path);
	return result;
}

static int
read_json(const char *folder, const char *name, json_t **value, struct error *error)
{
	char *path = memory_format("%s/%s", folder, name);
	int result = 0;

	*value = NULL;
	if (file_exists(path)) {
		*value = json_read_file(path, error);
		result = *value != NULL ? 0 : -1;
	}
	free(path);
	return result;
}

/* `reason` becomes the store's. */
static void
add_problem(struct store_case *store, const char *path, char *reason)
{
	/* Rare, so one more each time is fine. */
	store->problems = memory_resize(store->problems, store->problem_count + 1,
					sizeof *store->problems);
	store->problems[store->problem_count].path = memory_copy_text(path);
	store->problems[store->problem_count++].reason = reason;
}

static char *
problem_text(const struct error *why, const char *so)
{
	return why->line > 0 ? memory_format("line %d: %s; %s", why->line, why->message, so)
			     : memory_format("%s; %s", why->message, so);
}

/* A copied or renamed log would count its group twice, so its name must fit its content. */
static int
check_place(const char *name, const char *path, const char *case_id, int session,
	    const struct record *record, struct error *error)
{
	char *expected = record_file_name(record->order, record->phase, record->treatment);
	int result = 0;

	if (strcmp(name, expected) != 0 || record->session != session ||
	    strcmp(record->case_id, case_id) != 0)
		result = error_set_at(error, EXIT_BAD_INPUT, path, 1,
				      "the record says case %s, session %d, %s: it lies in the wrong "
				      "place", record->case_id, record->session, expected);
	free(expected);
	return result;
}

static int
load_records(struct store_case *store, struct store_session *session, const char *case_id,
	     struct error *error)
{
	struct dirent **names;
	int count, i;

	if (list(session->folder, is_log, &names, &count, error) != 0)
		return -1;
	session->records = memory_zeroed((size_t)count, sizeof *session->records);
	for (i = 0; i < count; i++) {
		char *path = memory_format("%s/%s", session->folder, names[i]->d_name);
		struct record *record = &session->records[session->record_count];
		struct error why = {0};

		if (record_read(path, record, &why) != 0) {
			add_problem(store, path, problem_text(&why, "its block does not count"));
		} else if (check_place(names[i]->d_name, path, case_id, session->number, record,
				       &why) != 0) {
			record_free(record);
			add_problem(store, path, problem_text(&why, "its block does not count"));
		} else {
			session->record_count++;
		}
		free(path);
	}
	free_list(names, count);
	return 0;
}

/*
 * Only the chunks of the plan: a session stays readable when later versions of the tool want
 * other things of a plan.
 */
static int
load_chunks(struct store_session *session, struct error *error)
{
	char *path = memory_format("%s/plan.json", session->folder);
	bool there = file_exists(path);
	json_t *plan = there ? json_read_file(path, error) : NULL;
	const json_t *chunks = json_object_get(plan, "chunks"), *one;
	int result = plan != NULL ? 0 : -1;
	size_t i;

	if (!there)
		error_set_at(error, EXIT_BAD_INPUT, path, 0, "is not there");
	session->chunks = memory_zeroed(json_array_size(chunks), sizeof *session->chunks);
	json_array_foreach(chunks, i, one) {
		struct chunk *chunk = &session->chunks[session->chunk_count++];
		long long pairs = json_get_integer(one, "pairs", -1);
		long long aa_pairs = json_get_integer(one, "aa_pairs", -1);

		if (result == 0 && (pairs < 0 || pairs > RECORD_ORDER_MAX || aa_pairs < 0 ||
				    aa_pairs > RECORD_ORDER_MAX))
			result = error_set_at(error, EXIT_BAD_INPUT, path, 0, "'pairs' and 'aa_pairs' of "
					      "chunk %zu must be counts from 0 to %d", i + 1,
					      RECORD_ORDER_MAX);
		chunk->pairs = (int)pairs;
		chunk->aa_pairs = (int)aa_pairs;
		chunk->seed = (unsigned long long)json_get_integer(one, "seed", 0);
	}
	json_decref(plan);
	free(path);
	return result;
}

static void
take_end(struct store_session *session)
{
	session->finished = session->end != NULL;
	session->invalid = json_is_true(json_object_get(session->end, "invalid"));
	session->reason = memory_copy_text(json_get_text(session->end, "reason"));
	session->how = memory_copy_text(json_get_text(session->end, "how"));
}

/* What a session says of itself beside its logs. */
static int
load_facts(struct store_session *session, struct error *error)
{
	return load_chunks(session, error) != 0 ||
	       read_text(session->folder, "regime.txt", &session->regime, error) != 0 ||
	       read_text(session->folder, "why.txt", &session->why, error) != 0 ||
	       read_json(session->folder, "provenance.json", &session->provenance, error) != 0 ||
	       read_json(session->folder, "end.json", &session->end, error) != 0 ? -1 : 0;
}

/* Whether its records may be counted nobody can say any more. They stay where they are. */
static void
leave_out(struct store_case *store, struct store_session *session, const char *path, char *problem)
{
	session->invalid = true;
	free(session->reason);
	session->reason = memory_format("%s: %s", path, problem);
	add_problem(store, path, problem);
}

/* The regime is written down after the warm-ups, before the first block. */
static void
check_regime(struct store_case *store, struct store_session *session)
{
	const struct record *records = session->records;
	bool damaged = session->regime != NULL && strstr(session->regime, " = ") == NULL;
	char *path;

	if (!damaged && (session->regime != NULL || session->record_count == 0 ||
			 records[session->record_count - 1].phase == PHASE_WARMUP))
		return;
	path = memory_format("%s/regime.txt", session->folder);
	leave_out(store, session, path,
		  memory_format("is %s; restore it, or the whole session does not count",
				damaged ? "damaged" : "not there"));
	free(path);
}

/* Written before the first launch: without it nobody knows what these are records of. */
static void
check_provenance(struct store_case *store, struct store_session *session)
{
	char *path;

	if (session->provenance != NULL || session->record_count == 0 || session->invalid)
		return;
	path = memory_format("%s/provenance.json", session->folder);
	leave_out(store, session, path,
		  memory_copy_text("is not there; restore it, or the whole session does not count"));
	free(path);
}

/* Without it nobody knows whether the programs were at the end what they had been. A session that was
 * killed never had one. */
static void
check_end(struct store_case *store, struct store_session *session)
{
	char *line = session->end != NULL ? seals_line_of_end(session->folder, NULL) : NULL, *path;

	if (seals_compare_end(buffer_text(&store->seals), session->folder, line) < 0) {
		path = memory_format("%s/end.json", session->folder);
		leave_out(store, session, path,
			  memory_format("is not %s; restore it, or the whole session does not count",
					line != NULL ? "what was written" : "there"));
		free(path);
	}
	free(line);
}

static int
load_session(struct store_case *store, struct store_session *session, const char *case_id,
	     struct error *error)
{
	struct error why = {0};
	int facts = load_facts(session, &why);

	take_end(session);
	if (facts != 0 && why.code != EXIT_BAD_INPUT) {
		*error = why;
		return -1;
	}
	if (facts != 0)
		leave_out(store, session, why.file[0] != '\0' ? why.file : session->folder,
			  problem_text(&why, "restore it, or the whole session does not count"));
	if (load_records(store, session, case_id, error) != 0)
		return -1;
	if (facts == 0) {
		check_regime(store, session);
		check_provenance(store, session);
		check_end(store, session);
	}
	return 0;
}

/* A session killed before it wrote its plan has nothing to say; only its number is taken. But where
 * there are logs the plan was lost. */
static bool
says_something(const char *folder)
{
	char *path = memory_format("%s/plan.json", folder);
	bool there = file_exists(path);
	struct dirent **logs;
	int count = 0;

	if (!there && list(folder, is_log, &logs, &count, NULL) == 0)
		free_list(logs, count);
	free(path);
	return there || count > 0;
}

static int
load_sessions(struct store_case *store, const char *case_id, struct error *error)
{
	char *folder = memory_format("%s/sessions", store->folder);
	struct dirent **names;
	int count, i, result = list(folder, is_session, &names, &count, error);

	store->sessions = memory_zeroed((size_t)count, sizeof *store->sessions);
	for (i = 0; result == 0 && i < count; i++) {
		struct store_session *session = &store->sessions[store->session_count];

		session->folder = memory_format("%s/%s", folder, names[i]->d_name);
		session->number = atoi(names[i]->d_name);
		store->session_count++;
		if (says_something(session->folder)) {
			result = load_session(store, session, case_id, error);
		} else {
			free(session->folder);
			store->session_count--;
		}
	}
	free_list(names, count);
	free(folder);
	return result;
}

static int
check_looks(const struct store_case *store, const char *path, struct error *error)
{
	const char *at = buffer_text(&store->seals);
	int pairs;
	size_t i;

	while ((pairs = seals_next_look(&at)) >= 0) {
		for (i = 0; i < store->look_count && store->looks[i].pairs != pairs;)
			i++;
		if (i == store->look_count)
			return error_set_at(error, EXIT_BAD_INPUT, path, 0, "this file says how often the data were "
					    "looked at, and the look at %d pairs is lost; restore it", pairs);
	}
	return 0;
}

int
store_load(const char *case_id, const char *identity_hex, struct store_case *store,
	   struct error *error)
{
	char *looks;
	int result;

	memset(store, 0, sizeof *store);
	store->folder = store_folder(case_id, identity_hex);
	looks = memory_format("%s/looks.csv", store->folder);
	result = seals_read(store->folder, &store->seals, error);
	if (result == 0)
		result = looks_read(looks, &store->looks, &store->look_count, error);
	if (result == 0)
		result = check_looks(store, looks, error);
	free(looks);
	return result == 0 ? load_sessions(store, case_id, error) : -1;
}

static void
free_session(struct store_session *session)
{
	size_t i;

	for (i = 0; i < session->record_count; i++)
		record_free(&session->records[i]);
	free(session->records);
	free(session->chunks);
	free(session->folder);
	free(session->regime);
	free(session->why);
	free(session->how);
	free(session->reason);
	json_decref(session->provenance);
	json_decref(session->end);
}

void
store_free(struct store_case *store)
{
	size_t i;

	for (i = 0; i < store->session_count; i++)
		free_session(&store->sessions[i]);
	for (i = 0; i < store->problem_count; i++) {
		free(store->problems[i].path);
		free(store->problems[i].reason);
	}
	looks_free(store->looks, store->look_count);
	buffer_free(&store->seals);
	free(store->problems);
	free(store->sessions);
	free(store->folder);
	memset(store, 0, sizeof *store);
}

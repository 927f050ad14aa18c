#include "analysis/judge/origins.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/warning.h"
#include "base/buffer.h"
#include "base/json.h"
#include "base/memory.h"
#include "identity/identity.h"

/* Texts with how often each was met, and when last. */
struct tally {
	struct entry {
		const char *text, *newest; /* borrowed */
		size_t count;
	} *items;
	size_t count, capacity;
};

static void
tally_add(struct tally *tally, const char *text, const char *started)
{
	struct entry *one = NULL;
	size_t i;

	for (i = 0; i < tally->count; i++)
		if (strcmp(tally->items[i].text, text) == 0)
			one = &tally->items[i];
	if (one == NULL) {
		tally->items = memory_grow(tally->items, tally->count, &tally->capacity,
					   sizeof *tally->items);
		one = &tally->items[tally->count++];
		*one = (struct entry){text, "", 0};
	}
	one->count++;
	if (strcmp(started, one->newest) > 0)
		one->newest = started;
}

/* "" when nothing was met. */
static const char *
tally_usual(const struct tally *tally)
{
	const struct entry *best = NULL;
	size_t i;

	for (i = 0; i < tally->count; i++) {
		const struct entry *one = &tally->items[i];

		if (best == NULL || one->count > best->count ||
		    (one->count == best->count && strcmp(one->newest, best->newest) > 0))
			best = one;
	}
	return best != NULL ? best->text : "";
}

/* ---- sessions: commits and changes ---- */

static bool
counts(const json_t *session)
{
	return !json_is_true(json_object_get(session, "invalid"));
}

static void
tally_commits(json_t *cases, struct tally *commits)
{
	const char *case_id;
	json_t *one, *session;
	size_t i;

	json_object_foreach(cases, case_id, one)
		json_array_foreach(json_object_get(one, "sessions"), i, session)
			if (counts(session))
				tally_add(commits, json_get_text(session, "commit"),
					  json_get_text(session, "started"));
}

static void
judge_sessions(json_t *cases, json_t *origins)
{
	struct tally commits = {NULL, 0, 0};
	int sessions = 0, other = 0, dirty = 0;
	const char *case_id, *usual;
	json_t *one, *session;
	size_t i;

	tally_commits(cases, &commits);
	usual = tally_usual(&commits);
	json_object_foreach(cases, case_id, one)
		json_array_foreach(json_object_get(one, "sessions"), i, session) {
			if (!counts(session))
				continue;
			sessions++;
			dirty += json_is_true(json_object_get(session, "dirty"));
			if (strcmp(json_get_text(session, "commit"), usual) == 0)
				continue;
			json_object_set_new(session, "differs", json_pack("[s]", "commit"));
			other++;
		}
	json_object_update_new(origins, json_pack("{s:i, s:s, s:i, s:i}", "sessions", sessions, "commit",
						  usual, "other_commit", other, "dirty", dirty));
	free(commits.items);
}

/* ---- cases: machines and their state ---- */

static const char *
last_started(const json_t *document)
{
	const json_t *sessions = json_object_get(document, "sessions");
	size_t count = json_array_size(sessions);

	return count > 0 ? json_get_text(json_array_get(sessions, count - 1), "started") : "";
}

static const char *
surroundings_of(const json_t *document, const char *kind)
{
	return json_get_text(json_object_get(document, "surroundings"), kind);
}

static bool
was_measured(const json_t *document)
{
	return json_array_size(json_object_get(document, "sessions")) > 0;
}

/* In how many lines two texts differ. */
static double
difference_count(const char *one, const char *other)
{
	struct buffer lines = BUFFER_EMPTY;
	double count = 0;
	size_t i;

	identity_diff(one, other, &lines);
	for (i = 0; i < lines.length; i++)
		count += lines.bytes[i] == '\n';
	buffer_free(&lines);
	return count;
}

static void
warn(json_t *document, const char *kind, const char *usual)
{
	bool machine = strcmp(kind, "machine") == 0;
	json_t *warnings = json_object_get(document, "warnings");
	const char *here = surroundings_of(document, kind);
	char *difference = identity_difference(usual, here);

	warning_add(warnings, machine ? "other_machine" : "other_regime", machine ? 0.7 : 0.5,
		    difference_count(usual, here),
		    machine ? "compare its ratios with those of the other cases, never its times"
			    : "compare its ratios with those of the other cases, not its times; 'assay "
			      "measure --again' measures it in the state that the machine is in now",
		    "measured %s than most cases of this study: %s",
		    machine ? "on another machine" : "in another state of the machine", difference);
	free(difference);
}

/* How many cases are not as most: `kind` is "machine" or "regime". */
static int
judge_surroundings(json_t *cases, const char *kind)
{
	struct tally tally = {NULL, 0, 0};
	const char *case_id, *usual;
	json_t *one;
	int others = 0;

	json_object_foreach(cases, case_id, one)
		if (was_measured(one))
			tally_add(&tally, surroundings_of(one, kind), last_started(one));
	usual = tally_usual(&tally);
	json_object_foreach(cases, case_id, one) {
		if (!was_measured(one) || strcmp(surroundings_of(one, kind), usual) == 0)
			continue;
		warn(one, kind, usual);
		others++;
	}
	free(tally.items);
	return others;
}

json_t *
origins_judge(json_t *cases)
{
	json_t *origins = json_object();

	judge_sessions(cases, origins);
	json_object_set_new(origins, "other_machine",
			    json_integer(judge_surroundings(cases, "machine")));
	json_object_set_new(origins, "other_regime",
			    json_integer(judge_surroundings(cases, "regime")));
	return origins;
}

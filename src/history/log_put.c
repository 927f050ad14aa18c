#include "history/log.h"

#include <string.h>

#include "base/json.h"
#include "history/when.h"
#include "report/document.h"

#define SHOWN_COMPARISONS 5

/* ---- the estimate ---- */

static void
put_comparison(const json_t *comparison, const char *metric, struct buffer *out)
{
	const char *item = json_get_text(comparison, "item"), *reason = json_get_text(comparison, "reason");

	buffer_printf(out, "  %s%s%s against %s, %s: speedup ", item, item[0] != '\0' ? ": " : "",
		      json_get_text(comparison, "b_name"), json_get_text(comparison, "a_name"), metric);
	document_put_ratio(comparison, out);
	buffer_printf(out, ", %s", json_get_text(comparison, "verdict"));
	buffer_printf(out, reason[0] != '\0' ? " (%s)\n" : "%s\n", reason);
}

static void
put_estimate(const json_t *estimate, struct buffer *out)
{
	const json_t *comparisons = json_object_get(estimate, "comparisons");
	size_t count = json_array_size(comparisons), i;

	if (json_is_true(json_object_get(estimate, "invalid"))) {
		buffer_printf(out, "  invalid: %s\n", json_get_text(estimate, "invalid_reason"));
		return;
	}
	for (i = 0; i < count && i < SHOWN_COMPARISONS; i++)
		put_comparison(json_array_get(comparisons, i), json_get_text(estimate, "metric"), out);
	if (i < count)
		buffer_printf(out, "  and %zu more comparisons; --json lists them\n", count - i);
	if (json_is_true(json_object_get(estimate, "exploratory")))
		buffer_printf(out, "  exploratory: %s\n", json_get_text(estimate, "exploratory_reason"));
}

/* ---- sessions ---- */

static void
put_commit(const json_t *session, struct buffer *out)
{
	const char *commit = json_get_text(session, "commit");

	if (commit[0] == '\0')
		buffer_puts(out, "no commit");
	else
		buffer_printf(out, "commit %.12s", commit);
	if (json_is_true(json_object_get(session, "dirty")))
		buffer_puts(out, ", dirty");
}

static void
put_counts(const json_t *session, struct buffer *out)
{
	long long pairs = json_get_integer(session, "pairs", -1), failed = json_get_integer(session, "failed", 0);
	long long orphans = json_get_integer(session, "orphans", 0);

	if (pairs >= 0)
		buffer_printf(out, "%lld pair%s, ", pairs, pairs == 1 ? "" : "s");
	buffer_printf(out, "%lld groups", json_get_integer(session, "groups", 0));
	if (failed > 0)
		buffer_printf(out, ", %lld failed", failed);
	if (orphans > 0)
		buffer_printf(out, ", %lld of cut blocks", orphans);
}

static void
put_session(const json_t *session, struct buffer *out)
{
	const char *how = json_get_text(session, "how"), *machine = json_get_text(session, "machine");
	const char *reason = json_get_text(session, "reason"), *why = json_get_text(session, "why");

	buffer_printf(out, "  session %lld, ", json_get_integer(session, "session", 0));
	when_put(json_get_text(session, "started"), out);
	buffer_puts(out, ", ");
	put_commit(session, out);
	buffer_printf(out, "; %s; ", machine[0] != '\0' ? machine : "unknown machine");
	put_counts(session, out);
	buffer_printf(out, "; %s", !json_is_true(json_object_get(session, "finished")) ? "killed" : how);
	if (why[0] != '\0')
		buffer_printf(out, "; taken again: %.*s", (int)strcspn(why, "\n"), why);
	if (json_is_true(json_object_get(session, "invalid")))
		buffer_printf(out, "; INVALID: %s", reason);
	else if (reason[0] != '\0')
		buffer_printf(out, "; %s", reason);
	buffer_putc(out, '\n');
}

/* ---- identities ---- */

static void
put_identity(const json_t *entry, struct buffer *out)
{
	const json_t *sessions = json_object_get(entry, "sessions"), *session;
	const char *problem = json_get_text(entry, "problem");
	size_t i;

	buffer_printf(out, "\n%.16s%s", json_get_text(entry, "identity"),
		      json_is_true(json_object_get(entry, "current")) ? " (current)" : "");
	buffer_puts(out, ", measured ");
	when_put(json_get_text(entry, "measured_at"), out);
	buffer_putc(out, '\n');
	if (problem[0] != '\0')
		buffer_printf(out, "  no estimate: %s\n", problem);
	else
		put_estimate(json_object_get(entry, "estimate"), out);
	json_array_foreach((json_t *)sessions, i, session)
		put_session(session, out);
	if (json_array_size(sessions) == 0)
		buffer_puts(out, "  no session\n");
}

void
log_put(const json_t *document, struct buffer *out)
{
	const json_t *identities = json_object_get(document, "identities"), *entry;
	const char *current = json_get_text(document, "current");
	size_t count = json_array_size(identities), i;

	buffer_printf(out, "case %s: %zu identit%s with results\n", json_get_text(document, "case_id"), count,
		      count == 1 ? "y" : "ies");
	json_array_foreach((json_t *)identities, i, entry)
		put_identity(entry, out);
	if (current[0] != '\0' && !json_is_true(json_object_get(document, "current_measured")))
		buffer_printf(out, "\n%.16s (current)\n  not measured yet\n", current);
	json_array_foreach(json_object_get(document, "left_out"), i, entry)
		buffer_printf(out, "\nleft out: %s, whose identity.txt is lost or another's\n",
			      json_string_value(entry));
}

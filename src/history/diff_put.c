#include "history/diff.h"

#include <stdbool.h>
#include <string.h>

#include "base/json.h"
#include "cli/number.h"
#include "history/when.h"
#include "report/document.h"

static void
put_side(const char *head, const json_t *side, struct buffer *out)
{
	const char *commit = json_get_text(side, "commit"), *machine = json_get_text(side, "machine");

	buffer_printf(out, "%s %.16s%s", head, json_get_text(side, "identity"),
		      json_is_true(json_object_get(side, "current")) ? " (current)" : "");
	if (json_get_integer(side, "sessions", 0) == 0) {
		buffer_puts(out, ", not measured\n");
		return;
	}
	buffer_puts(out, ", measured ");
	when_put(json_get_text(side, "measured_at"), out);
	buffer_printf(out, commit[0] != '\0' ? ", commit %.12s" : ", no commit%s", commit);
	if (json_is_true(json_object_get(side, "dirty")))
		buffer_puts(out, ", dirty");
	buffer_printf(out, ", %s\n", machine[0] != '\0' ? machine : "unknown machine");
}

static void
put_changes(const json_t *changes, struct buffer *out)
{
	const json_t *change;
	size_t i;

	buffer_puts(out, json_array_size(changes) > 0 ? "what was measured differs in\n"
						      : "what was measured is the same\n");
	json_array_foreach((json_t *)changes, i, change)
		buffer_printf(out, "  %s\n", json_get_text(change, "text"));
}

static void
put_value_of(const json_t *change, const char *key, struct buffer *out)
{
	identity_put_value(json_string_value(json_object_get(change, key)), out);
}

static void
put_regime(const json_t *regime, struct buffer *out)
{
	const json_t *change;
	size_t i;

	if (!json_is_array(regime)) {
		buffer_puts(out, "regime: not known of both\n");
		return;
	}
	buffer_puts(out, json_array_size(regime) > 0 ? "the machine's regime differs in\n"
						     : "the machine's regime is the same\n");
	json_array_foreach((json_t *)regime, i, change) {
		buffer_printf(out, "  %s: ", json_get_text(change, "name"));
		put_value_of(change, "from", out);
		buffer_puts(out, " -> ");
		put_value_of(change, "to", out);
		buffer_putc(out, '\n');
	}
}

/* ---- results ---- */

static void
put_median(const json_t *side, const char *unit, struct buffer *out)
{
	if (!json_is_object(side)) {
		buffer_puts(out, "not there");
		return;
	}
	document_put_value(json_get_number(side, "median"), unit, out);
	buffer_printf(out, " (%lld groups)", json_get_integer(side, "groups", 0));
}

static void
put_name(const json_t *treatment, struct buffer *out)
{
	const char *item = json_get_text(treatment, "item"), *name = json_get_text(treatment, "name");
	const char *before = json_get_text(json_object_get(treatment, "from"), "name");

	buffer_printf(out, "  %s%s%s", item, item[0] != '\0' ? ": " : "", name);
	if (before[0] != '\0' && strcmp(before, name) != 0)
		buffer_printf(out, " (was %s)", before);
}

static void
put_treatment(const json_t *treatment, const char *unit, struct buffer *out)
{
	const char *reason = json_get_text(treatment, "reason");
	char p[NUMBER_TEXT];

	put_name(treatment, out);
	buffer_printf(out, ", %s: median ", json_get_text(treatment, "metric"));
	put_median(json_object_get(treatment, "from"), unit, out);
	buffer_puts(out, " -> ");
	put_median(json_object_get(treatment, "to"), unit, out);
	if (json_is_number(json_object_get(treatment, "speedup"))) {
		buffer_puts(out, "; speedup ");
		document_put_ratio(treatment, out);
		buffer_printf(out, ", Mann-Whitney p = %s", number_text(json_get_number(treatment, "p"), 2, p));
	}
	if (reason[0] != '\0')
		buffer_printf(out, "; %s", reason);
	buffer_putc(out, '\n');
}

static void
put_results(const json_t *document, struct buffer *out)
{
	const json_t *treatments = json_object_get(document, "treatments"), *one;
	size_t i;

	if (json_array_size(treatments) == 0)
		return;
	buffer_printf(out, "results (%s)\n", json_get_text(document, "note"));
	json_array_foreach((json_t *)treatments, i, one)
		put_treatment(one, json_get_text(document, "unit"), out);
}

static void
put_problem(const char *which, const json_t *side, struct buffer *out)
{
	const char *problem = json_get_text(side, "problem");

	if (problem[0] != '\0')
		buffer_printf(out, "no results of %s: %s\n", which, problem);
}

void
diff_put(const json_t *document, struct buffer *out)
{
	const json_t *from = json_object_get(document, "from"), *to = json_object_get(document, "to");

	buffer_printf(out, "case %s\n", json_get_text(document, "case_id"));
	put_side("from", from, out);
	put_side("to  ", to, out);
	put_changes(json_object_get(document, "changes"), out);
	put_regime(json_object_get(document, "regime"), out);
	put_results(document, out);
	put_problem("the first", from, out);
	put_problem("the second", to, out);
}

#include "review/show.h"

#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "report/document.h"

#define SHOWN_FACTS 30
#define SHOWN_BYTES 200

/* Texts of a bundle on somebody's terminal: cut, and without what a terminal would obey. */
static void
put_plain(const char *text, FILE *out)
{
	size_t i;

	for (i = 0; text[i] != '\0' && i < SHOWN_BYTES; i++)
		fputc((unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i], out);
	if (text[i] != '\0')
		fputs("…", out);
}

/* ---- the two machines ---- */

static void
put_fact(const json_t *fact, FILE *out)
{
	const json_t *there = json_object_get(fact, "there"), *here = json_object_get(fact, "here");

	fputs("  ", out);
	put_plain(json_get_text(fact, "name"), out);
	fputs(": ", out);
	put_plain(json_is_string(there) ? json_string_value(there) : "unknown", out);
	if (json_is_true(json_object_get(fact, "same"))) {
		fputs(" (both)\n", out);
		return;
	}
	fputs(" | ", out);
	put_plain(json_is_string(here) ? json_string_value(here) : "unknown", out);
	fputc('\n', out);
}

static void
put_facts(const json_t *facts, const char *head, FILE *out)
{
	size_t count = json_array_size(facts), i;

	if (count == 0)
		return;
	fprintf(out, "%s\n", head);
	for (i = 0; i < count && i < SHOWN_FACTS; i++)
		put_fact(json_array_get(facts, i), out);
	if (i < count)
		fprintf(out, "  and %zu more that differ; --json lists them\n", count - i);
}

static void
put_machines(const json_t *document, FILE *out)
{
	bool same = json_is_true(json_object_get(document, "same_machine"));

	put_facts(json_object_get(document, "machine"),
		  same ? "machine (there | here): the one it was measured on"
		       : "machine (there | here): another one, where they differ and the main things",
		  out);
	put_facts(json_object_get(document, "regime"), "regime (there | here), where it differs", out);
}

/* ---- programs ---- */

static void
put_names(const json_t *names, FILE *out)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)names, i, one) {
		fputs(i > 0 ? ", " : "", out);
		put_plain(json_string_value(one) != NULL ? json_string_value(one) : "", out);
	}
}

static void
put_program(const json_t *program, FILE *out)
{
	const json_t *libraries = json_object_get(program, "libraries");

	fputs("  ", out);
	put_plain(json_get_text(program, "program"), out);
	fputs(" (", out);
	put_names(json_object_get(program, "treatments"), out);
	if (json_is_true(json_object_get(program, "same"))) {
		fputs("): the same loaded content", out);
	} else {
		fputs("): not the same; likely cause: ", out);
		put_plain(json_get_text(program, "cause"), out);
	}
	if (json_array_size(libraries) > 0) {
		fputs("; other libraries: ", out);
		put_names(libraries, out);
	}
	fputc('\n', out);
}

static void
put_programs(const json_t *programs, FILE *out)
{
	size_t i;

	if (json_array_size(programs) > 0)
		fputs("programs\n", out);
	for (i = 0; i < json_array_size(programs); i++)
		put_program(json_array_get(programs, i), out);
}

/* ---- effects and claims ---- */

static void
put_ratio(const json_t *effect, FILE *out)
{
	struct buffer text = BUFFER_EMPTY;

	document_put_ratio(effect, &text);
	fputs(buffer_text(&text), out);
	buffer_free(&text);
}

static void
put_effect(const json_t *effect, FILE *out)
{
	const char *point = json_get_text(effect, "point"), *item = json_get_text(effect, "item");
	const char *relation = json_get_text(effect, "relation");

	fputs("  ", out);
	put_plain(json_get_text(effect, "experiment"), out);
	fputs(point[0] != '\0' ? " " : "", out);
	put_plain(point, out);
	fputs(item[0] != '\0' ? " " : "", out);
	put_plain(item, out);
	fputs(": ", out);
	put_plain(json_get_text(effect, "b"), out);
	fputs(" against ", out);
	put_plain(json_get_text(effect, "a"), out);
	fputs(", ", out);
	put_ratio(json_object_get(effect, "there"), out);
	fputs(" | ", out);
	put_ratio(json_object_get(effect, "here"), out);
	fprintf(out, ": %s\n", strcmp(relation, "unknown") == 0 ? "cannot be compared" : relation);
}

static void
put_effects(const json_t *effects, FILE *out)
{
	size_t i;

	if (json_array_size(effects) > 0)
		fputs("speedups with their intervals (there | here)\n", out);
	for (i = 0; i < json_array_size(effects); i++)
		put_effect(json_array_get(effects, i), out);
}

static void
put_claim(const json_t *claim, FILE *out)
{
	const char *here = json_get_text(claim, "here"), *reason = json_get_text(claim, "reason");

	fprintf(out, "  %s %s there, %s here: %s: ", json_get_text(claim, "id"),
		json_get_text(claim, "there"), here[0] != '\0' ? here : "nothing",
		json_get_text(claim, "outcome"));
	put_plain(json_get_text(claim, "text"), out);
	if (reason[0] != '\0') {
		fputs(" (", out);
		put_plain(reason, out);
		fputs(")", out);
	}
	fputc('\n', out);
}

static void
put_claims(const json_t *claims, FILE *out)
{
	size_t i;

	if (json_array_size(claims) == 0)
		fputs("claims: the study makes none\n", out);
	else
		fputs("claims\n", out);
	for (i = 0; i < json_array_size(claims); i++)
		put_claim(json_array_get(claims, i), out);
}

static void
put_list(const json_t *list, const char *head, const char *name, const char *text, FILE *out)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one) {
		fprintf(out, "%s: ", head);
		put_plain(json_get_text(one, name), out);
		fputs(": ", out);
		put_plain(json_get_text(one, text), out);
		fputc('\n', out);
	}
}

void
show_reproduction(const json_t *document, FILE *out)
{
	fputs("study ", out);
	put_plain(json_get_text(document, "study"), out);
	fputs(", measured there (the bundle) and here\n", out);
	put_machines(document, out);
	put_programs(json_object_get(document, "programs"), out);
	put_effects(json_object_get(document, "effects"), out);
	put_claims(json_object_get(document, "claims"), out);
	put_list(json_object_get(document, "missing"), "not measured", "case_id", "reason", out);
	put_list(json_object_get(document, "problems"), "does not hold here", "case_id", "text", out);
	if (json_is_true(json_object_get(document, "smoke")))
		fputs("This was a smoke run: with so few pairs an open verdict says nothing. What it calls supported\n"
		      "or refuted its intervals allow, at the usual level.\n", out);
	fprintf(out, "summary: %s\n", json_get_text(document, "summary"));
}

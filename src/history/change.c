#include "history/change.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "identity/identity.h"

/*
 * Lines of identity.txt by how they begin (identity.h). `words`: %s is what follows, the treatment
 * is put behind it.
 */
struct kind {
	const char *start, *kind, *words;
};

static const struct kind common[] = {
	{"cpu ", "machine", "machine: CPU %s"},
	{"machine ", "machine", "machine: %s"},
	{"input ", "input", "input %s"},
	{"identity", "version", "the version of the identity's format%s"},
	{"", "design", "design: %s"},
};

static const struct kind of_treatment[] = {
	{"program", "program", "program%s"},
	{"library ", "library", "library %s"},
	{"interpreter ", "interpreter", "interpreter %s"},
	{"script ", "script", "script %s"},
	{"source ", "source", "source %s"},
	{"command", "command", "command that builds the program%s"},
	{"argument ", "argument", "argument %s"},
	{"env ", "environment", "environment variable %s"},
	{"need ", "need", "need %s"},
	{"stdin", "input", "standard input%s"},
	{"folder", "folder", "folder%s"},
	{"prepare ", "prepare", "preparing command, word %s"},
	{"", "other", "%s"},
};

struct listing {
	json_t *list;
	const struct plan *from, *to;
};

static const struct kind *
find_kind(const struct kind *kinds, const char *name)
{
	while (strncmp(name, kinds->start, strlen(kinds->start)) != 0)
		kinds++;
	return kinds;
}

/* NULL: that plan has no such treatment, or is not known. */
static const char *
name_in(const struct plan *plan, unsigned long treatment)
{
	return plan != NULL && treatment < plan->treatment_count ? plan->treatments[treatment].name : NULL;
}

/* The caller frees. */
static char *
treatment_name(const struct listing *listing, unsigned long treatment, bool gone)
{
	const char *name = name_in(gone ? listing->from : listing->to, treatment);

	if (name == NULL)
		name = name_in(gone ? listing->to : listing->from, treatment);
	return name != NULL ? memory_copy_text(name) : memory_format("treatment %lu", treatment);
}

static bool
is_digest(const char *value)
{
	return value != NULL && strlen(value) == DIGEST_SHA256_HEX - 1 &&
	       strspn(value, "0123456789abcdef") == DIGEST_SHA256_HEX - 1;
}

static void
put_values(const struct identity_change *change, struct buffer *out)
{
	bool content = is_digest(change->old) || is_digest(change->now);

	if (change->old == NULL)
		buffer_puts(out, content ? ": new" : ": new: ");
	else if (change->now == NULL)
		buffer_puts(out, content ? ": no longer there" : ": no longer there: ");
	else
		buffer_puts(out, content ? ": other content (" : ": ");
	if (change->old == NULL || change->now == NULL) {
		if (!content)
			identity_put_value(change->old != NULL ? change->old : change->now, out);
		return;
	}
	identity_put_value(change->old, out);
	buffer_puts(out, " -> ");
	identity_put_value(change->now, out);
	buffer_puts(out, content ? ")" : "");
}

/* The one "%s" of `words`. */
static void
put_words(const char *words, const char *rest, struct buffer *out)
{
	const char *gap = strstr(words, "%s");

	buffer_append(out, words, (size_t)(gap - words));
	buffer_puts(out, rest);
	buffer_puts(out, gap + 2);
}

static void
add_change(struct listing *listing, const struct identity_change *change, const struct kind *kind,
	   const char *rest, const char *treatment)
{
	struct buffer text = BUFFER_EMPTY;

	put_words(kind->words, rest + strlen(kind->start), &text);
	if (treatment != NULL)
		buffer_printf(&text, " of %s", treatment);
	put_values(change, &text);
	json_array_append_new(listing->list,
			      json_pack("{s:s, s:s, s:s?, s:s?, s:s?, s:s}", "line", change->name, "kind",
					kind->kind, "treatment", treatment, "from", change->old, "to",
					change->now, "text", buffer_text(&text)));
	buffer_free(&text);
}

static void
visit(void *context, const struct identity_change *change)
{
	static const char start[] = "treatment ";
	struct listing *listing = context;
	char *end, *treatment;
	unsigned long number;

	if (strncmp(change->name, start, strlen(start)) != 0) {
		add_change(listing, change, find_kind(common, change->name), change->name, NULL);
		return;
	}
	number = strtoul(change->name + strlen(start), &end, 10);
	end += *end == ' ';
	treatment = treatment_name(listing, number, change->now == NULL);
	add_change(listing, change, find_kind(of_treatment, end), end, treatment);
	free(treatment);
}

json_t *
change_list(const char *from_text, const char *to_text, const struct plan *plan_from,
	    const struct plan *plan_to)
{
	struct listing listing = {json_array(), plan_from, plan_to};

	identity_changes(from_text, to_text, visit, &listing);
	return listing.list;
}

static void
visit_regime(void *list, const struct identity_change *change)
{
	json_array_append_new(list, json_pack("{s:s, s:s?, s:s?}", "name", change->name, "from", change->old,
					      "to", change->now));
}

json_t *
change_regime(const char *from, const char *to)
{
	json_t *list;

	if (from == NULL || to == NULL)
		return json_null();
	list = json_array();
	identity_changes(from, to, visit_regime, list);
	return list;
}

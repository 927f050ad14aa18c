#include "provenance/volatile_loops.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Deeper nesting is skipped. */
enum { DEPTH_MOST = 200, NAMES_MOST = 256 };

struct token {
	const char *text; /* in the source; NULL: the end */
	size_t length;
	bool word, literal;
	int line;
};

struct scan {
	const char *at, *end;
	int line;
	bool line_start;
	struct token now, before; /* the latest and the one in front of it */
	struct token names[NAMES_MOST]; /* volatile; the innermost scope last */
	size_t name_count;
	struct token function;
	int depth, parens;
	const char *file;
	json_t *list;
};

/* ---- tokens ---- */

static void
step(struct scan *s)
{
	if (*s->at == '\n') {
		s->line++;
		s->line_start = true;
	}
	s->at++;
}

static bool
looking_at(const struct scan *s, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(s->end - s->at) >= length && memcmp(s->at, text, length) == 0;
}

/* To behind `text`, or to the end. */
static void
skip_past(struct scan *s, const char *text)
{
	size_t n = strlen(text);

	while (s->at < s->end && !looking_at(s, text))
		step(s);
	for (; n > 0 && s->at < s->end; n--)
		step(s);
}

static void
skip_directive(struct scan *s)
{
	while (s->at < s->end && *s->at != '\n') {
		if (*s->at == '\\' && s->at + 1 < s->end)
			step(s);
		step(s);
	}
}

/* White space, comments and directives. */
static void
skip_blank(struct scan *s)
{
	while (s->at < s->end) {
		if (isspace((unsigned char)*s->at))
			step(s);
		else if (looking_at(s, "//"))
			skip_directive(s);
		else if (looking_at(s, "/*"))
			skip_past(s, "*/");
		else if (*s->at == '#' && s->line_start)
			skip_directive(s);
		else
			return;
	}
}

static void
skip_quoted(struct scan *s)
{
	char quote = *s->at;

	step(s);
	while (s->at < s->end && *s->at != quote) {
		if (*s->at == '\\' && s->at + 1 < s->end)
			step(s);
		step(s);
	}
	if (s->at < s->end)
		step(s);
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void
next(struct scan *s)
{
	s->before = s->now;
	skip_blank(s);
	s->now = (struct token){s->at < s->end ? s->at : NULL, 0, false, false, s->line};
	s->line_start = false;
	if (s->at >= s->end)
		return;
	s->now.word = is_word(*s->at);
	s->now.literal = *s->at == '"' || *s->at == '\'';
	if (s->now.literal)
		skip_quoted(s);
	else
		do
			s->at++;
		while (s->now.word && s->at < s->end && is_word(*s->at));
	s->now.length = (size_t)(s->at - s->now.text);
}

static bool
is(const struct token *token, const char *text)
{
	return token->text != NULL && token->length == strlen(text) &&
	       memcmp(token->text, text, token->length) == 0;
}

static bool
is_any(const struct token *token, const char *const *words)
{
	for (; *words != NULL; words++)
		if (is(token, *words))
			return true;
	return false;
}

/* ---- names ---- */

static void
add_name(struct scan *s, const struct token *name)
{
	static const char *const types[] = {"int",	"char",	  "short",  "long",  "float", "double", "unsigned",
					    "signed",	"void",	  "bool",   "const", NULL};

	if (name->word && !isdigit((unsigned char)name->text[0]) && !is_any(name, types) &&
	    s->name_count < NAMES_MOST)
		s->names[s->name_count++] = *name;
}

static bool
is_volatile_name(const struct scan *s, const struct token *token)
{
	size_t i;

	for (i = 0; i < s->name_count; i++)
		if (s->names[i].length == token->length &&
		    memcmp(s->names[i].text, token->text, token->length) == 0)
			return true;
	return false;
}

static void
report(struct scan *s, const char *name, size_t length)
{
	const struct token *function = &s->function;
	json_t *one = json_pack("{s:s, s:i, s:s%, s:s%}", "file", s->file, "line", s->now.line, "function",
				function->text != NULL ? function->text : "", function->length, "name", name, length);
	json_t *other;
	size_t i;

	json_array_foreach(s->list, i, other)
		if (json_equal(json_object_get(other, "function"), json_object_get(one, "function")) &&
		    json_equal(json_object_get(other, "name"), json_object_get(one, "name")) &&
		    json_equal(json_object_get(other, "file"), json_object_get(one, "file"))) {
			json_decref(one);
			return;
		}
	if (one != NULL)
		json_array_append_new(s->list, one);
}

/* ---- declarations: from the word volatile to the end of what it declares ---- */

static bool
is_volatile(const struct scan *s)
{
	static const char *const words[] = {"volatile", "__volatile__", "__volatile", NULL};
	static const char *const assembly[] = {"asm", "__asm__", "__asm", NULL};

	return is_any(&s->now, words) && !is_any(&s->before, assembly);
}

/*
 * What a declaration with volatile in it names: the word before each `,` `=` `[` `;` outside brackets,
 * in a list of parameters the one before its `,` or `)`.
 */
struct declaration {
	bool active, initial; /* initial: in an initialiser, up to the next comma */
	int parens;           /* around it */
	int brackets;
};

static void
watch_declaration(struct scan *s, struct declaration *d)
{
	bool ends;

	if (is_volatile(s)) {
		*d = (struct declaration){.active = true, .parens = s->parens};
		return;
	}
	if (!d->active)
		return;
	if (is(&s->now, "sig_atomic_t"))
		d->active = false;
	ends = is(&s->now, ";") || is(&s->now, ",") || s->parens < d->parens;
	if (!d->initial && d->brackets == 0 && s->parens <= d->parens &&
	    (ends || is(&s->now, "=") || is(&s->now, "[")))
		add_name(s, &s->before);
	d->brackets += is(&s->now, "[") - is(&s->now, "]");
	if (is(&s->now, "="))
		d->initial = true;
	if (ends && s->parens <= d->parens) {
		d->initial = false;
		d->active = is(&s->now, ",") && s->parens == 0; /* a parameter's comma begins another */
	}
}

/* Looks at one token that is no statement's keyword. */
static void
look(struct scan *s, bool loop, struct declaration *d)
{
	s->parens += is(&s->now, "(") - is(&s->now, ")");
	if (loop && is_volatile(s))
		report(s, "", 0);
	else if (loop && s->now.word && is_volatile_name(s, &s->now) && !is(&s->before, ".") &&
		 !is(&s->before, ">"))
		report(s, s->now.text, s->now.length);
	watch_declaration(s, d);
}

/* ---- statements ---- */

static void statement(struct scan *s, bool loop);

/* From a bracket to its partner; the latest token is then behind it. */
static void
balanced(struct scan *s, const char *open, const char *close, bool loop)
{
	struct declaration d = {.active = false};
	int depth = 0, parens = s->parens;

	s->parens = 0;
	do {
		depth += is(&s->now, open) - is(&s->now, close);
		look(s, loop, &d);
		next(s);
	} while (depth > 0 && s->now.text != NULL);
	s->parens = parens;
}

static void
block(struct scan *s, bool loop)
{
	size_t names = s->name_count;

	if (++s->depth > DEPTH_MOST) {
		balanced(s, "{", "}", loop);
	} else {
		next(s);
		while (s->now.text != NULL && !is(&s->now, "}"))
			statement(s, loop);
		next(s);
	}
	s->depth--;
	s->name_count = names;
}

/* An expression or a declaration, to behind its semicolon. */
static void
simple(struct scan *s, bool loop)
{
	struct declaration d = {.active = false};

	s->parens = 0;
	while (s->now.text != NULL && !is(&s->now, ";") && !(is(&s->now, "}") && s->parens <= 0)) {
		if (is(&s->now, "{")) {
			balanced(s, "{", "}", loop);
			continue;
		}
		look(s, loop, &d);
		next(s);
	}
	look(s, loop, &d);
	if (!is(&s->now, "}"))
		next(s);
}

/* for, while, if, switch: the header is the outer statement's, the body its own. */
static void
headed(struct scan *s, bool loop, bool body_loops)
{
	next(s);
	if (is(&s->now, "("))
		balanced(s, "(", ")", loop);
	statement(s, body_loops);
}

static void
statement(struct scan *s, bool loop)
{
	size_t names = s->name_count;

	if (++s->depth > DEPTH_MOST) {
		simple(s, loop);
	} else if (is(&s->now, "{")) {
		block(s, loop);
	} else if (is(&s->now, "for") || is(&s->now, "while")) {
		headed(s, loop, true);
		s->name_count = names;
	} else if (is(&s->now, "if") || is(&s->now, "switch")) {
		headed(s, loop, loop);
	} else if (is(&s->now, "else")) {
		next(s);
		statement(s, loop);
	} else if (is(&s->now, "do")) {
		next(s);
		statement(s, true);
		simple(s, loop); /* while (…); */
	} else if (is(&s->now, "case") || is(&s->now, "default")) {
		while (s->now.text != NULL && !is(&s->now, ":") && !is(&s->now, ";"))
			next(s);
		next(s);
	} else {
		simple(s, loop);
	}
	s->depth--;
}

/* ---- the file ---- */

/* A function with its body, a declaration, or the opening of extern "C". */
static void
external(struct scan *s)
{
	struct declaration d = {.active = false};
	size_t names = s->name_count;
	bool function = false, parameters = false;

	s->parens = 0;
	while (s->now.text != NULL && !is(&s->now, ";")) {
		if (is(&s->now, "{") && (is(&s->before, ")") || s->before.literal)) {
			function = is(&s->before, ")");
			break;
		}
		if (is(&s->now, "{")) {
			balanced(s, "{", "}", false);
			continue;
		}
		if (is(&s->now, "(") && s->parens == 0 && s->before.word && !is(&s->before, "__attribute__")) {
			s->function = s->before;
			parameters = true;
		}
		look(s, false, &d);
		next(s);
	}
	if (function) {
		block(s, false);
	} else {
		look(s, false, &d);
		next(s);
	}
	if (parameters) /* theirs; what the file declares stays */
		s->name_count = names;
}

void
volatile_loops(const char *text, size_t length, const char *file, json_t *list)
{
	struct scan s = {.at = text, .end = text + length, .line = 1, .line_start = true, .file = file,
			 .list = list};

	next(&s);
	while (s.now.text != NULL)
		external(&s);
}

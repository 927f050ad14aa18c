#include "spec/locate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A small scanner: enough of Lua's lexer to step over strings and comments. */
enum kind { END, NAME, TEXT, SIGN };

struct scanner {
	const char *at, *end;
	int line;
};

struct token {
	enum kind kind;
	const char *start; /* of a TEXT: behind the opening quote */
	size_t length;
	int line;
};

static char
peek(const struct scanner *s, size_t ahead)
{
	return ahead < (size_t)(s->end - s->at) ? s->at[ahead] : '\0';
}

static void
step(struct scanner *s, size_t count)
{
	for (; count > 0 && s->at < s->end; count--, s->at++)
		s->line += *s->at == '\n';
}

/* The level of a long bracket `[==[` at `ahead`, or -1. */
static int
long_bracket(const struct scanner *s, size_t ahead)
{
	size_t level = 0;

	if (peek(s, ahead) != '[')
		return -1;
	while (peek(s, ahead + 1 + level) == '=')
		level++;
	return peek(s, ahead + 1 + level) == '[' ? (int)level : -1;
}

static bool
closes(const struct scanner *s, int level)
{
	int i;

	if (peek(s, 0) != ']' || peek(s, (size_t)level + 1) != ']')
		return false;
	for (i = 1; i <= level; i++)
		if (peek(s, (size_t)i) != '=')
			return false;
	return true;
}

static struct token
long_text(struct scanner *s, int level)
{
	struct token token;

	token.kind = TEXT;
	token.line = s->line;
	step(s, (size_t)level + 2);
	token.start = s->at;
	while (s->at < s->end && !closes(s, level))
		step(s, 1);
	token.length = (size_t)(s->at - token.start);
	step(s, (size_t)level + 2);
	return token;
}

static void
skip_blank(struct scanner *s)
{
	for (;;) {
		while (s->at < s->end && isspace((unsigned char)*s->at))
			step(s, 1);
		if (peek(s, 0) != '-' || peek(s, 1) != '-')
			return;
		step(s, 2);
		if (long_bracket(s, 0) >= 0) {
			long_text(s, long_bracket(s, 0));
			continue;
		}
		while (s->at < s->end && *s->at != '\n')
			step(s, 1);
	}
}

static struct token
quoted(struct scanner *s)
{
	char quote = *s->at;
	struct token token;

	token.kind = TEXT;
	token.line = s->line;
	step(s, 1);
	token.start = s->at;
	while (s->at < s->end && *s->at != quote && *s->at != '\n')
		step(s, *s->at == '\\' ? 2 : 1);
	token.length = (size_t)(s->at - token.start);
	step(s, 1);
	return token;
}

static struct token
next(struct scanner *s)
{
	struct token token = {END, s->end, 0, 0};

	skip_blank(s);
	token.line = s->line;
	token.start = s->at;
	if (s->at == s->end)
		return token;
	if (*s->at == '"' || *s->at == '\'')
		return quoted(s);
	if (long_bracket(s, 0) >= 0)
		return long_text(s, long_bracket(s, 0));
	token.kind = isalnum((unsigned char)*s->at) || *s->at == '_' ? NAME : SIGN;
	if (token.kind == SIGN && strchr("=~<>", *s->at) != NULL && peek(s, 1) == '=')
		token.length = 2;
	else if (token.kind == SIGN)
		token.length = 1;
	else
		while (isalnum((unsigned char)peek(s, token.length)) ||
		       peek(s, token.length) == '_')
			token.length++;
	step(s, token.length);
	return token;
}

static bool
is(struct token token, enum kind kind, const char *text)
{
	return token.kind == kind && token.length == strlen(text) &&
	       memcmp(token.start, text, token.length) == 0;
}

static bool
opens(struct token token)
{
	return token.kind == SIGN && token.length == 1 && strchr("{([", *token.start) != NULL;
}

static bool
shuts(struct token token)
{
	return token.kind == SIGN && token.length == 1 && strchr("})]", *token.start) != NULL;
}

/* Steps behind the `{` of the call's table. */
static bool
enter_call(struct scanner *s, const char *callee, const char *name)
{
	struct token token = next(s);

	for (;;) {
		while (token.kind != END && !is(token, NAME, callee))
			token = next(s);
		if (token.kind == END)
			return false;
		do
			token = next(s);
		while (is(token, SIGN, "("));
		if (name == NULL || is(token, TEXT, name))
			break;
	}
	while (token.kind != END && !is(token, SIGN, "{"))
		token = next(s);
	return token.kind != END;
}

/* One component of a path: a name, or the number of an item. */
struct component {
	const char *start;
	size_t length;
	long item; /* 0: a name */
};

static struct component
take(const char **path)
{
	struct component c = {*path, 0, 0};

	if (**path == '[') {
		c.item = strtol(*path + 1, NULL, 10);
		*path += strcspn(*path, "]");
		*path += **path == ']';
	} else {
		c.length = strcspn(*path, ".[");
		*path += c.length;
	}
	*path += **path == '.';
	return c;
}

static bool
names(struct token token, struct component c)
{
	return token.kind == NAME && token.length == c.length &&
	       memcmp(token.start, c.start, c.length) == 0;
}

/* Skips what is left of a value inside brackets that are already open. */
static void
skip_brackets(struct scanner *s)
{
	int depth = 1;
	struct token token;

	while (depth > 0 && (token = next(s)).kind != END)
		depth += opens(token) ? 1 : shuts(token) ? -1 : 0;
}

/* Steps to the value of `c` inside a table that was just entered; its line, or 0. */
static int
find_component(struct scanner *s, struct component c)
{
	struct token token;
	bool fresh = true; /* behind `{`, `,` or `;`: a field starts here */
	long item = 0;

	for (;;) {
		struct scanner before;
		struct token after;
		bool named;

		before = *s;
		token = next(s);
		if (token.kind == END || shuts(token))
			return 0;
		if (is(token, SIGN, ",") || is(token, SIGN, ";")) {
			fresh = true;
			continue;
		}
		if (fresh) {
			struct scanner ahead = *s;

			after = next(&ahead);
			named = (token.kind == NAME && is(after, SIGN, "=")) || is(token, SIGN, "[");
			if (named && c.item == 0 && token.kind == NAME && names(token, c)) {
				*s = ahead;
				return token.line;
			}
			if (!named && ++item == c.item) {
				*s = before;
				return token.line;
			}
			fresh = false;
		}
		if (opens(token))
			skip_brackets(s);
	}
}

/* Moves from the value of one component into its table; "variant {…}" counts as `{`. */
static bool
enter_value(struct scanner *s)
{
	struct token token = next(s);

	return is(token, SIGN, "{");
}

int
locate_key(const char *source, size_t length, int line, const char *callee, const char *name,
	   const char *path)
{
	struct scanner s = {source, source + length, 1};
	int found = line, at;

	while (s.line < line && s.at < s.end)
		step(&s, 1);
	if (!enter_call(&s, callee, name))
		return line;
	while (*path != '\0') {
		at = find_component(&s, take(&path));
		if (at == 0)
			break;
		found = at;
		if (*path == '\0' || !enter_value(&s))
			break;
	}
	return found;
}

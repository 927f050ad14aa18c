/*
 * The matcher follows lstrlib.c of Lua 5.4, Copyright (C) 1994-2023 Lua.org, PUC-Rio, under the
 * MIT License; the bound on its steps and the check beforehand are ours.
 */
#include "base/lua_pattern.h"

#include <ctype.h>
#include <string.h>

#define OPEN ((size_t)-1) /* a capture that has not ended yet */
#define DEEPEST 200       /* calls within calls */

struct matching {
	const char *subject, *end; /* of the subject */
	const char *pattern_end;
	struct lua_pattern_match *match;
	long long *steps_left;
	int depth;
	bool too_much;
};

static const char *match_here(struct matching *m, const char *s, const char *p);

static int
byte(const char *at)
{
	return (unsigned char)*at;
}

/* ---- one character ---- */

static bool
in_class(int c, int class)
{
	bool in;

	switch (tolower(class)) {
	case 'a': in = isalpha(c) != 0; break;
	case 'c': in = iscntrl(c) != 0; break;
	case 'd': in = isdigit(c) != 0; break;
	case 'g': in = isgraph(c) != 0; break;
	case 'l': in = islower(c) != 0; break;
	case 'p': in = ispunct(c) != 0; break;
	case 's': in = isspace(c) != 0; break;
	case 'u': in = isupper(c) != 0; break;
	case 'w': in = isalnum(c) != 0; break;
	case 'x': in = isxdigit(c) != 0; break;
	default: return class == c;
	}
	return isupper(class) ? !in : in;
}

/* Behind the single character, class or set at p. */
static const char *
behind_single(const char *p, const char *pattern_end)
{
	if (*p++ == '%')
		return p + 1;
	if (p[-1] != '[')
		return p;
	if (*p == '^')
		p++;
	do { /* a first ']' is one of the set */
		if (*p++ == '%')
			p++;
	} while (p < pattern_end && *p != ']');
	return p + 1;
}

/* p at the '[', last at its ']'. */
static bool
in_set(int c, const char *p, const char *last)
{
	bool found = true;

	if (p[1] == '^') {
		found = false;
		p++;
	}
	while (++p < last) {
		if (*p == '%') {
			p++;
			if (in_class(c, byte(p)))
				return found;
		} else if (p[1] == '-' && p + 2 < last) {
			p += 2;
			if (byte(p - 2) <= c && c <= byte(p))
				return found;
		} else if (byte(p) == c) {
			return found;
		}
	}
	return !found;
}

static bool
matches_single(const struct matching *m, const char *s, const char *p, const char *behind)
{
	if (s >= m->end)
		return false;
	switch (*p) {
	case '.': return true;
	case '%': return in_class(byte(s), byte(p + 1));
	case '[': return in_set(byte(s), p, behind - 1);
	default: return *p == *s;
	}
}

static bool
step(struct matching *m)
{
	if (--*m->steps_left < 0)
		m->too_much = true;
	return !m->too_much;
}

/* ---- repetitions ---- */

static const char *
most(struct matching *m, const char *s, const char *p, const char *behind)
{
	ptrdiff_t i = 0;

	while (step(m) && matches_single(m, s + i, p, behind))
		i++;
	for (; i >= 0 && !m->too_much; i--) {
		const char *end = match_here(m, s + i, behind + 1);

		if (end != NULL)
			return end;
	}
	return NULL;
}

static const char *
least(struct matching *m, const char *s, const char *p, const char *behind)
{
	while (step(m)) {
		const char *end = match_here(m, s, behind + 1);

		if (end != NULL)
			return end;
		if (!matches_single(m, s, p, behind))
			return NULL;
		s++;
	}
	return NULL;
}

/* ---- captures and what is longer than a character ---- */

static const char *
begin_capture(struct matching *m, const char *s, const char *p)
{
	struct lua_pattern_capture *capture = &m->match->captures[m->match->capture_count++];
	const char *end;

	*capture = (struct lua_pattern_capture){s, OPEN};
	end = match_here(m, s, p);
	if (end == NULL)
		m->match->capture_count--;
	return end;
}

static const char *
end_capture(struct matching *m, const char *s, const char *p)
{
	int last = m->match->capture_count - 1;
	const char *end;

	while (m->match->captures[last].length != OPEN)
		last--;
	m->match->captures[last].length = (size_t)(s - m->match->captures[last].text);
	end = match_here(m, s, p);
	if (end == NULL)
		m->match->captures[last].length = OPEN;
	return end;
}

/* %b(): behind the bracket that closes the one at s. */
static const char *
balanced(struct matching *m, const char *s, const char *p)
{
	int open = 1;

	if (s >= m->end || *s != p[0])
		return NULL;
	while (++s < m->end && step(m)) {
		if (*s == p[1]) {
			if (--open == 0)
				return s + 1;
		} else if (*s == p[0]) {
			open++;
		}
	}
	return NULL;
}

/* %f[set]: between a character that is not of the set and one that is. */
static bool
at_frontier(const struct matching *m, const char *s, const char *p, const char *behind)
{
	int before = s == m->subject ? 0 : byte(s - 1), now = s < m->end ? byte(s) : 0;

	return !in_set(before, p, behind - 1) && in_set(now, p, behind - 1);
}

/* %1: the same as that capture. */
static const char *
repeated(const struct matching *m, const char *s, int number)
{
	const struct lua_pattern_capture *capture = &m->match->captures[number - 1];

	if ((size_t)(m->end - s) < capture->length || memcmp(capture->text, s, capture->length) != 0)
		return NULL;
	return s + capture->length;
}

/* ---- the whole ---- */

static const char *
match_counted(struct matching *m, const char *s, const char *p)
{
	while (p < m->pattern_end && step(m)) {
		const char *behind;

		if (*p == '(')
			return begin_capture(m, s, p + 1);
		if (*p == ')')
			return end_capture(m, s, p + 1);
		if (*p == '$' && p + 1 == m->pattern_end)
			return s == m->end ? s : NULL;
		if (*p == '%' && p[1] == 'b') {
			if ((s = balanced(m, s, p + 2)) == NULL)
				return NULL;
			p += 4;
			continue;
		}
		if (*p == '%' && p[1] == 'f') {
			behind = behind_single(p + 2, m->pattern_end);
			if (!at_frontier(m, s, p + 2, behind))
				return NULL;
			p = behind;
			continue;
		}
		if (*p == '%' && isdigit(byte(p + 1))) {
			if ((s = repeated(m, s, p[1] - '0')) == NULL)
				return NULL;
			p += 2;
			continue;
		}
		behind = behind_single(p, m->pattern_end);
		if (behind < m->pattern_end && *behind == '*')
			return most(m, s, p, behind);
		if (behind < m->pattern_end && *behind == '-')
			return least(m, s, p, behind);
		if (behind < m->pattern_end && *behind == '+')
			return matches_single(m, s, p, behind) ? most(m, s + 1, p, behind) : NULL;
		if (behind < m->pattern_end && *behind == '?') {
			const char *end = NULL;

			if (matches_single(m, s, p, behind) &&
			    (end = match_here(m, s + 1, behind + 1)) != NULL)
				return end;
			p = behind + 1;
			continue;
		}
		if (!matches_single(m, s, p, behind))
			return NULL;
		s++;
		p = behind;
	}
	return m->too_much ? NULL : s;
}

static const char *
match_here(struct matching *m, const char *s, const char *p)
{
	const char *end = NULL;

	if (m->depth < DEEPEST) {
		m->depth++;
		end = match_counted(m, s, p);
		m->depth--;
	} else {
		m->too_much = true;
	}
	return end;
}

enum lua_pattern_result
lua_pattern_find(const char *pattern, const char *subject, size_t length, size_t from,
		 long long *steps_left, struct lua_pattern_match *match)
{
	struct matching m = {.subject = subject, .end = subject + length, .match = match,
			     .pattern_end = pattern + strlen(pattern), .steps_left = steps_left};
	bool anchored = *pattern == '^';
	size_t at;

	for (at = from; at <= length && !(anchored && at > 0); at++) {
		const char *end;

		match->capture_count = 0;
		end = match_here(&m, subject + at, pattern + anchored);
		if (m.too_much)
			return LUA_PATTERN_TOO_MUCH;
		if (end != NULL) {
			match->begin = at;
			match->end = (size_t)(end - subject);
			return LUA_PATTERN_FOUND;
		}
	}
	return LUA_PATTERN_NONE;
}

/* ---- the check beforehand, so that matching needs none ---- */

/* NULL, or the problem; *p moves behind the set that begins there. */
static const char *
check_set(const char **p)
{
	const char *at = *p + 1;

	if (*at == '^')
		at++;
	do {
		if (*at == '\0')
			return "a '[' lacks its ']'";
		if (*at++ == '%' && *at++ == '\0')
			return "it ends with '%'";
	} while (*at != ']');
	*p = at + 1;
	return NULL;
}

struct checking {
	bool closed[LUA_PATTERN_CAPTURES];
	int count, open;
};

static const char *
check_close(struct checking *captures)
{
	int last = captures->count - 1;

	while (last >= 0 && captures->closed[last])
		last--;
	if (last < 0)
		return "a ')' has no '('";
	captures->closed[last] = true;
	captures->open--;
	return NULL;
}

/* *p at the '%'. */
static const char *
check_escape(const char **p, struct checking *captures)
{
	int which = byte(*p + 1);

	*p += 2;
	if (which == '\0')
		return "it ends with '%'";
	if (which == 'b') {
		if ((*p)[0] == '\0' || (*p)[1] == '\0')
			return "%b needs two characters behind it";
		*p += 2;
	} else if (which == 'f') {
		if (**p != '[')
			return "%f needs a set [...] behind it";
		return check_set(p);
	} else if (isdigit(which)) {
		int number = which - '0';

		if (number < 1 || number > captures->count || !captures->closed[number - 1])
			return "it repeats a capture that has not ended";
	}
	return NULL;
}

const char *
lua_pattern_check(const char *pattern, int *count)
{
	struct checking captures = {.count = 0};
	const char *p = pattern + (*pattern == '^'), *problem = NULL;

	if (strlen(pattern) > LUA_PATTERN_LENGTH)
		return "it is longer than 1000 bytes";
	while (problem == NULL && *p != '\0') { /* p may be behind the end where there is one */
		if (*p == '%') {
			problem = check_escape(&p, &captures);
		} else if (*p == '[') {
			problem = check_set(&p);
		} else if (*p == '(') {
			if (p[1] == ')')
				return "it captures a position; put what is wanted between the ( )";
			if (captures.count == LUA_PATTERN_CAPTURES)
				return "it has more than 32 captures";
			captures.closed[captures.count++] = false;
			captures.open++;
			p++;
		} else {
			if (*p == ')')
				problem = check_close(&captures);
			p++;
		}
	}
	if (problem == NULL && captures.open > 0)
		problem = "a '(' lacks its ')'";
	if (count != NULL)
		*count = captures.count;
	return problem;
}

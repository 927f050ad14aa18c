#include "store/output_patterns.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lua_pattern.h"
#include "base/memory.h"

enum { SHOWN = 60 }; /* bytes of the output in a message */

struct search {
	const char *metric, *pattern;
	long long steps, steps_left;
	size_t line, matches;
	struct reading *reading;
};

/* Decimal, finite, nothing before or behind. strtod takes more, and needs an end. */
static bool
to_number(const struct lua_pattern_capture *capture, double *value)
{
	char text[64], *end;

	if (capture->length == 0 || capture->length >= sizeof text)
		return false;
	memcpy(text, capture->text, capture->length);
	text[capture->length] = '\0';
	if (strspn(text, "0123456789+-.eE") != capture->length)
		return false;
	*value = strtod(text, &end);
	return *end == '\0' && isfinite(*value);
}

static void
say_no_number(struct search *search, const struct lua_pattern_capture *capture)
{
	size_t length = capture->length < SHOWN ? capture->length : SHOWN, i;
	char *shown = memory_copy_span(capture->text, length);

	for (i = 0; i < length; i++)
		if ((unsigned char)shown[i] < ' ' || (unsigned char)shown[i] >= 0x7f)
			shown[i] = '?';
	search->reading->problem = memory_format("line %zu of the output: what the pattern of %s captures, "
						 "\"%s\", is no decimal number", search->line, search->metric,
						 shown);
	free(shown);
}

/* The i-th match of each metric shares a row. */
static void
take(struct search *search, const struct lua_pattern_match *match)
{
	struct reading *reading = search->reading;
	struct reading_sample *sample;
	double value;

	if (!to_number(&match->captures[0], &value)) {
		say_no_number(search, &match->captures[0]);
		return;
	}
	if (search->matches == OUTPUT_PATTERNS_SAMPLES) {
		reading->problem = memory_format("the pattern of %s matches more than %d times", search->metric,
						 OUTPUT_PATTERNS_SAMPLES);
		return;
	}
	sample = search->matches < reading->count ? &reading->samples[search->matches]
						  : reading_add(reading, "");
	search->matches++;
	reading_add_value(sample, search->metric, value);
}

/* An empty match moves on by a byte, or there would be no end. */
static void
search_line(struct search *search, const char *line, size_t length)
{
	size_t from = 0;

	while (search->reading->problem == NULL && from <= length) {
		struct lua_pattern_match match;
		enum lua_pattern_result found = lua_pattern_find(search->pattern, line, length, from,
								 &search->steps_left, &match);

		if (found == LUA_PATTERN_NONE)
			return;
		if (found == LUA_PATTERN_TOO_MUCH) {
			search->reading->problem = memory_format(
				"line %zu of the output: the pattern of %s takes too long (more than %lld steps); "
				"begin it with words that are in the output, and use fewer of * + -",
				search->line, search->metric, search->steps);
			return;
		}
		take(search, &match);
		from = match.end > from ? match.end : from + 1;
		if (*search->pattern == '^')
			return;
	}
}

static void
search_all(struct search *search, const char *bytes, size_t length)
{
	const char *at = bytes, *end = bytes + length;

	while (at < end && search->reading->problem == NULL) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline != NULL ? newline : end;
		size_t line = (size_t)(stop - at);

		search->line++;
		if (line > 0 && at[line - 1] == '\r')
			line--;
		search_line(search, at, line);
		at = newline != NULL ? newline + 1 : end;
	}
	if (search->matches == 0 && search->reading->problem == NULL)
		search->reading->problem = memory_format("no line of the output matches the pattern of %s, "
							 "\"%s\"", search->metric, search->pattern);
}

void
output_patterns_read(const struct plan *plan, const struct record *record,
		     struct reading *reading)
{
	size_t i;

	for (i = 0; i < plan->patterns.count && reading->problem == NULL; i++) {
		struct search search = {.metric = plan->patterns.items[i].name,
					.pattern = plan->patterns.items[i].value,
					.steps = OUTPUT_PATTERNS_STEPS + OUTPUT_PATTERNS_STEPS_A_BYTE *
							 (long long)record->stdout_length,
					.reading = reading};
		int captures = 0;

		search.steps_left = search.steps;
		if (lua_pattern_check(search.pattern, &captures) != NULL || captures == 0)
			reading->problem = memory_format("the pattern of %s cannot be used", search.metric);
		else
			search_all(&search, record->stdout_bytes, record->stdout_length);
	}
	if (reading->problem != NULL)
		reading_drop(reading);
	reading->len = reading->iters = -1;
}

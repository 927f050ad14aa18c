#include "cli/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
parse(const char *text, double *value, const char **rest)
{
	char *end;

	*value = strtod(text, &end);
	*rest = end;
	return end != text && isfinite(*value);
}

bool
number_parse(const char *text, double *value)
{
	const char *rest;

	return parse(text, value, &rest) && *rest == '\0';
}

bool
number_parse_share(const char *text, double *value)
{
	const char *rest;

	if (!parse(text, value, &rest))
		return false;
	while (*rest == ' ')
		rest++;
	if (strcmp(rest, "%") == 0)
		*value /= 100;
	return *rest == '\0' || strcmp(rest, "%") == 0;
}

bool
number_parse_count(const char *text, double most, double *value)
{
	return number_parse(text, value) && *value >= 1 && *value <= most &&
	       floor(*value) == *value;
}

const char *
number_text(double value, int digits, char out[NUMBER_TEXT])
{
	if (isfinite(value))
		snprintf(out, NUMBER_TEXT, "%.*g", digits, value);
	else
		snprintf(out, NUMBER_TEXT, "-");
	return out;
}

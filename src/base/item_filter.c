#include "base/item_filter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

char *
item_filter_whole(const char *expression)
{
	return memory_format("^(%s)$", expression);
}

/* A \1 would count our own parentheses, and takes exponential time. */
static bool
refers_back(const char *expression)
{
	for (; *expression != '\0'; expression++)
		if (*expression == '\\' && isdigit((unsigned char)*++expression))
			return true;
		else if (*expression == '\0')
			break;
	return false;
}

/* By itself first: "a)(b" is one only between our parentheses. */
static int
compile(const char *expression, regex_t *regex)
{
	char *whole;
	int code = regcomp(regex, expression, REG_EXTENDED | REG_NOSUB);

	if (code != 0)
		return code;
	regfree(regex);
	whole = item_filter_whole(expression);
	code = regcomp(regex, whole, REG_EXTENDED | REG_NOSUB);
	free(whole);
	return code;
}

char *
item_filter_open(const char *expression, struct item_filter *filter)
{
	char problem[128];
	int code;

	memset(filter, 0, sizeof *filter);
	filter->all = expression == NULL;
	if (filter->all)
		return NULL;
	if (refers_back(expression))
		return memory_copy_text("a \\1 that repeats a group is not allowed");
	code = compile(expression, &filter->regex);
	if (code == 0)
		return NULL;
	regerror(code, &filter->regex, problem, sizeof problem);
	return memory_copy_text(problem);
}

bool
item_filter_takes(const struct item_filter *filter, const char *name)
{
	return filter->all || regexec(&filter->regex, name, 0, NULL, 0) == 0;
}

void
item_filter_close(struct item_filter *filter)
{
	if (!filter->all)
		regfree(&filter->regex);
}

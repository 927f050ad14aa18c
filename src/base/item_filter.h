#ifndef ASSAY_ITEM_FILTER_H
#define ASSAY_ITEM_FILTER_H

#include <regex.h>
#include <stdbool.h>

/*
 * Which items of a program count: a POSIX extended regular expression that the whole name must
 * match. The same words go to the program as its --benchmark_filter.
 */
struct item_filter {
	regex_t regex;
	bool all; /* there is none */
};

/* The expression held to the whole name: "^(…)$". The caller frees. */
char *item_filter_whole(const char *expression);
/* `expression` may be NULL: all names. NULL, or what is wrong with it (the caller frees; then
 * there is nothing to close). */
char *item_filter_open(const char *expression, struct item_filter *filter);
bool item_filter_takes(const struct item_filter *filter, const char *name);
void item_filter_close(struct item_filter *filter);

#endif

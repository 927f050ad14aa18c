#ifndef ASSAY_COMPARE_WORDS_H
#define ASSAY_COMPARE_WORDS_H

#include "base/error.h"
#include "spec/study.h"

/*
 * Appends the words of a command line as a POSIX shell splits it: blanks, 'single' and "double"
 * quotes, backslashes. No shell runs it, so what only a shell could do (pipes, redirections,
 * variables, command substitution) is an error that says so unless it is quoted. Patterns such as
 * *.c and a leading ~ stay as they are. 0, or -1 with *error; words_free in both cases. Pure.
 */
int words_split(const char *text, struct texts *words, struct error *error);
void words_add(struct texts *words, const char *word);
void words_free(struct texts *words);

#endif

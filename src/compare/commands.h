#ifndef ASSAY_COMPARE_COMMANDS_H
#define ASSAY_COMPARE_COMMANDS_H

#include "compare/options.h"

/*
 * Takes the texts of the commands apart, once all options are known: words, program, names. A text
 * that is the path of a program is taken as one word, blanks and all.
 */
int commands_resolve(struct compare_options *options, struct error *error);
/* The words of one command, and whether they can be one: a program's name that is the same for all
 * points of the sweep. */
int commands_split(const struct compare_options *options, const char *text, struct texts *words,
		   struct error *error);
int commands_check(const struct compare_options *options, const struct texts *words,
		   struct error *error);
/* The words of a further command (--prepare …): `sh -c TEXT` with --shell. */
int commands_words(const char *text, bool shell, struct texts *words, struct error *error);

#endif

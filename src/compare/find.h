#ifndef ASSAY_COMPARE_FIND_H
#define ASSAY_COMPARE_FIND_H

#include "base/error.h"

/*
 * The absolute path of the program that a shell would run for `word`: itself where it holds a
 * slash, else the first in PATH. Links are kept, since some programs act on their name. The caller
 * frees; NULL with *error (EXIT_BAD_INPUT).
 */
char *find_program_of(const char *word, struct error *error);
/* As seen from the current folder; the caller frees, NULL with *error. */
char *find_absolute(const char *path, struct error *error);

#endif

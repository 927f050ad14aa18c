#ifndef ASSAY_WARNING_CODES_H
#define ASSAY_WARNING_CODES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The codes of the warnings that an analysis may give (docs/statistics.md), so that a text which asks
 * for one that does not exist is refused when it is written, not silently answered with "not told".
 */

bool warning_code_is_known(const char *code);
/* All of them, sorted. */
const char **warning_code_names(size_t *count);

#endif

#ifndef ASSAY_CLI_RECOMPUTE_H
#define ASSAY_CLI_RECOMPUTE_H

#include <stdbool.h>

#include "base/error.h"

/*
 * The steps behind measuring, without a graph: statistics of all cases of the study in the current
 * folder, or of one form of an experiment (NULL: the study), from the records; what is judged of them
 * together, the figures' data and scripts, with `draw` also the pictures, and the report. Measures
 * nothing and counts as no look. Files whose content stays are left alone.
 *
 * 0, and *reported says whether the report could be written, too (why not is printed); -1 with *error.
 */
int recompute(const char *form, bool draw, bool *reported, struct error *error);

/* Does the store have all that the form would measure now? False also where nobody can tell. */
bool recompute_has_records(const char *form);

#endif

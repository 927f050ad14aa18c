#ifndef ASSAY_CHECK_STATE_H
#define ASSAY_CHECK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "identity/sighting.h"

/*
 * build/check/<experiment>.state: why the last check need not be done again: everything it looked
 * at, and what it took from the environment. A private cache: a line "assay-check-state 1", the
 * time of the look, the length of the surroundings' text, that text, the sightings.
 */

/* Whether a check in the same surroundings would find what the last one found. */
bool check_state_holds(const char *path, const char *surroundings);
/* looked_ns: a time before the first look. Failing to write is no error: the next check looks at
 * everything again. */
void check_state_write(const char *path, const char *surroundings,
		       const struct sightings *sightings, int64_t looked_ns);

#endif

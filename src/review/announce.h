#ifndef ASSAY_REVIEW_ANNOUNCE_H
#define ASSAY_REVIEW_ANNOUNCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "review/measuring.h"

/* What a reproduction is going to run, before anything of the bundle's runs: by the specs, as they
 * were read `here`; and whether the results are of something else. */
void announce(const struct side *here, const json_t *commands, const struct measuring *measuring, FILE *out);

/*
 * May it go on? `yes`: it was said on the command line. On a terminal people are asked on `out`; else
 * -1 with EXIT_USAGE, and -1 with EXIT_INTERRUPTED when the answer is no.
 */
int announce_ask(bool yes, FILE *out, struct error *error);

#endif

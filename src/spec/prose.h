#ifndef ASSAY_PROSE_H
#define ASSAY_PROSE_H

#include <jansson.h>

#include "base/error.h"
#include "spec/host.h"

/*
 * The check of literate specs at generate time: every expression is evaluated against results
 * that are made up but have the names of the real ones, every figure has its label. 0, or -1 with
 * *error at the expression.
 */
int prose_check(struct host *host, struct error *error);

/* A made-up results document of the experiment (docs/formats.md, "prose results"), a new
 * reference. The report builds the real one with the same names. */
json_t *prose_dummy(const struct study *study, const struct experiment *experiment);

#endif

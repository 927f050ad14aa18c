#ifndef ASSAY_CYCLE_H
#define ASSAY_CYCLE_H

#include "base/error.h"
#include "spec/study.h"

/* Ninja finds a cycle only when it is asked for a part of it. -1 with *error at one of the statements, which
 * names all that are in the cycle; 0 where no file of the study's edges needs itself. */
int cycle_refuse(const struct study *study, struct error *error);

#endif

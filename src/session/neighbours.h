#ifndef ASSAY_NEIGHBOURS_H
#define ASSAY_NEIGHBOURS_H

#include "base/error.h"
#include "schedule/plan.h"

/*
 * A copy of a program lies elsewhere and does not find what the program finds from where it lies:
 * libraries by $ORIGIN, its scripts by the folder of argv[0]. Links to them are put about the
 * copy as they lie about the program.
 */

/* How many folders up from the copy's own still belong to the copy alone; what the program finds
 * further up than that is not linked. */
#define NEIGHBOURS_UP 2

/* `copy` is absolute, and the folder it lies in is there. */
int neighbours_link(const struct plan_program *program, const char *copy, struct error *error);

#endif

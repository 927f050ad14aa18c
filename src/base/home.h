#ifndef ASSAY_HOME_H
#define ASSAY_HOME_H

#include "base/error.h"

/*
 * Where the tool's own data lie (kernels/harness, figures/…gnuplot): $ASSAY_HOME, or the nearest
 * folder above the running binary that holds kernels/harness. An absolute path, owned by the
 * caller; NULL with *error when there is none.
 */
char *home_path(struct error *error);
/* The running binary's absolute path, owned by the caller. */
char *home_tool(struct error *error);

#endif

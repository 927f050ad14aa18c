#ifndef ASSAY_SCALING_FITS_H
#define ASSAY_SCALING_FITS_H

#include <jansson.h>
#include <stdbool.h>

#include "analysis/judge/scaling_blocks.h"

/* The laws of scaling fitted to a series, layout "fits" of a case's "scaling" in docs/formats.md; a
 * new object. `processors` has blocks->points numbers. */
json_t *scaling_fits(const struct scaling_blocks *blocks, const double *processors, bool weak);

#endif

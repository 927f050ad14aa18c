#ifndef ASSAY_SCALINGS_H
#define ASSAY_SCALINGS_H

#include "spec/blocked.h"

/* scaling = { over = "threads", serial = "serial", … }: left alone when it is missing. The metrics
 * are read. */
void scalings_read(const struct fields *experiment, const struct blocked_treatments *treatments,
		   struct experiment *out);

/* What the template `working_set` comes to for one treatment, in bytes; 0 without one. */
double scalings_working_set(const struct fields *experiment, const struct experiment *out,
			    const struct point *values);

/* What texts see of a case's scaling, with made-up numbers; null without. A new object. */
json_t *scalings_dummy(const struct experiment *experiment, const struct study_case *one);

#endif

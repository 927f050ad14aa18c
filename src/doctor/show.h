#ifndef ASSAY_DOCTOR_SHOW_H
#define ASSAY_DOCTOR_SHOW_H

#include <stdbool.h>

#include "base/buffer.h"
#include "compare/screen.h"
#include "doctor/finding.h"

/* Appends the findings for people, the worst first; what is well in a line each unless `all`. */
void show_findings(const struct screen *screen, const struct findings *findings, bool all,
		   struct buffer *out);

#endif

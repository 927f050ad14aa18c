#ifndef ASSAY_DIAGNOSIS_H
#define ASSAY_DIAGNOSIS_H

#include <jansson.h>

#include "spec/fields.h"
#include "spec/study.h"

/* diagnose = { "callgrind", … } of an experiment, whose cases are complete: left alone when it is
 * missing. */
void diagnosis_read(const struct fields *experiment, struct experiment *out);

/* A tool that a spec may ask for, and the numbers that it can tell (src/diagnose has the tools). */
struct diagnosis_tool {
	const char *name;
	const char *values[20]; /* NULL at the end */
};
extern const struct diagnosis_tool diagnosis_tools[]; /* ends with a name that is NULL */

/* "callgrind/fused", as prose finds a run of a case. The caller frees it. */
char *diagnosis_key(const char *tool, const char *treatment);
/* What prose sees of one run: every name that the tool can tell, null until `put` in. A new object. */
json_t *diagnosis_view(const char *tool);

#endif

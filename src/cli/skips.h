#ifndef ASSAY_SKIPS_H
#define ASSAY_SKIPS_H

#include <jansson.h>

/* A line on stdout for each variant of the study (build/study.json) that is skipped. */
void skips_print(const json_t *study);

#endif

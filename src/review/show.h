#ifndef ASSAY_REVIEW_SHOW_H
#define ASSAY_REVIEW_SHOW_H

#include <jansson.h>
#include <stdio.h>

/* A reproduction's document ("assay-reproduce-1", docs/formats.md) in words. */
void show_reproduction(const json_t *document, FILE *out);

#endif

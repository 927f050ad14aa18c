#ifndef ASSAY_WATERMARK_DOCUMENT_H
#define ASSAY_WATERMARK_DOCUMENT_H

#include <jansson.h>

/*
 * The diagnosis of each kernel that an experiment perturbs (`watermark{}`): what every perturbation does to
 * its time, which resource it waits for, what the roofline says and whether they agree. Adds
 * "watermark" to the case documents (layout in docs/formats.md). After rates_judge, roofline_judge and all
 * that may withdraw a comparison.
 */
void watermark_judge(const json_t *study, json_t *cases);

#endif

#ifndef ASSAY_ROOFLINE_DOCUMENT_H
#define ASSAY_ROOFLINE_DOCUMENT_H

#include <jansson.h>

/*
 * The roofline of each experiment that asks for one: where a treatment's arithmetic intensity puts
 * it, what the measured ceilings allow there, and what it reached. Adds "roofline" to the case
 * documents (layout in docs/formats.md) and a warning "above_roof" where more than the roof was
 * reached. After rates_judge.
 */
void roofline_judge(const json_t *study, json_t *cases);

#endif

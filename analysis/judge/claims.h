#ifndef ASSAY_CLAIMS_H
#define ASSAY_CLAIMS_H

#include <jansson.h>

/*
 * The author's claims against the data: supported when the interval of log(new/old) lies inside
 * the claimed region, refuted when it is disjoint from it, else open; Holm's correction over
 * all claims of the study (the level of each step is 1 - 0.05 / number of claims not yet
 * settled). A claim about several cases is supported when each of them supports it and refuted
 * when one does. Levels are those of the cases' stop rules: 5 % is what a fixed number of pairs
 * has to spend. A claim about an exploratory case says so. Obeys invalid cases and the label-bias cap. A new array, layout "claims".
 */
json_t *claims_judge(const json_t *study, const json_t *cases);

#endif

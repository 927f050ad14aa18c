#ifndef ASSAY_ACROSS_H
#define ASSAY_ACROSS_H

#include <jansson.h>

/*
 * The results of each treatment under two identities, from their case documents (stats/C.json in
 * docs/formats.md): the primary metric of `to`, item by item. The two were measured at different
 * times, so their groups are no pairs: an unpaired shift of the logarithms, given as a speedup
 * (above 1: `to` is better), and no verdict. Treatments go together by name; what is left, by
 * number. A new array, "treatments" of "assay-diff-1". Pure.
 */
json_t *across_list(const json_t *from, const json_t *to);

#define ACROSS_CONFIDENCE 0.95

#endif

#ifndef ASSAY_LABELS_H
#define ASSAY_LABELS_H

#include <jansson.h>

/*
 * The label-bias control: A' (a byte copy of A launched along B's path) against A, over the
 * A/A pairs of all cases of an experiment. Where 1 is outside the 99 % interval the set-up
 * itself favours a label, and the experiment's verdicts are capped at inconclusive: changes
 * them, their reasons and sentences in `cases`. Below 10 A/A pairs nothing is capped.
 * A new array, one object an experiment, layout "label_bias" in docs/formats.md.
 */
json_t *labels_judge(const json_t *study, json_t *cases);

#endif

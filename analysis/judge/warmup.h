#ifndef ASSAY_WARMUP_H
#define ASSAY_WARMUP_H

#include "analysis/judge/case.h"

/*
 * "unequal_warmup": a treatment that is still warming up while it is timed, compared with one that is
 * not. A group's excess is the median of its first quarter of samples over that of its last half; where
 * the excesses of two compared treatments differ by more than 5 % and by Mann-Whitney at 1 %, their
 * ratio is partly one of warm-ups. Only the worst comparison is told; groups of fewer than 4 samples tell nothing.
 */
void warmup_warn(const struct case_input *input, json_t *warnings);

#endif

#ifndef ASSAY_SUPPORTABLE_H
#define ASSAY_SUPPORTABLE_H

#include "base/error.h"
#include "spec/study.h"

/*
 * The planner's refusal. An exact test of n pairs has a smallest p, and Holm's correction asks
 * the first of m claims to be settled for 5 %/m. A claim that no result of the planned pairs
 * could ever support is a mistake of the plan, to be told before anything is measured.
 *
 * -1 with *error (EXIT_BAD_INPUT) at the claim's file and line: the pairs that it has and those
 * that it would need.
 */
int claims_supportable(const struct study *study, struct error *error);

#endif

#ifndef ASSAY_WORK_DONE_H
#define ASSAY_WORK_DONE_H

#include "analysis/judge/case.h"

/*
 * Was the work done that a runner's CFG line tells of? A compiler deletes what nobody reads, and what
 * is left takes no time.
 *
 * "impossible_rate": more elements or operations a second than any CPU of today can do.
 * "work_without_time": over the cases of an experiment a pass gets four times as many elements and more, and
 * takes hardly longer.
 */

/* A new array, "work_done" of a case document: {name, len, iters, pass_ns, check} of each treatment that
 * tells; the first three of the median group. */
json_t *work_done_document(const struct case_input *input);

/* Of one case. */
void work_done_warn(const struct case_input *input, json_t *warnings);

/* Over the cases of each experiment of build/study.json: adds to the warnings of their documents. */
void work_done_judge(const json_t *study, json_t *cases);

#endif

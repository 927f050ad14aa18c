#ifndef ASSAY_WORK_H
#define ASSAY_WORK_H

#include "store/reader.h"

/*
 * Metrics divided by the work of their sample (per = "flop"): adds to each sample, for each entry of
 * plan->divided, the value of the column over CFG's elements times passes, times the operations an
 * element that the treatment declares (cfg = { flops = … }), 1 where it declares none.
 * Where CFG tells no work the reading has a problem and no samples.
 */
void work_divide(const struct plan *plan, const struct record *record, struct reading *reading);

#endif

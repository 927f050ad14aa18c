#ifndef ASSAY_DOCTOR_KERNEL_H
#define ASSAY_DOCTOR_KERNEL_H

#include <stdint.h>

/*
 * The program that the doctor measures against itself: arithmetic and loads from the second-level
 * cache, each step waiting for the one before, so that clock, caches and neighbours all show.
 */

/* That many steps; the result depends on each of them. */
uint64_t kernel_run(uint64_t steps);
/* How many steps take about this long here. */
uint64_t kernel_steps_for(double seconds);

#endif

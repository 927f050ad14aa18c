#ifndef ASSAY_CLOCKS_H
#define ASSAY_CLOCKS_H

#include "analysis/judge/case.h"

/*
 * Does the clock of a metric see what is compared?
 *
 * "cpu_clock": a metric is CPU time, and a treatment runs on several CPUs at once, which adds up.
 * "cpu_clock_waits": it waits, which counts nothing. Neither says how long anybody waits for the result. A
 * waiting treatment is one with more voluntary than involuntary switches: it was not just put off its CPU.
 * "short_samples": a sample of a runner takes hardly longer than the looks at the clock around it.
 */
void clocks_warn(const struct case_input *input, json_t *warnings);

/* How many CPUs a treatment's samples kept busy at the most; NaN where nothing tells. */
double clocks_busy_cpus(const struct observations *all, size_t treatment);

#endif

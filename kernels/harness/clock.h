/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_CLOCK_H
#define ASSAY_CLOCK_H

/* The clocks of the harness. */

#include <stdbool.h>
#include <stdint.h>

#include "assay_harness.h"

/* All clocks answer and are in the cache afterwards; else -1 and the error says which. */
int assay_clock_check(struct assay_error *error);

/* Nanoseconds of wall time that no time daemon slews (CLOCK_MONOTONIC_RAW). */
uint64_t assay_wall_ns(void);

/* Nanoseconds that this thread has been running (CLOCK_THREAD_CPUTIME_ID). */
uint64_t assay_cpu_ns(void);

/* The same of all threads of this process together (CLOCK_PROCESS_CPUTIME_ID). */
uint64_t assay_process_cpu_ns(void);

/* Cost of one call of the clock in nanoseconds: the mean of the quickest of some batches. */
double assay_clock_cost_ns(uint64_t (*clock)(void));

/* The smallest step above zero seen between two calls, in units of the clock. */
uint64_t assay_clock_step(uint64_t (*clock)(void));

/* The time stamp counter; 0 where the harness knows none. */
uint64_t assay_tsc(void);

/* The processor promises a rate that does not follow its frequency (CPUID 80000007h). */
bool assay_tsc_invariant(void);

/*
 * Ticks a second, the largest of three windows of 30 ms against the wall clock; 0 with the
 * reason in the error where there is no counter or it does not run at a constant rate.
 * The calling thread must be pinned.
 */
double assay_tsc_hz(struct assay_error *error);

#endif

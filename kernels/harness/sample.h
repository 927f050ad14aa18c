/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_SAMPLE_H
#define ASSAY_SAMPLE_H

#include <stdint.h>

#include "assay_harness.h"

/* One timed value: iters passes. */
struct assay_sample {
	uint64_t wall_ns;
	uint64_t cpu_ns;    /* of a kernel with threads: of all of them */
	uint64_t caller_ns; /* of the thread that calls the passes */
};

/* Runs iters passes between two reads of both clocks. */
void assay_sample_take(const struct assay_kernel *kernel, void *state, uint64_t iters,
	struct assay_sample *sample);

#endif

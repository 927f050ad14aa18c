/* SPDX-License-Identifier: MIT */
#include "clock.h"
#include "sample.h"

/* cpu_us is the host's all the same: what it took to keep the device busy. */
static void
take_by_own_clock(const struct assay_kernel *kernel, void *state, uint64_t iters,
	struct assay_sample *sample)
{
	uint64_t cpu_start = assay_cpu_ns();

	sample->wall_ns = kernel->sample_ns(state, iters);
	sample->cpu_ns = sample->caller_ns = assay_cpu_ns() - cpu_start;
}

/*
 * The wall clock is the inner one: it decides the verdicts, and its read is the cheaper of the
 * two (no system call). cpu_us therefore holds one read of each clock more than wall_us, and
 * can be above it by that much.
 */
static void
take_passes(const struct assay_kernel *kernel, void *state, uint64_t iters, struct assay_sample *sample)
{
	void (*pass)(void *) = kernel->pass;
	uint64_t cpu_start = assay_cpu_ns();
	uint64_t wall_start = assay_wall_ns();
	uint64_t wall_end, cpu_end;

	for (uint64_t i = 0; i < iters; i++) {
		pass(state);
		assay_clobber();
	}
	wall_end = assay_wall_ns();
	cpu_end = assay_cpu_ns();
	sample->wall_ns = wall_end - wall_start;
	sample->cpu_ns = sample->caller_ns = cpu_end - cpu_start;
}

/* With threads the CPU time of all counts: that of the one which waits for the others says nothing
 * of the work. */
void
assay_sample_take(const struct assay_kernel *kernel, void *state, uint64_t iters,
	struct assay_sample *sample)
{
	uint64_t all_start;

	if (kernel->sample_ns) {
		take_by_own_clock(kernel, state, iters, sample);
		return;
	}
	all_start = kernel->threaded ? assay_process_cpu_ns() : 0;
	take_passes(kernel, state, iters, sample);
	if (kernel->threaded)
		sample->cpu_ns = assay_process_cpu_ns() - all_start;
}

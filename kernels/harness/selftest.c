/* SPDX-License-Identifier: MIT */
#include "clock.h"
#include "sample.h"
#include "selftest.h"

#define EMPTY_PASSES UINT64_C(1000000)
#define EMPTY_SAMPLES 21

static void
line(FILE *out, const char *name, double value, const char *unit)
{
	fprintf(out, "SELFTEST %s %.17g %s\n", name, value, unit);
}

static void
empty_pass(void *state)
{
	assay_keep(state);
}

/* Through assay_sample_take, so that it is the loop of the real samples that is measured. */
static struct assay_sample
least_sample(uint64_t iters)
{
	const struct assay_kernel kernel = {.name = "empty", .pass = empty_pass};
	struct assay_sample least = {UINT64_MAX, UINT64_MAX, UINT64_MAX};

	for (int i = 0; i < EMPTY_SAMPLES; i++) {
		struct assay_sample sample;
		assay_sample_take(&kernel, NULL, iters, &sample);
		if (sample.wall_ns < least.wall_ns)
			least = sample;
	}
	return least;
}

static void
test_tsc(FILE *out)
{
	struct assay_error error = {""};
	double hz = assay_tsc_hz(&error);

	line(out, "tsc_rate", hz, "Hz");
	if (hz > 0)
		line(out, "tsc_cost", assay_clock_cost_ns(assay_tsc), "ns");
	else
		fprintf(out, "# %s\n", error.message);
}

static void
test_clocks(FILE *out)
{
	line(out, "wall_clock_cost", assay_clock_cost_ns(assay_wall_ns), "ns");
	line(out, "wall_clock_step", (double)assay_clock_step(assay_wall_ns), "ns");
	line(out, "cpu_clock_cost", assay_clock_cost_ns(assay_cpu_ns), "ns");
	line(out, "cpu_clock_step", (double)assay_clock_step(assay_cpu_ns), "ns");
	fputs("# Cost: what one read of the clock takes. Step: the least that it moves by.\n",
		out);
}

/* A sample's time is uncertain by what the clocks add and by one step: 0.1 % of a sample a
 * thousand times that. */
static void
test_samples(FILE *out)
{
	struct assay_sample empty = least_sample(1);
	double passes_ns = (double)least_sample(EMPTY_PASSES).wall_ns;
	double wall_ns = (double)empty.wall_ns;
	double shortest_us = wall_ns + (double)assay_clock_step(assay_wall_ns);

	line(out, "empty_sample_wall", wall_ns, "ns");
	line(out, "empty_sample_cpu", (double)empty.cpu_ns, "ns");
	line(out, "pass_cost", passes_ns / (double)EMPTY_PASSES, "ns");
	line(out, "shortest_sample", shortest_us, "us");
	fprintf(out,
		"# The clocks add %.3g ns to each wall time and %.3g ns to each CPU time,\n"
		"# the loop around the passes %.2g ns a pass. Wall times from %.3g us on are\n"
		"# good to 0.1 %%; choose --iters so that samples are longer than that.\n",
		wall_ns, (double)empty.cpu_ns, passes_ns / (double)EMPTY_PASSES, shortest_us);
}

void
assay_selftest(int affinity, FILE *out)
{
	line(out, "affinity", affinity, "cpu");
	test_clocks(out);
	test_samples(out);
	test_tsc(out);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "assay_harness.h"
#include "clock.h"
#include "options.h"
#include "pin.h"
#include "report.h"
#include "sample.h"
#include "selftest.h"
#include "tracer.h"

/* A sample is told to be short from this many times the cost of its clock on down. */
#define SHORT_SAMPLE_READS 100

enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
};

static void
say(const struct assay_program *program, const struct assay_error *error)
{
	if (error->message[0])
		fprintf(stderr, "%s: %s\n", program->name, error->message);
}

/* One pass with its output checked, then whole samples that nobody times. */
static int
verify_and_warm_up(const struct assay_settings *settings, void *state,
	struct assay_error *error)
{
	const struct assay_kernel *kernel = settings->kernel;
	struct assay_sample ignored;
	struct assay_error wrong = {""};

	kernel->pass(state);
	assay_clobber();
	if (kernel->check(state, &wrong) != 0)
		return assay_fail(error,
			"%s computes a wrong result, nothing was timed: %.300s",
			kernel->name, wrong.message);
	for (uint64_t i = 0; i < settings->warmup_samples; i++)
		assay_sample_take(kernel, state, settings->iters, &ignored);
	return 0;
}

/* Time 0 makes no rate, and a reader takes the whole group as invalid. */
static int
judge_samples(const struct assay_settings *settings, const struct assay_sample *samples,
	struct assay_error *warning, struct assay_error *error)
{
	double cost_ns = assay_clock_cost_ns(assay_wall_ns);
	uint64_t least = UINT64_MAX;

	for (uint64_t i = 0; i < settings->samples; i++)
		if (samples[i].wall_ns < least)
			least = samples[i].wall_ns;
	if (least == 0 && settings->kernel->sample_ns)
		return assay_fail(error, "a sample could not be timed by the kernel's own clock");
	if (least == 0)
		return assay_fail(error, "a sample took no time that the clock can see; "
			"raise --iters");
	if ((double)least < SHORT_SAMPLE_READS * cost_ns)
		assay_fail(warning,
			"warning: a sample took %.4g ns and reading the clock %.3g ns; "
			"raise --iters", (double)least, cost_ns);
	return 0;
}

/*
 * Samples of their own behind the timed ones: whatever counting costs, no time holds it. They are
 * of the same process, so that they explain its times.
 */
static void
count(const struct assay_settings *settings, void *state, struct assay_counted *counted,
	struct assay_report *report)
{
	struct assay_counters *counters = settings->counters;
	struct assay_sample sample;
	uint64_t passes = settings->samples;

	if (!settings->kernel->threaded)
		assay_counters_open(counters);
	if (!assay_counters_any(counters))
		return;
	for (uint64_t i = 0; i < passes && i < ASSAY_COUNT_PASSES; i++) {
		assay_counters_start(counters);
		assay_sample_take(settings->kernel, state, settings->iters, &sample);
		assay_counters_stop(counters, &counted[i]);
		counted[i].wall_us = (double)sample.wall_ns / 1e3;
		counted[i].cpu_us = (double)sample.cpu_ns / 1e3;
		report->counted_count++;
	}
	report->counted = counted;
}

static int
measure(const struct assay_program *program, const struct assay_settings *settings,
	void *state, struct assay_sample *samples, struct assay_counted *counted,
	struct assay_report *report, struct assay_error *error)
{
	struct assay_error warning = {""};

	if (verify_and_warm_up(settings, state, error) != 0)
		return -1;
	for (uint64_t i = 0; i < settings->samples; i++)
		assay_sample_take(settings->kernel, state, settings->iters, &samples[i]);
	if (judge_samples(settings, samples, &warning, error) != 0)
		return -1;
	say(program, &warning);
	assay_tracer(report->tracer, sizeof report->tracer);
	if (settings->counters)
		count(settings, state, counted, report);
	settings->kernel->work(state, &report->work);
	report->samples = samples;
	report->check = assay_checksum(report->work.output, report->work.output_bytes);
	return 0;
}

/* Buffered, so that a write that fails late still counts. */
static int
flush(FILE *out, struct assay_error *error)
{
	if (fflush(out) != 0 || ferror(out))
		return assay_fail(error, "cannot write the results to stdout: %s",
			strerror(errno));
	return 0;
}

static int
run_kernel(const struct assay_program *program, const struct assay_settings *settings,
	struct assay_report *report, struct assay_error *error)
{
	const struct assay_kernel *kernel = settings->kernel;
	struct assay_counted counted[ASSAY_COUNT_PASSES];
	struct assay_sample *samples;
	void *state = NULL;
	int status = -1;

	/* Threads are counted from their start on, and a kernel may start its own in set_up. */
	if (kernel->threaded && settings->counters)
		assay_counters_open(settings->counters);
	samples = assay_alloc(settings->samples, sizeof *samples, error);
	if (samples && kernel->set_up(&state, error) == 0)
		status = measure(program, settings, state, samples, counted, report, error);
	if (status == 0)
		assay_report_write(report, stdout);
	if (kernel->tear_down)
		kernel->tear_down(state);
	if (settings->counters)
		assay_counters_close(settings->counters);
	free(samples);
	return status;
}

static int
run(const struct assay_program *program, const struct assay_settings *settings,
	struct assay_error *error)
{
	struct assay_report report = {.settings = settings};
	struct assay_error warning = {""};

	if (assay_clock_check(error) != 0)
		return -1;
	report.affinity = assay_pin(settings->cpu, &warning);
	if (warning.message[0] != '\0')
		snprintf(report.cpus, sizeof report.cpus, "-1");
	else
		assay_pin_list(report.cpus, sizeof report.cpus);
	say(program, &warning);
	if (settings->action == ASSAY_SELF_TEST) {
		assay_selftest(report.affinity, stdout);
		return 0;
	}
	warning.message[0] = '\0';
	if (settings->tsc)
		report.tsc_hz = assay_tsc_hz(&warning);
	say(program, &warning);
	return run_kernel(program, settings, &report, error);
}

int
assay_main(int argc, char **argv, const struct assay_program *program)
{
	struct assay_settings settings;
	struct assay_error error = {""};
	int status = 0;

	if (assay_options_parse(program, argc, argv, &settings, &error) != 0) {
		say(program, &error);
		return EXIT_USAGE;
	}
	if (settings.action == ASSAY_HELP)
		assay_options_help(program, stdout);
	else if (settings.action == ASSAY_LIST)
		assay_options_list(program, stdout);
	else
		status = run(program, &settings, &error);
	if (status == 0)
		status = flush(stdout, &error);
	say(program, &error);
	return status == 0 ? EXIT_DONE : EXIT_FAILED;
}

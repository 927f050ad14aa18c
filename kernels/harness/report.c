/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "report.h"

static void
write_sample(const struct assay_report *report, const struct assay_sample *sample, FILE *out)
{
	double seconds = (double)sample->wall_ns / 1e9;
	double passes = (double)report->settings->iters;

	fprintf(out, "RESULT %.17g %.17g %.17g\n", (double)sample->wall_ns / 1e3,
		(double)sample->cpu_ns / 1e3, report->work.flops * passes / seconds);
	if (report->settings->kernel->threaded)
		fprintf(out, "METRIC caller_cpu_us %.17g us\n", (double)sample->caller_ns / 1e3);
	if (report->work.bytes > 0)
		fprintf(out, "METRIC bytes_per_s %.17g B/s\n",
			report->work.bytes * passes / seconds);
	if (report->work.each)
		fprintf(out, "METRIC ns_per_%s %.17g ns\n", report->work.each,
			(double)sample->wall_ns / passes / (double)report->work.len);
}

void
assay_report_write(const struct assay_report *report, FILE *out)
{
	const struct assay_settings *settings = report->settings;

	fprintf(out, "CFG %" PRIu64 " %" PRIu64 "\n", report->work.len, settings->iters);
	fprintf(out, "MODE %s\n", settings->kernel->name);
	fprintf(out, "AFFINITY %s\n", report->cpus);
	if (settings->tsc)
		fprintf(out, "TSC %.17g\n", report->tsc_hz);
	if (report->tracer[0])
		fprintf(out, "TRACED %s\n", report->tracer);
	for (uint64_t i = 0; i < settings->samples; i++)
		write_sample(report, &report->samples[i], out);
	for (int i = 0; i < report->counted_count; i++)
		assay_counters_write(settings->counters, &report->counted[i], out);
	if (settings->counters)
		assay_counters_write_missing(settings->counters, out);
	fprintf(out, "CHECK 0x%016" PRIx64 "\n", report->check);
}

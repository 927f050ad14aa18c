/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include <stdio.h>

#include "assay_harness.h"
#include "options.h"
#include "sample.h"

/* All that the lines of a group are made of. */
struct assay_report {
	const struct assay_settings *settings;
	int affinity;		/* the one CPU, or -1 */
	char cpus[2048];	/* all CPUs that it may run on, or "-1" */
	double tsc_hz;	/* printed only when settings->tsc */
	struct assay_work work;
	const struct assay_sample *samples;	/* settings->samples of them */
	const struct assay_counted *counted;	/* counted_count, none of them timed */
	int counted_count;
	uint64_t check;
	char tracer[32];	/* "" unless another process traces this one */
};

/* Writes the group in the line protocol (docs/protocol.md); errors stay in the stream. */
void assay_report_write(const struct assay_report *report, FILE *out);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_OPTIONS_H
#define ASSAY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "assay_harness.h"
#include "counters.h"

enum assay_action {
	ASSAY_RUN,
	ASSAY_HELP,
	ASSAY_LIST,
	ASSAY_SELF_TEST,
};

/* What the command line asked for, checked. kernel is NULL unless the action is ASSAY_RUN. */
struct assay_settings {
	enum assay_action action;
	const struct assay_kernel *kernel;
	uint64_t samples;
	uint64_t warmup_samples;
	uint64_t iters;
	int cpu;	/* a CPU or one of ASSAY_CPU_*, see pin.h */
	bool tsc;
	struct assay_counters *counters;	/* NULL unless asked for */
};

/*
 * Fills the settings and the values of the program's own options. -1 with the error filled on
 * an unknown option, a value out of bounds (the message holds the bounds) or no such kernel.
 */
int assay_options_parse(const struct assay_program *program, int argc, char **argv,
	struct assay_settings *settings, struct assay_error *error);

void assay_options_help(const struct assay_program *program, FILE *out);

/* One kernel a line: name, tab, summary. */
void assay_options_list(const struct assay_program *program, FILE *out);

#endif

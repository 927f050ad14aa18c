/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_PIN_H
#define ASSAY_PIN_H

#include "assay_harness.h"

#define ASSAY_CPU_MAX 65535

/* What --cpu asks for, when it is not the number of a CPU. */
enum {
	ASSAY_CPU_LAST = -1,	/* the last CPU that this process may use */
	ASSAY_CPU_NONE = -2,	/* whatever the parent has set */
	ASSAY_CPU_UNSET = -3,	/* last, or none for a kernel with threads */
};

/*
 * Pins the calling thread and returns the one CPU that it may run on from now, or -1. The error
 * tells why pinning failed and is empty otherwise; a parent that allows several CPUs and
 * --cpu=none is -1 without an error.
 */
int assay_pin(int cpu, struct assay_error *error);

/* The CPUs that the calling thread may run on, for the AFFINITY line: "0,1". "-1" when they can't
 * be had, or are too many for the text. */
void assay_pin_list(char *text, size_t room);

#endif

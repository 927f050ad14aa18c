/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_EVENTS_H
#define ASSAY_EVENTS_H

#include "counters.h"

enum assay_event_kind {
	ASSAY_OF_THREAD,	/* perf_event_open for this process */
	ASSAY_OF_MEMORY,	/* the memory controllers' counters, uncore_imc in /sys */
	ASSAY_OF_ENERGY,	/* RAPL, /sys/class/powercap */
};

struct assay_event {
	const char *name;
	enum assay_event_kind kind;
	unsigned type;			/* of a thread: the kernel's numbers */
	unsigned long long config;
	const char *leader;	/* counted at the same moments as this one, where possible */
	const char *source;	/* memory: the file of the event; energy: the zone's name */
};

/* NULL: unknown. */
const struct assay_event *assay_event_find(const char *name);
/* All of them; ends with a name that is NULL. */
extern const struct assay_event assay_events[];

/* Adds the event's places to the counter, or fills its reason. */
void assay_event_open(const struct assay_counters *all, struct assay_counter *counter);
void assay_memory_open(struct assay_counter *counter);
void assay_energy_open(struct assay_counter *counter);

/* A file below /sys, or below $ASSAY_SYSROOT/sys where that is set; -1: errno says why. */
int assay_sys_open(const char *path);
/* Its first line, without the newline. */
int assay_sys_read(const char *path, char *text, size_t size);
/* The folder, for scanning its names; "" when the path is too long. */
void assay_sys_path(const char *path, char *full, size_t size);

/* One descriptor of perf_event_open; -1: errno says why. */
int assay_perf_open(unsigned type, unsigned long long config, int cpu, int leader);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_COUNTERS_H
#define ASSAY_COUNTERS_H

/*
 * What --counters= asks for: hardware and software events of the kernel (perf_event_open), bytes
 * at the memory controllers, energy. Each is counted or has a reason why not; asking for an event
 * that a machine lacks is no error.
 *
 * Events of the program are those in user space, of the calling thread and of the threads that it
 * starts after assay_counters_open(). Memory controllers and energy are the whole machine's.
 */

#include <stdbool.h>
#include <stdio.h>

#include "assay_harness.h"

#define ASSAY_COUNTERS 32	/* events that can be asked for */
#define ASSAY_SOURCES 64	/* places that one event is summed over: controllers, packages */
#define ASSAY_COUNT_PASSES 5	/* counted samples of a process, at most */

struct assay_event;

/* One place: a descriptor of the kernel, or a file that holds a growing number. */
struct assay_source {
	int fd;
	double scale;		/* of the number that is read */
	double wraps_at;	/* the number starts again at 0 behind it; 0: never */
	double count, enabled, running;	/* as of the start */
};

struct assay_counter {
	const struct assay_event *event;
	struct assay_source sources[ASSAY_SOURCES];
	int source_count;	/* 0: it cannot be counted */
	char reason[200];	/* then why */
};

struct assay_counters {
	struct assay_counter items[ASSAY_COUNTERS];
	int count;
};

/* What one counted sample came to. */
struct assay_count {
	double count;		/* as counted, not scaled up */
	double fraction;	/* of the time that the event was on the processor, 0 to 1 */
};
struct assay_counted {
	double wall_us, cpu_us;
	struct assay_count counts[ASSAY_COUNTERS];
};

/* The events of a list such as "cycles,instructions"; -1 when one is unknown or there twice. */
int assay_counters_parse(const char *list, struct assay_counters *counters,
	struct assay_error *error);

/* Opens each event, stopped. It costs the timed samples nothing but a flag that the kernel looks
 * at when it switches threads. */
void assay_counters_open(struct assay_counters *counters);
/* Whether there is anything to count. */
bool assay_counters_any(const struct assay_counters *counters);
void assay_counters_close(struct assay_counters *counters);

/* Around what is counted. */
void assay_counters_start(struct assay_counters *counters);
void assay_counters_stop(struct assay_counters *counters, struct assay_counted *counted);

/* COUNTED and COUNTER lines of one counted sample; the NOCOUNTER lines. */
void assay_counters_write(const struct assay_counters *counters,
	const struct assay_counted *counted, FILE *out);
void assay_counters_write_missing(const struct assay_counters *counters, FILE *out);

/* The names that --counters= knows, for --help. */
void assay_counters_list(FILE *out);

#endif

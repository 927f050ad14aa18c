#ifndef ASSAY_PROTOCOL_H
#define ASSAY_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * The line protocol of a runner (DESIGN 4.5, docs/protocol.md): bytes in, records out. A push
 * parser: feed it any split of the output, then finish. Pure; no I/O.
 *
 *     CFG <len> <iters>                    once; integers from 0
 *     MODE <name>                          once
 *     AFFINITY <cpus>                      once; "0,1": several; -1: pinning failed
 *     TSC <hz>                             once; 0: calibration failed
 *     TRACED <name>                        once; another process traced it while it was timed
 *     ITEM <name>                          the following samples belong to it
 *     RESULT <wall_us> <cpu_us> <flops>    wall_us above 0, the others from 0
 *     METRIC <name> <value> [unit]         of the latest sample, each name once
 *     COUNTED <wall_us> <cpu_us>           a sample that was counted and not timed
 *     COUNTER <event> <count> <fraction>   of the latest RESULT or COUNTED; fraction from 0 to 1
 *     NOCOUNTER <event> <reason...>        an event that was asked for and can't be counted
 *     CHECK <sum>                          once, after all samples
 *
 * A known line starts with its word in the first column, followed by a space, a tab or the end of
 * the line; all others are unknown: counted, no problem. Fields are separated by spaces and tabs.
 * Numbers are finite, as strtod in the C locale reads them. Names have up to PROTOCOL_NAME bytes
 * of [A-Za-z0-9_.:/+-]. A known line is at most PROTOCOL_LINE bytes long and ends with a newline.
 */

#define PROTOCOL_LINE 4096
#define PROTOCOL_NAME 64
#define PROTOCOL_SAMPLES 1000000
#define PROTOCOL_METRICS 256 /* of one sample */

struct protocol_metric {
	char *name, *unit; /* unit "" when none was given */
	double value;
};

struct protocol_sample {
	char *item; /* "" */
	double wall_us, cpu_us, flops;
	struct protocol_metric *metrics; /* METRIC lines after the RESULT line; COUNTER lines too,
	                                    named counter_<event> and fraction_<event> */
	size_t metric_count;
};

struct protocol_count {
	char *event;
	double count, fraction;
};

/* What COUNTER lines say of one sample. */
struct protocol_counted {
	char *item; /* "" */
	bool timed; /* the sample is a RESULT; else it was run to be counted alone */
	double wall_us, cpu_us;
	struct protocol_count *counts;
	size_t count;
};

struct protocol_missing {
	char *event, *reason;
};

struct protocol_output {
	char *mode;               /* NULL: no MODE line */
	long long len, iters;     /* -1: no CFG line */
	char *cpus;               /* "0,1" of AFFINITY; NULL: failed or no line */
	bool has_affinity;
	char *tracer;             /* NULL: no TRACED line */
	double tsc_hz;            /* 0: failed or no line */
	char *check;              /* NULL: no CHECK line */
	struct protocol_sample *samples;
	size_t sample_count;
	struct protocol_counted *counted;
	size_t counted_count, counted_capacity;
	struct protocol_missing *missing; /* events, each once */
	size_t missing_count;
	size_t unknown_lines;     /* empty ones too */
	char *problem;            /* NULL, or why the output is invalid: the first line's number and
	                             reason; lines with a problem are left out of the rest */
};

struct protocol; /* a parser */

struct protocol *protocol_begin(void);
void protocol_feed(struct protocol *parser, const char *bytes, size_t length);
/* Ends the parser; *output is filled (protocol_output_free) even when it has a problem. */
void protocol_finish(struct protocol *parser, struct protocol_output *output);
void protocol_output_free(struct protocol_output *output);

#endif

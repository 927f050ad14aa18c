#ifndef ASSAY_TRIAL_H
#define ASSAY_TRIAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "doctor/finding.h"

/*
 * An A/A on this machine: a program of known length against a byte copy of itself, launched as a
 * session launches groups, in pairs AB, BA, AB, … Its spread tells what a comparison can see here.
 */

#define TRIAL_FINDING "smallest effect" /* the name of the finding that tells them */
#define TRIAL_PAIRS 16     /* that the answers are for; at least so many are measured */

struct trial {
	double asked_s;          /* how long it should take */
	int cpu;                 /* pinned to; -1: not */
	/* What was seen. */
	size_t pairs, runs;
	double seconds;
	double run_ms;           /* median over the runs */
	double sd;               /* of log(b/a) of single pairs, the slot effect taken out */
	double effect_percent;   /* the smallest difference that TRIAL_PAIRS find 80 times of 100; NaN */
	double floor_percent;    /* noise floor of TRIAL_PAIRS; NaN */
	double bias_percent;     /* of the copy against the program */
	bool biased;             /* and that is no accident (99 %) */
	size_t interrupted_runs; /* whose time exceeds their CPU time by more than 5 % */
	double own_cpu_s;        /* what the runs and we ourselves used */
	double clock_read_ns;
};

/* Takes about trial->asked_s; the caller holds the machine's lock. Ends early when *interrupted
 * becomes true. -1 with *error: nothing is known. Temporary files are gone afterwards. */
int trial_run(struct trial *trial, const volatile int *interrupted, struct error *error);
/* A new object. */
json_t *trial_json(const struct trial *trial);
/* The findings that rest on it. */
void trial_judge(const struct trial *trial, struct findings *findings);
/* That there is none, and why. */
void trial_not_run(const char *reason, struct findings *findings);

#endif

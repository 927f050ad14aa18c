#ifndef ASSAY_PLAN_H
#define ASSAY_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "spec/study.h"

/*
 * A case's plan: all that a session needs to launch its groups, as written by `assay generate`
 * to build/plan/<case_id>.json and copied, with the chunks resolved, into each session of the
 * store. The file's keys are the fields below (docs/formats.md), but for the design's four
 * switches, which are words: "order", "aa_placement", "stop", "collapse". Paths as in study.h.
 * Lists of name=value are sorted by name.
 */

struct plan_program {
	char *path;
	bool built;
	bool by_inputs;
	struct texts identity_inputs;
	char *identity_command;   /* "" when by content */
	struct texts scripts;
	char *source;             /* NULL; made from a revision: build/source/… with source.json */
};

struct plan_treatment {
	char *name, *variant;
	json_t *blocked;          /* object: the values of the blocked dimensions; NULL: none */
	struct plan_program program;
	struct texts args;
	struct settings env;
	char *stdin_path, *cwd;   /* NULL: /dev/null, the study's root */
	char *cpus;               /* NULL: the plan's */
	struct texts prepare, inputs;
	char *expect_mode;        /* NULL: any */
	long long expect_len, expect_iters; /* -1: any */
	double expect_flops;      /* operations an element and pass; 0: not declared */
	bool lowers_scale, ignore_exit;
	struct settings needs;    /* what commands of `needs` printed: versions, as a rule */
	char *skipped;            /* what it needs and is not here; NULL: nothing lacks */
	bool left_out;            /* not in the file: no group of it is in the schedule. So is one that
				     is skipped, unless the records were made with it (identity_settle) */
};

/* One stretch of blocks laid out together. Resolved at the session's start from the store. */
struct chunk {
	int pairs, aa_pairs;
	unsigned long long seed;
};

struct plan {
	char *case_id, *experiment;
	json_t *point;            /* object, the unblocked dimensions */
	struct plan_treatment *treatments;
	size_t treatment_count;
	struct comparison *comparisons;
	size_t comparison_count;
	char *reader, *items;     /* items NULL: all */
	struct settings patterns; /* metric name = Lua pattern */
	struct settings metrics;  /* metric name = "lower" or "higher"; the primary is `primary` */
	struct settings divided;  /* metric name = the column that it divides by the work */
	char *primary;
	struct group_check check;
	struct texts counters;    /* events that are counted beside the timed samples; in the file only
				     where there are any */
	char *cpus;
	struct design design;
	struct group_report group_report;
	struct best_search search;
	double load_above, preempted_above;
	struct chunk *chunks;     /* empty in build/plan; filled in a session's plan.json */
	size_t chunk_count;
};

/* Fills *plan (plan_free) from the model; copies everything. */
void plan_from_case(const struct study *study, const struct experiment *experiment,
		    const struct study_case *one, struct plan *plan);
/* -1 with *error naming file and line; *plan is then empty and needs no plan_free. */
int plan_read(const char *path, struct plan *plan, struct error *error);
/* flags as file_write (base/file.h). */
int plan_write(const char *path, const struct plan *plan, unsigned file_write_flags,
	       struct error *error);
void plan_free(struct plan *plan);

/* How many treatments the schedule has; their numbers, where `numbers` has room for all. */
size_t plan_measured(const struct plan *plan, int *numbers);
/* A, of which A' is the copy: the first treatment that is measured. */
int plan_baseline(const struct plan *plan);
/* The treatment of a record; of A' it is A. */
const struct plan_treatment *plan_treatment(const struct plan *plan, int number);

/* Which CPUs a treatment's groups get, as launch_cpus reads it. */
const char *plan_cpus(const struct plan *plan, int number);
/* How many cores such a wish asks for; 0: none in particular. */
int plan_cores(const char *wish);

/* The plan as the JSON value that plan_write writes; a new reference. */
json_t *plan_json(const struct plan *plan);
/* A design by its C names and the four words above: also what build/study.json holds. */
json_t *plan_design_json(const struct design *design);

#endif

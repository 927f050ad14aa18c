#ifndef ASSAY_JUDGE_SCENE_H
#define ASSAY_JUDGE_SCENE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/judge/case.h"
#include "base/buffer.h"

/* A measured case, written by hand: its samples.csv and what the analysis wants beside it. */
/* The last columns of a row, where a program says nothing of them. */
#define SCENE_TOLD_NOTHING ",,,,,,,,"

struct scene {
	struct plan plan;
	struct plan_treatment treatments[2];
	struct comparison comparison;
	struct setting metric;
	struct buffer csv;
	const char *cpus;          /* of the groups that are put: "1", "0,1" */
	int order, block;
	const char *remark;        /* of the groups that are ok; NULL: none */
	int leftovers[3]; /* of each group of the treatment */
	struct { /* the same, of groups put after it was set; 0: the cell is empty */
		double len, iters, flops, process_cpu, caller_cpu; /* the last two in times of the wall time */
		int voluntary;
	} told[3];
	json_t *looks, *sessions, *identical, *builds;
	const char *regime_problem; /* NULL: none */
};

extern char scene_folder[]; /* of the test program */
int scene_make_folder(void **state);
int scene_remove_folder(void **state);

/* Variants plain and fast at n = 8, metric wall_us; scene_end. */
void scene_begin(struct scene *scene);
void scene_end(struct scene *scene, json_t *document);

/* One process with `count` samples around the value, and the CPU time they took. */
void put_samples(struct scene *scene, const char *phase, int treatment, int pair, int slot,
		 const double *wall_us, const double *cpu_us, int count, const char *check,
		 const char *status);
/* One process with three samples: value - 1, value, value + 1. */
void put_group(struct scene *scene, const char *phase, int treatment, int pair, int slot,
	       double value, const char *check, const char *status);
void put_pair(struct scene *scene, const char *phase, int pair, bool a_first, double a, double b,
	      int other);
/* `count` pairs, AB and BA in turn, with a small spread that is no noise at all. */
void put_pairs(struct scene *scene, int count, double a, double b);

/* The case's document; a new reference. */
json_t *analyse(struct scene *scene);
const json_t *comparison_of(const json_t *document);
/* The warning with that code, or NULL. */
const json_t *find_warning(const json_t *document, const char *code);
bool has_warning(const json_t *document, const char *code);

#endif

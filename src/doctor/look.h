#ifndef ASSAY_LOOK_H
#define ASSAY_LOOK_H

#include <jansson.h>
#include <stdbool.h>

#include "doctor/counters.h"
#include "doctor/finding.h"

/* What the findings rest on. Borrowed. */
struct scene {
	const json_t *facts;     /* of capture_hardware and capture_system (provenance) */
	const char *lock_status; /* of lock_print_status; NULL: unknown */
	const struct counters *before, *after;
	double seconds;          /* between the two; 0: they are one reading */
	double own_cpu_s;        /* what our own programs used in between */
	double clock_read_ns;    /* what a look at the clock costs; NaN: not measured */
	int cpu;                 /* that measured programs are pinned to; -1: unknown */
	bool root;
};

/* Adds the findings in the order in which they are best read. */
void look_cpu(const struct scene *scene, struct findings *findings);
void look_system(const struct scene *scene, struct findings *findings);

/* facts[group][name], borrowed; NULL when there is none. */
const json_t *scene_fact(const struct scene *scene, const char *group, const char *name);

#endif

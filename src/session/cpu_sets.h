#ifndef ASSAY_CPU_SETS_H
#define ASSAY_CPU_SETS_H

#include "base/error.h"
#include "schedule/plan.h"

/* The CPUs that each treatment's groups are pinned to. */

struct cpu_list {
	int *cpus, count; /* count 0: not pinned */
	int lacking;      /* cores that were asked for beyond those there are */
};

struct cpu_sets {
	struct cpu_list *items; /* [count]: by treatment, the last is A' */
	size_t count;
};

/* -1 with *error; call cpu_sets_free also then. */
int cpu_sets_find(const struct plan *plan, struct cpu_sets *sets, struct error *error);
void cpu_sets_free(struct cpu_sets *sets);

/* Who gets fewer cores than it asks for, in words; NULL: nobody. The caller frees. */
char *cpu_sets_lacking(const struct plan *plan, const struct cpu_sets *sets);

#endif

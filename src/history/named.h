#ifndef ASSAY_NAMED_H
#define ASSAY_NAMED_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

/*
 * The cases that some plan names: of the work tree as it is, of build/plan, and of every local branch
 * of the repository around it. A branch is evaluated as it would be after checking it out here:
 * its files in a temporary folder, and what of the work tree git does not track linked beside
 * them, since specs may read that. The repository is only read, and no program runs but git.
 */
struct named {
	json_t *cases;       /* {case_id: true} */
	json_t *sources;     /* [{"name", "cases": count | null: there is no study}] in words, for people */
	json_t *environment; /* {name: true} of variables that the specs ask for */
	bool in_repository;
};

/*
 * The current folder is the study's root. -1 with *error, which names the branch, when any of them
 * cannot be evaluated: then nothing is known. named_free in both cases.
 */
int named_find(struct named *named, struct error *error);
void named_free(struct named *named);
bool named_has(const struct named *named, const char *case_id);

#endif

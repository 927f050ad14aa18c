#ifndef ASSAY_CHECK_INDEX_H
#define ASSAY_CHECK_INDEX_H

#include "base/error.h"
#include "spec/study.h"

/*
 * build/check/<experiment>.json: what `assay check` looks after.
 *
 *	{ "format": "assay-check-1", "experiment", "machine": as in study{},
 *	  "cases": [ {"case_id", "plan_sha256"} ] }
 *
 * The plans say the rest. Their digests are here so that a look at this one file tells that no
 * plan changed, however many there are.
 */

struct check_case {
	char *case_id;
	char *plan_sha256;
};

struct check_index {
	char *experiment, *machine;
	struct check_case *cases;
	size_t count;
};

/* For the graph writer, beside plan_write; an unchanged file keeps its time. */
int check_index_write(const struct study *study, const struct experiment *experiment,
		      const char *path, struct error *error);

int check_index_read(const char *path, struct check_index *index, struct error *error);
void check_index_free(struct check_index *index);

#endif

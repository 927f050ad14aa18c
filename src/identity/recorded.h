#ifndef ASSAY_RECORDED_H
#define ASSAY_RECORDED_H

#include <stddef.h>

#include "base/error.h"
#include "identity/identity.h"

/* The identities under which the store has results of a case. */

struct recorded {
	char folder[17]; /* below results/<case_id>/ */
	struct identity identity;
	char *measured_at; /* its last session's start, "" when unknown */
};

/* Newest first; *count of them, freed with recorded_free. Folders whose identity.txt does not
 * fit their name are left out. */
struct recorded *recorded_list(const char *case_id, size_t *count);
void recorded_free(struct recorded *list, size_t count);

/*
 * The results to use in place of measuring, for ASSAY_MACHINE or study{ machine }: `machine` is
 * "recorded" or the start of a salted machine id. Those that equal `present` in everything but
 * the machine come first, then the newest. Fills *identity (marked recorded), or -1.
 */
int recorded_choose(const char *case_id, const char *machine, const struct identity *present,
		    struct identity *identity, struct error *error);

#endif

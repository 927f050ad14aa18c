#ifndef ASSAY_SHORT_FORM_H
#define ASSAY_SHORT_FORM_H

#include <stdio.h>

#include "base/error.h"
#include "cli/selection.h"

/*
 * `assay measure --short`: runs each chosen variant of each chosen case a few times, to see that
 * it runs, speaks and agrees. A smoke test and no result: the spec is read with designs of its own
 * (host_shorten), and plans, records and all else lie in build/short, which no other command reads
 * and the next short form empties. So it is no session of a case, counts nowhere, and nothing is
 * fresh by it.
 */
struct short_form {
	const char *name; /* a case, an experiment or a form of one */
	const struct selection *selection;
	FILE *out;
};

/* Exit code of the command: 0; EXIT_FAILED when a group failed; EXIT_NOT_HELD when outputs
 * disagree. -1 with *error. */
int short_form_run(const struct short_form *how, struct error *error);

#endif

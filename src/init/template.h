#ifndef ASSAY_TEMPLATE_H
#define ASSAY_TEMPLATE_H

#include "base/error.h"

/*
 * Studies to begin with, as files beside the tool: src/init/templates/common/ and
 * src/init/templates/KIND/ below the tool's home (base/home.h). A file called `gitignore` is
 * written as `.gitignore` (under its own name it would act here), and the README.md of common/
 * takes in the kind's about.md at the line "@ABOUT@".
 */

struct template_kind {
	const char *name, *about;
};

/* Ends with a name of NULL. */
extern const struct template_kind template_kinds[];

/* Writes the study into the folder, which is made where it is not there and must be empty: nothing
 * is ever overwritten. -1 with *error. */
int template_write(const struct template_kind *kind, const char *folder, struct error *error);

#endif

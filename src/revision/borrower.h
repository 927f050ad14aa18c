#ifndef ASSAY_BORROWER_H
#define ASSAY_BORROWER_H

#include "revision/repository.h"

/*
 * A repository in `folder` (made where it is not there) that has the objects of the other one by
 * git's alternates, its tags for `git describe`, and `commit` (NULL: none yet) as a detached head. Its index is
 * empty and no file is taken out. Nothing is written to the other one, which must stay.
 */
int borrower_make(const struct repository *from, const char *folder, const char *commit,
		  struct error *error);

#endif

#ifndef ASSAY_OVERLAY_H
#define ASSAY_OVERLAY_H

#include "base/error.h"

/*
 * Puts a link into `to` for everything of the study in the current folder that git does not
 * track, ignored files too, where `to` has nothing of that name: what a checkout of another branch would
 * leave in place. build/ and results/ are left out.
 */
int overlay_untracked(const char *to, struct error *error);

#endif

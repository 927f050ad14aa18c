#ifndef ASSAY_SCRATCH_H
#define ASSAY_SCRATCH_H

#include "base/error.h"

/*
 * A new folder assay-<purpose>-XXXXXX that programs may run from: in $TMPDIR, when that is an
 * absolute path, in /tmp, or in /var/tmp. Its path, owned by the caller, who removes the folder;
 * NULL with *error. Held until this process ends: those of the same purpose that nobody holds any
 * more, of processes that were killed, are removed on the way.
 */
char *scratch_folder(const char *purpose, struct error *error);

#endif

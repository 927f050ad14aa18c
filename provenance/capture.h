#ifndef ASSAY_CAPTURE_H
#define ASSAY_CAPTURE_H

#include <jansson.h>

#include "base/error.h"
#include "schedule/plan.h"

/*
 * What a session records about where its numbers come from (DESIGN 4.9; layout in
 * docs/formats.md). A new object; what can't be read is {"unavailable": reason}. The files that
 * go beside it (diff, untracked sources) are written below `session_folder`. NULL with *error
 * only when the disk refuses.
 */
json_t *capture_session(const struct plan *plan, const char *session_folder,
			struct error *error);

#endif

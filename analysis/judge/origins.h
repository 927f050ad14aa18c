#ifndef ASSAY_ORIGINS_H
#define ASSAY_ORIGINS_H

#include <jansson.h>

/*
 * Which results come from elsewhere than the rest of their study: another commit, a tree with
 * changes, another machine, another state of the machine. The rest is what most have in common, in
 * a tie the newest. Marks the odd ones in `cases` (a session's "differs", a case's warnings
 * "other_machine" and "other_regime"). A new object, layout "origins" in docs/formats.md.
 */
json_t *origins_judge(json_t *cases);

#endif

#ifndef ASSAY_WHOLE_H
#define ASSAY_WHOLE_H

#include "identity/identity.h"

/*
 * A case some of whose treatments are skipped here. What was measured while all of them could be
 * had holds for those that still can: blocks with further treatments in them are blocks. So when
 * the store has complete results that differ from `identity`, the present one, in nothing but
 * skipped treatments, they are the case's results: *identity becomes theirs (marked whole) and
 * nothing is measured. Complete results of just the present treatments come first. The plan is
 * settled accordingly. -1 for a damaged store.
 */
int whole_choose(struct plan *plan, struct identity *identity, struct error *error);

#endif

#ifndef ASSAY_STATEMENTS_H
#define ASSAY_STATEMENTS_H

#include "graph/ninja.h"

/*
 * The study's own rules and edges, with each working command inside the shared machine lock:
 * nothing may run beside a measurement (DESIGN 4.2). The variable assay_lock, set before, is
 * what stands in front of a command.
 *
 * A plain command gets it in front. A command that is more than that (lists, pipes, cd) is
 * given to sh as a response file, since quoting it once more would break what Ninja quotes in
 * $in and $out. Edges that are `unlocked` run as they are. So a rule may be written three
 * times: NAME, NAME.script and NAME.unlocked.
 *
 * `tool`, which may be a product of the graph, must be there before an edge of ours that stands
 * among them (assay_source_…).
 */
int statements_put(struct ninja *ninja, const struct study *study, const char *tool,
		   struct error *error);

#endif

#ifndef ASSAY_COMPARE_LIVE_H
#define ASSAY_COMPARE_LIVE_H

#include <stdio.h>

#include "compare/options.h"
#include "session/progress.h"
#include "session/session.h"
#include "session/work.h"

/*
 * What people see while a case is measured: how long it will take, as soon as the warm-ups tell;
 * how far it is; a first interval after 8 pairs. And what ends it early: outputs that differ.
 */
struct live {
	const struct compare_options *options;
	FILE *out;                   /* NULL: show nothing */
	const char *label;           /* of the case */
	struct progress *progress;
	bool told_time, told_provisional;
	bool outputs_differ;         /* that is why the measurement ended */
	struct session_watcher watcher;
	struct stop_rule rule;       /* the design's, and ours around it */
};

/* Fills the watcher and the rule, which keep pointers to *live. */
void live_begin(struct live *live, const struct compare_options *options, const char *label,
		FILE *out);
void live_end(struct live *live);

#endif

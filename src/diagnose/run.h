#ifndef ASSAY_DIAGNOSE_RUN_H
#define ASSAY_DIAGNOSE_RUN_H

#include <jansson.h>

#include "base/error.h"
#include "diagnose/tool.h"
#include "schedule/plan.h"

/* One treatment under one tool. */
struct diagnose_run {
	const struct tool *tool;
	const struct plan *plan;
	size_t treatment;
	const char *folder; /* of this run, below build/diagnose; made afresh */
	double timeout_s;
};

/*
 * Runs it, pinned as its groups are, from where its program lies, with its environment and input,
 * and reads what the tool left. Whatever becomes of it, *record tells (docs/formats.md,
 * "diagnoses": state, reason, command, …), without what only the caller knows; a new object.
 * -1 with *error is for what stops us: a full disk, an interrupt.
 */
int diagnose_run(const struct diagnose_run *run, json_t **record, struct error *error);

#endif

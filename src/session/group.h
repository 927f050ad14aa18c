#ifndef ASSAY_GROUP_H
#define ASSAY_GROUP_H

#include "base/error.h"
#include "schedule/schedule.h"
#include "session/launch.h"
#include "session/staging.h"
#include "store/record.h"

/* One group of a session: launched, judged, published. */

/* What all groups of a session have in common; borrowed. */
struct group_setting {
	const struct plan *plan;
	const struct staging *staging;
	const char *session_folder;
	const char *token;
	int session;
	const int *cpus;      /* of the group's treatment */
	int cpu_count;
	const volatile int *interrupted;
};

/* Where the group stands in the schedule. */
struct group_place {
	int order;
	enum phase phase;
	int chunk, block, pair, slot, attempt; /* as in struct record */
	int treatment;
};

enum group_fate {
	GROUP_OK,
	GROUP_BAD,         /* failed or invalid: recorded all the same */
	GROUP_INTERRUPTED, /* not recorded */
};

/*
 * -1 with *error for what is no fault of the program: a full disk, a store that can't be
 * written, no process to be had. *record is filled otherwise (record_free), for its times and
 * its reason.
 */
int group_run(const struct group_setting *setting, const struct group_place *place,
	      enum group_fate *fate, struct record *record, struct error *error);

#endif

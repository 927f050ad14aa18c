#ifndef ASSAY_BUNDLE_PARTS_H
#define ASSAY_BUNDLE_PARTS_H

#include <jansson.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "provenance/contents.h"

/* The parts of a bundle in the making; bundle.c puts them together. */

/* One session of the store whose records are in the bundle. */
struct bundle_session {
	char *case_id, *experiment;
	char *folder;             /* "study/results/C/<identity>/sessions/001", below data/ */
	char *started, *ended;    /* as recorded; "" when unknown */
	int64_t started_s, ended_s; /* since 1970; 0 when unknown */
	bool of_form;             /* of a form of an experiment: no reproduction measures it */
	bool good;                /* ended by itself, valid */
	char *reason;             /* why it is not good */
	json_t *provenance;       /* or NULL */
};

struct bundle {
	json_t *study, *stats;    /* build/study.json, build/stats.json */
	const char *name, *title;
	struct contents contents;
	struct bundle_session *sessions; /* in the order of cases, then of time */
	size_t session_count, session_capacity;
	size_t form_count;        /* forms of experiments that were measured */
	int64_t epoch_s;          /* the time all files have */
	char date[16];            /* its day, "2026-12-01" */
	char *output;             /* where the bundle will lie: never a part of itself */
	char *licence;            /* name below data/ of the study's licence file, or NULL */
};

/* The study's files: those git tracks and the untracked ones that the graph uses; outside of a
 * repository all but build/, results/ and hidden ones. */
int bundle_add_sources(struct bundle *bundle, struct error *error);
/* Assay's own sources, unless the study is in their folder. */
void bundle_add_tool(struct bundle *bundle);
/* Records of the identities that the current plan names, plans, statistics, figures, report; the
 * same of each form of an experiment that was measured. */
void bundle_add_results(struct bundle *bundle);

/* Where somebody who has the bundle alone gets the tool from. */
enum tool_source {
	TOOL_BESIDE,    /* data/tool/ */
	TOOL_IS_STUDY,  /* data/study/ is the tool's own repository */
	TOOL_ELSEWHERE, /* its sources are not in the bundle */
};
enum tool_source bundle_tool_source(const struct bundle *bundle);
/* The shell command that copies it to assay/. */
const char *bundle_copy_command(enum tool_source source);
/* review.sh; Containerfile and packages.txt where the tool's sources are here. */
void bundle_add_review(struct bundle *bundle);

/* Texts made from all of that. */
void bundle_put_readme(const struct bundle *bundle, struct buffer *out);
json_t *bundle_crate(const struct bundle *bundle);

/* "2026-12-01T08:15:00+00:00" */
void bundle_put_time(int64_t seconds, char text[40]);

#endif

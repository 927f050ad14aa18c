#ifndef ASSAY_USED_FILES_H
#define ASSAY_USED_FILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "schedule/plan.h"

/*
 * Which of some files the study uses: those that its specs, plans or build.ninja name, and those
 * that a source named there (or a header found so) includes by `#include "…"`. All paths are
 * relative to the study's root.
 */
struct used_file {
	char *path;
	bool used;
};

struct used_files {
	struct used_file *items; /* sorted by path, each once */
	size_t count, capacity;
};

void used_files_add(struct used_files *files, const char *path, size_t length);
/* After the last used_files_add; then any of the three below. */
void used_files_sort(struct used_files *files);

/* `study` is build/study.json, or NULL. */
void used_files_mark_specs(struct used_files *files, const json_t *study);
void used_files_mark_plan(struct used_files *files, const struct plan *plan);
/* Reads build.ninja where there is one; the includes come with it. */
void used_files_mark_graph(struct used_files *files);
void used_files_free(struct used_files *files);

/* Whether a path is below, or is, one of study.json's private paths. */
bool used_files_is_private(const json_t *study, const char *path);

#endif

#ifndef ASSAY_CAPTURE_PARTS_H
#define ASSAY_CAPTURE_PARTS_H

#include <jansson.h>

#include "base/error.h"
#include "schedule/plan.h"

/*
 * The parts of provenance.json (docs/formats.md), one function each; capture.c puts them
 * together. New references, never NULL but for capture_git.
 */

/* `study` is build/study.json or NULL. Writes diff.patch and untracked/ below the session's
 * folder; NULL with *error when the disk refuses. */
json_t *capture_git(const struct plan *plan, const json_t *study, const char *session_folder,
		    struct error *error);

/* Adds "programs", "toolchain", "interpreters". */
void capture_programs(const struct plan *plan, json_t *provenance);

/* Adds "sources" where programs were made from revisions. */
void capture_sources(const struct plan *plan, json_t *provenance);

/* Adds "cpu", "memory", "numa". */
void capture_hardware(json_t *provenance);

/* Adds "devices" and "device_toolkit": what nvidia-smi and nvcc say, or why they say nothing. */
void capture_devices(json_t *provenance);

/* Adds "kernel", "mitigations", "aslr", "transparent_huge_pages", "load", "temperature",
 * "virtualisation", "environment", "hostname". */
void capture_system(json_t *provenance);

/* A line of the machine's regime (identity/machine.h) by its name: text, or unavailable. */
json_t *capture_regime_line(const char *regime, const char *name);

#endif

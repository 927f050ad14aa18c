#ifndef ASSAY_STUDY_JSON_H
#define ASSAY_STUDY_JSON_H

#include <jansson.h>

#include "base/error.h"
#include "spec/study.h"

/*
 * build/study.json (docs/formats.md, "assay-study-1"): the study without its graph, for the steps
 * after the generator. `form` is the name of the form of an experiment that it is to hold alone;
 * NULL: all experiments but forms. A new reference.
 */
json_t *study_json(const struct study *study, const char *form);
/* Writes the latter to `path`, keeping the file when nothing changed. */
int study_json_write(const struct study *study, const char *path, struct error *error);

#endif

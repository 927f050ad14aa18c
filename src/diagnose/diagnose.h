#ifndef ASSAY_DIAGNOSE_H
#define ASSAY_DIAGNOSE_H

#include "base/error.h"

/*
 * Diagnoses of an experiment, as build/study.json asks for them: each treatment once under each tool,
 * one at a time, while nothing else runs. What was run before under the same key is not run again;
 * the key is made of the tool's own bytes, the case's identity and the command. Writes
 * build/diagnose/E.json (docs/formats.md, "diagnoses"). What fails is in it with its reason and is no
 * error; -1 with *error is for what stops us.
 */
int diagnose_experiment(const char *experiment, struct error *error);

#endif

#ifndef ASSAY_TEST_SPEC_STUDY_H
#define ASSAY_TEST_SPEC_STUDY_H

#include "base/buffer.h"
#include "spec/study.h"

/* A fresh study in a temporary folder for the tests of the Lua host, and what they compare. */

/* Makes the folder and goes there: kernels/lab.c, data/1.txt, data/2.txt, tools/run, and a home
 * for the tool (harness, figure templates) that ASSAY_HOME then names. */
void spec_study_enter(void);
/* Goes back and removes it. */
void spec_study_leave(void);
/* Writes a file below the folder. */
void spec_study_write(const char *path, const char *text);
/* The build.ninja.lua that declares the runner `lab` and reads experiments/. */
extern const char spec_study_entry[];

/* The model as readable lines, for comparing with expected ones. */
void spec_study_dump(const struct study *study, struct buffer *out);

#endif

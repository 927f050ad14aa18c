#ifndef ASSAY_CASE_FIXTURE_H
#define ASSAY_CASE_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/memory.h"
#include "schedule/plan.h"
#include "store/record.h"

/* A study of one case in a fresh folder, for tests of the store and of sessions. */

#define FIXTURE_CASE "fused-n-16-0123456789ab"

extern char fixture_folder[256];

/* Set-up and tear-down of a test: makes the folder and changes into it; removes it. */
int fixture_begin(void **state);
int fixture_end(void **state);

/* printf into a text that lives until the test's end. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Two variants, two_loops and fused, 2 A/A pairs, one warm-up each; plan_free. */
void fixture_plan(struct plan *plan, const char *reader, int pairs);
/* As a session would fill it; record_free. */
void fixture_record(struct record *record, int session, int order, enum phase phase, int block,
		    int slot, int treatment);

#endif

#ifndef ASSAY_OUTPUT_PATTERNS_H
#define ASSAY_OUTPUT_PATTERNS_H

#include "store/reader.h"

/*
 * Values that a program prints in its own words, found by Lua patterns (base/lua_pattern.h): each
 * line of stdout by itself, each match in it a sample of that metric, whose value is the first
 * capture, a decimal number. A metric without any match makes the output a problem. Pure.
 */

#define OUTPUT_PATTERNS_SAMPLES 1000000 /* of one metric and output */
/* Of the matcher, for one metric: a fixed number and so many for each byte of the output. */
#define OUTPUT_PATTERNS_STEPS 10000000LL
#define OUTPUT_PATTERNS_STEPS_A_BYTE 20

void output_patterns_read(const struct plan *plan, const struct record *record,
			  struct reading *reading);

#endif

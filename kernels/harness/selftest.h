/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_SELFTEST_H
#define ASSAY_SELFTEST_H

#include <stdio.h>

/*
 * Measures what the harness itself costs and resolves. Writes lines SELFTEST <name> <value>
 * <unit> and, behind "# ", what they mean in words.
 */
void assay_selftest(int affinity, FILE *out);

#endif

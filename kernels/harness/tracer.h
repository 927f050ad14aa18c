/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_TRACER_H
#define ASSAY_TRACER_H

#include <stddef.h>

/* The name of the process that traces this one (ptrace), with characters that the protocol does not
 * allow made '_'; "" when there is none or /proc does not say. */
void assay_tracer(char *name, size_t size);

#endif

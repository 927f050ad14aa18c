/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_MACHINE_PAGES_H
#define ASSAY_MACHINE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/assay_harness.h"

/*
 * Memory that nobody has touched yet, so that each page comes to the memory nearest to the thread
 * that writes it first (assay_alloc touches all of it on one thread). Where `huge` the kernel is
 * asked for pages of 2 MiB, else for those of 4 KiB; it may not have them. NULL with the error
 * filled; pages_free takes the same size.
 */
void *pages_alloc(size_t bytes, bool huge, struct assay_error *error);
void pages_free(void *block, size_t bytes);

#endif

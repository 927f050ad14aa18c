/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "machine/pages.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_BYTES ((size_t)2 << 20)

/* Whole huge pages: what of the mapping lies before and behind them is given back. */
static void *
trim(char *mapped, size_t bytes)
{
	size_t before = (HUGE_BYTES - (uintptr_t)mapped % HUGE_BYTES) % HUGE_BYTES;

	if (before > 0)
		munmap(mapped, before);
	if (before < HUGE_BYTES)
		munmap(mapped + before + bytes, HUGE_BYTES - before);
	return mapped + before;
}

static size_t
whole(size_t bytes)
{
	return (bytes + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
}

void *
pages_alloc(size_t bytes, bool huge, struct assay_error *error)
{
	void *block;

	if (bytes > SIZE_MAX / 2) {
		assay_fail(error, "%zu bytes do not fit the address space", bytes);
		return NULL;
	}
	block = mmap(NULL, whole(bytes) + HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (block == MAP_FAILED) {
		assay_fail(error, "no memory for %zu bytes: %s; ask for a smaller size", bytes, strerror(errno));
		return NULL;
	}
	block = trim(block, whole(bytes));
	(void)madvise(block, whole(bytes), huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	return block;
}

void
pages_free(void *block, size_t bytes)
{
	if (block)
		munmap(block, whole(bytes));
}

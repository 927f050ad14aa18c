/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_MACHINE_CHASE_H
#define ASSAY_MACHINE_CHASE_H

/*
 * Loads that cannot be guessed: each says where the next one is. Memory is a row of cache lines;
 * chain c of k goes through the lines c, c + k, c + 2k, … once each in a random cycle (Sattolo, Inf.
 * Process. Lett. 22, 1986), so that all chains together visit all lines before any comes again.
 * One chain shows the latency of a load, several how much of it overlaps. In the order of addresses,
 * for comparison, the processor guesses what comes next.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/assay_harness.h"

enum { CHASE_LINE = 64, CHASE_CHAINS = 32 };

struct chase_line {
	struct chase_line *next;
	uint64_t place; /* along its chain, the first is 0 */
	char rest[CHASE_LINE - 16];
};

/* A number of chains that chase_pass_find knows: 1, 2, 4, … CHASE_CHAINS. */
typedef void chase_pass(struct chase_line **at, size_t steps);
/* NULL for other numbers. at[c] moves on by so many steps, for all c at once. */
chase_pass *chase_pass_find(size_t chains);

/* Links count lines, the same way in each process; lines[c] is the first of chain c. count is a
 * multiple of chains and holds at least two lines a chain. -1 with the error filled. */
int chase_link(struct chase_line *lines, size_t count, size_t chains, bool in_order,
	       struct assay_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/chase.h"

#include <stdlib.h>

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Sattolo's: an entry never stays where it is, which leaves one cycle through all. The bias of
 * taking the upper bits of a product is far below what anybody could see in a time. */
static void
draw_cycle(uint32_t *next, size_t n, uint64_t *random)
{
	size_t i;

	for (i = 0; i < n; i++)
		next[i] = (uint32_t)i;
	for (i = n - 1; i > 0; i--) {
		size_t k = (size_t)((next_random(random) >> 32) * i >> 32);
		uint32_t other = next[k];

		next[k] = next[i];
		next[i] = other;
	}
}

static void
follow_addresses(uint32_t *next, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		next[i] = (uint32_t)((i + 1) % n);
}

int
chase_link(struct chase_line *lines, size_t count, size_t chains, bool in_order, struct assay_error *error)
{
	size_t n = count / chains, c, place;
	uint64_t random = 1;
	uint32_t *next, at;

	if (n < 2 || n > UINT32_MAX)
		return assay_fail(error, "%zu lines do not make %zu chains of 2 to 2^32 lines", count, chains);
	next = malloc(n * sizeof *next);
	if (!next)
		return assay_fail(error, "no memory for a cycle of %zu lines", n);
	for (c = 0; c < chains; c++) {
		if (in_order)
			follow_addresses(next, n);
		else
			draw_cycle(next, n, &random);
		for (place = 0, at = 0; place < n; place++, at = next[at]) {
			struct chase_line *line = &lines[at * chains + c];

			line->next = &lines[next[at] * chains + c];
			line->place = place;
		}
	}
	free(next);
	return 0;
}

/* With a constant the loops over the chains unroll, and few chains stay in registers. */
static inline __attribute__((always_inline)) void
move(struct chase_line **at, size_t chains, size_t steps)
{
	struct chase_line *here[CHASE_CHAINS];
	size_t c;

	for (c = 0; c < chains; c++)
		here[c] = at[c];
	for (; steps > 0; steps--)
#pragma GCC unroll 32
		for (c = 0; c < chains; c++)
			here[c] = here[c]->next;
	for (c = 0; c < chains; c++)
		at[c] = here[c];
}

#define MOVE(CHAINS)                                            \
	static void move_##CHAINS(struct chase_line **at, size_t steps) \
	{                                                       \
		move(at, CHAINS, steps);                        \
	}
MOVE(1)
MOVE(2)
MOVE(4)
MOVE(8)
MOVE(16)
MOVE(32)

chase_pass *
chase_pass_find(size_t chains)
{
	static chase_pass *const passes[] = {move_1, move_2, move_4, move_8, move_16, move_32};
	size_t i;

	for (i = 0; i < sizeof passes / sizeof *passes; i++)
		if (chains == (size_t)1 << i)
			return passes[i];
	return NULL;
}

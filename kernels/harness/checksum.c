/* SPDX-License-Identifier: MIT */
/*
 * hash = bytes' count; for each 64-bit little-endian word, the last one filled up with zero
 * bytes: hash = (hash ^ word) * MULTIPLIER, then hash ^= hash >> 32; all modulo 2^64.
 *
 * A word a step and not a byte, because hashing 32 MiB byte by byte would take as long as a
 * whole group. Each step is one to one in hash and in word, so a single changed word always
 * changes the result; the shift carries high bits down, without it two wrong signs would
 * cancel.
 */
#include "assay_harness.h"

#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

/* Written out byte by byte for the byte order; compilers make one load of it. */
static uint64_t
load_word(const unsigned char *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16
		| (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40
		| (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static uint64_t
mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * MULTIPLIER;
	return hash ^ hash >> 32;
}

uint64_t
assay_checksum(const void *bytes, size_t count)
{
	const unsigned char *p = bytes;
	uint64_t hash = count;
	uint64_t last = 0;
	size_t i;

	for (i = 0; count - i >= 8; i += 8)
		hash = mix(hash, load_word(p + i));
	if (i == count)
		return hash;
	for (size_t k = 0; i + k < count; k++)
		last |= (uint64_t)p[i + k] << (8 * k);
	return mix(hash, last);
}

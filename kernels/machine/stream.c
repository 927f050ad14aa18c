/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/stream.h"

/* Stores past the caches are in no order with others until a fence. */
#if defined __x86_64__
#define STREAM_FENCE _mm_sfence
#elif defined __aarch64__
#define STREAM_FENCE() __asm__ volatile("dmb ishst" : : : "memory")
#endif

#define WIDTH_BODY "machine/stream_width.h"
#include "speed/each_width.h"

static const struct stream *const streams[] = {
#if defined __x86_64__
	&stream_512, &stream_256,
#elif defined __aarch64__
	&stream_128,
#endif
	NULL,
};

const struct stream *
stream_find(unsigned width, const char **supported)
{
	const struct stream *const *one = streams;

	width = width_choose(width, supported);
	while (*one != NULL && (*one)->width != width)
		one++;
	return *one;
}

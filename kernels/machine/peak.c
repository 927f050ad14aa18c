/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/peak.h"

#define WIDTH_BODY "machine/peak_width.h"
#include "speed/each_width.h"

static const struct peak *const peaks[] = {
#if defined __x86_64__
	&peak_512, &peak_256,
#elif defined __aarch64__
	&peak_128,
#endif
	NULL,
};

const struct peak *
peak_find(unsigned width, const char **supported)
{
	const struct peak *const *one = peaks;

	width = width_choose(width, supported);
	while (*one != NULL && (*one)->width != width)
		one++;
	return *one;
}

/* The compiler must not see that two additions are one. */
#define LINK x += step; __asm__("" : "+r"(x));
#define LINKS LINK LINK LINK LINK LINK LINK LINK LINK

unsigned long
peak_cycles(unsigned long x, unsigned long step, size_t n)
{
	__asm__("" : "+r"(step));
	for (; n >= PEAK_LINKS; n -= PEAK_LINKS) {
		LINKS LINKS LINKS LINKS
	}
	return x;
}

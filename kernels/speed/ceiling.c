/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "speed/ceiling.h"

#define WIDTH_BODY "speed/ceiling_width.h"
#include "speed/each_width.h"

static const struct ceiling *const ceilings[] = {
#if defined __x86_64__
	&ceiling_512, &ceiling_256,
#elif defined __aarch64__
	&ceiling_128,
#endif
	NULL,
};

const struct ceiling *
ceiling_find(unsigned width, const char **supported)
{
	const struct ceiling *const *one = ceilings;

	width = width_choose(width, supported);
	while (*one != NULL && (*one)->width != width)
		one++;
	return *one;
}

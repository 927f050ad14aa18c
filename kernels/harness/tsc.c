/* SPDX-License-Identifier: MIT */
#include "clock.h"

#define WINDOWS 3
#define WINDOW_NS UINT64_C(30000000)

#ifdef __x86_64__

#include <cpuid.h>
#include <x86intrin.h>

/* The fence keeps the read from moving up over what is measured. */
uint64_t
assay_tsc(void)
{
	_mm_lfence();
	return __rdtsc();
}

bool
assay_tsc_invariant(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
}

static const char no_tsc[] = "the time stamp counter of this processor is not invariant";

#else

uint64_t
assay_tsc(void)
{
	return 0;
}

bool
assay_tsc_invariant(void)
{
	return false;
}

static const char no_tsc[] = "no time stamp counter is known for this architecture";

#endif

static double
window_hz(void)
{
	uint64_t start = assay_wall_ns();
	uint64_t ticks = assay_tsc();
	uint64_t now;

	do
		now = assay_wall_ns();
	while (now - start < WINDOW_NS);
	return (double)(assay_tsc() - ticks) / (double)(now - start) * 1e9;
}

double
assay_tsc_hz(struct assay_error *error)
{
	double most = 0;

	if (!assay_tsc_invariant()) {
		assay_fail(error, "%s; TSC is 0", no_tsc);
		return 0;
	}
	for (int i = 0; i < WINDOWS; i++) {
		double hz = window_hz();
		if (hz > most)
			most = hz;
	}
	if (most <= 0)
		assay_fail(error, "the time stamp counter stood still; TSC is 0");
	return most > 0 ? most : 0;
}

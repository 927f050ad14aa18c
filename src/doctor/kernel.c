#include "doctor/kernel.h"

#include "base/clock.h"

#define TABLE 32768 /* entries of 8 bytes: beyond the first-level cache */
#define TRIAL_STEPS (1 << 18)

uint64_t
kernel_run(uint64_t steps)
{
	static uint64_t table[TABLE];
	uint64_t x = 88172645463325252u, i;

	for (i = 0; i < steps; i++) {
		x ^= x << 13; /* xorshift64 (Marsaglia 2003) */
		x ^= x >> 7;
		x ^= x << 17;
		table[x % TABLE] += x;
		x ^= table[(x >> 20) % TABLE];
		x += x == 0; /* it would stay there */
	}
	return x;
}

uint64_t
kernel_steps_for(double seconds)
{
	int64_t from;
	volatile uint64_t keep;
	double step_s;

	keep = kernel_run(TRIAL_STEPS); /* touches the table */
	from = clock_monotonic_ns();
	keep = kernel_run(TRIAL_STEPS);
	step_s = (double)(clock_monotonic_ns() - from) / 1e9 / TRIAL_STEPS;
	(void)keep;
	return 1 + (uint64_t)(seconds / (step_s > 1e-10 ? step_s : 1e-10));
}

#include "spec/warning_codes.h"

#include <string.h>

static const char *codes[] = {
	"above_roof", "background", "budget", "coarse_clock", "collapse", "cpu_clock",
	"cpu_clock_waits", "dependence", "drift", "exploratory", "failed_groups", "failed_items",
	"groups_disagree", "identical_programs", "impossible_rate", "imprecise",
	"instrumented_build", "modes", "more_threads_than_cores", "multiplexed",
	"no_steady_state", "one_sided_items", "other_machine", "other_regime", "preemption",
	"profiler", "short_samples", "slot_effect", "started_by_profiler", "steps", "superlinear",
	"traced", "unequal_warmup", "unoptimised_build", "volatile_loop", "work_disagrees",
	"work_without_time",
};

bool
warning_code_is_known(const char *code)
{
	size_t i;

	for (i = 0; i < sizeof codes / sizeof *codes; i++)
		if (strcmp(code, codes[i]) == 0)
			return true;
	return false;
}

const char **
warning_code_names(size_t *count)
{
	*count = sizeof codes / sizeof *codes;
	return codes;
}

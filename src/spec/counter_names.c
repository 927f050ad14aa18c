#include "spec/counter_names.h"

#include <string.h>

const char *const counter_names[] = {
	"cycles", "instructions", "cache_references", "cache_misses", "branches", "branch_misses",
	"stalls_frontend", "stalls_backend", "l1d_loads", "l1d_misses", "llc_loads", "llc_misses",
	"dtlb_misses", "task_clock_ns", "page_faults", "context_switches", "migrations",
	"memory_read_bytes", "memory_write_bytes", "energy_package_uj", "energy_dram_uj", NULL,
};

const char *const counter_ratio_names[] = {
	"ipc", "cache_miss_rate", "branch_miss_rate", "l1d_miss_rate", "llc_miss_rate",
	"frontend_stalled", "backend_stalled", "effective_hz", "cpus_used", "memory_bytes_per_s",
	"missed_bytes_per_s", "package_watts", "dram_watts", NULL,
};

static bool
is_known(const char *name, size_t *count)
{
	for (*count = 0; counter_names[*count] != NULL; ++*count)
		if (strcmp(counter_names[*count], name) == 0)
			return true;
	return false;
}

void
counter_names_read(const struct fields *experiment, struct experiment *out)
{
	size_t i, k, known;

	out->counters = fields_texts(experiment, "counters", FIELDS_LIST_ONLY, NULL);
	if (out->counters.count > 0 && strcmp(out->reader, "protocol") != 0)
		fields_fail(experiment, "counters", "are told by the lines of reader = \"protocol\", and this "
			    "experiment reads \"%s\"", out->reader);
	for (i = 0; i < out->counters.count; i++) {
		const char *name = out->counters.items[i];

		if (!is_known(name, &known))
			fields_fail_unknown(experiment, "counters", name, counter_names, known,
					    "there is no event \"%.100s\"", name);
		for (k = 0; k < i; k++)
			if (strcmp(out->counters.items[k], name) == 0)
				fields_fail(experiment, "counters", "\"%s\" is there twice", name);
	}
}

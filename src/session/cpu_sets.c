#include "session/cpu_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/launch.h"
#include "store/record.h"

static void
copy_list(const struct cpu_list *from, struct cpu_list *to)
{
	*to = *from;
	to->cpus = memory_zeroed((size_t)from->count, sizeof *to->cpus);
	if (from->count > 0)
		memcpy(to->cpus, from->cpus, (size_t)from->count * sizeof *to->cpus);
}

static int
find(const char *wish, struct cpu_list *list, struct error *error)
{
	list->cpus = memory_zeroed(RECORD_CPUS_MAX, sizeof *list->cpus);
	list->count = launch_cpus(wish, list->cpus, RECORD_CPUS_MAX, error);
	list->lacking = list->count > 0 ? plan_cores(wish) - list->count : 0;
	return list->count < 0 ? -1 : 0;
}

int
cpu_sets_find(const struct plan *plan, struct cpu_sets *sets, struct error *error)
{
	size_t i, k;

	sets->count = plan->treatment_count + 1;
	sets->items = memory_zeroed(sets->count, sizeof *sets->items);
	for (i = 0; i < sets->count; i++) {
		const char *wish = plan_cpus(plan, (int)i);

		/* Reading the topology takes a while: once a wish. */
		for (k = 0; k < i && strcmp(plan_cpus(plan, (int)k), wish) != 0; k++)
			continue;
		if (k < i)
			copy_list(&sets->items[k], &sets->items[i]);
		else if (find(wish, &sets->items[i], error) != 0)
			return -1;
	}
	return 0;
}

void
cpu_sets_free(struct cpu_sets *sets)
{
	size_t i;

	for (i = 0; i < sets->count; i++)
		free(sets->items[i].cpus);
	free(sets->items);
	*sets = (struct cpu_sets){NULL, 0};
}

char *
cpu_sets_lacking(const struct plan *plan, const struct cpu_sets *sets)
{
	size_t i, first = 0, lacking = 0;

	for (i = sets->count; i-- > 0;)
		if (i < plan->treatment_count && !plan->treatments[i].left_out && sets->items[i].lacking > 0) {
			first = i;
			lacking++;
		}
	if (lacking == 0)
		return NULL;
	return memory_format("\"%s\" asks for %s, and there are %d to be had: its threads share them%s",
			     plan->treatments[first].name, plan_cpus(plan, (int)first), sets->items[first].count,
			     lacking > 1 ? "; so do those of others" : "");
}

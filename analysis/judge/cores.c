#include "analysis/judge/cores.h"

#include <math.h>
#include <string.h>

#include "analysis/judge/warning.h"
#include "base/json.h"

static int
asked_for(const struct plan *plan, size_t treatment)
{
	const json_t *own = plan->treatments[treatment].blocked;
	const json_t *threads = json_object_get(own, "threads");
	int cores = plan_cores(plan_cpus(plan, (int)treatment));

	if (threads == NULL)
		threads = json_object_get(plan->point, "threads");
	return json_is_integer(threads) && json_integer_value(threads) > cores
		       ? (int)json_integer_value(threads)
		       : cores;
}

/* "0,1" is 2; the fewest that a group had. 0: not known. */
static int
cpus_had(const struct observations *all, size_t treatment)
{
	int column = csv_table_column(&all->table, "cpu"), least = 0;
	size_t i;

	for (i = 0; i < all->count; i++) {
		const struct observation *one = &all->items[i];
		const char *text = column >= 0 ? all->table.rows[one->first_row][column] : "";
		int count = text[0] != '\0';

		if (one->treatment != (int)treatment || !one->used)
			continue;
		for (; *text != '\0'; text++)
			count += *text == ',';
		if (count > 0 && (least == 0 || count < least))
			least = count;
	}
	return least;
}

void
cores_warn(const struct case_input *input, json_t *warnings)
{
	const struct plan *plan = input->plan;
	int worst_asked = 0, worst_had = 1;
	size_t t, count = 0, worst = 0;

	for (t = 0; t < plan->treatment_count; t++) {
		int asked = asked_for(plan, t), had = cpus_had(input->observations, t);

		if (had == 0 || asked <= had)
			continue;
		if (count++ == 0 || asked * worst_had > worst_asked * had) {
			worst = t;
			worst_asked = asked;
			worst_had = had;
		}
	}
	if (count > 0)
		warning_add(warnings, "more_threads_than_cores", 0.75, worst_asked,
		    "read its time as that of threads which take turns, not as how the program scales; a machine "
		    "with as many whole cores tells that",
		    "%zu treatment%s had fewer cores than threads: the threads of %s shared %d core%s, %d were "
		    "asked for", count, count == 1 ? "" : "s", plan->treatments[worst].name, worst_had,
		    worst_had == 1 ? "" : "s", worst_asked);
}

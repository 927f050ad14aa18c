#include "store/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* NaN where no CFG line tells it. */
static double
work_of_sample(const struct plan_treatment *treatment, const struct reading *reading)
{
	if (reading->len <= 0 || reading->iters <= 0)
		return NAN;
	return (double)reading->len * (double)reading->iters *
	       (treatment->expect_flops > 0 ? treatment->expect_flops : 1);
}

static double
undivided(const struct reading_sample *sample, const char *column)
{
	double value = NAN; /* the last one said */
	size_t v;

	if (strcmp(column, "wall_us") == 0)
		return sample->wall_us;
	if (strcmp(column, "cpu_us") == 0)
		return sample->cpu_us;
	for (v = 0; v < sample->value_count; v++)
		if (strcmp(sample->values[v].name, column) == 0)
			value = sample->values[v].value;
	return value;
}

static void
divide_sample(const struct settings *divided, double work, struct reading_sample *sample)
{
	size_t i;

	for (i = 0; i < divided->count; i++) {
		double value = undivided(sample, divided->items[i].value);

		if (!isnan(value))
			reading_add_value(sample, divided->items[i].name, value / work);
	}
}

void
work_divide(const struct plan *plan, const struct record *record, struct reading *reading)
{
	double work;
	size_t i;

	if (plan->divided.count == 0 || reading->problem != NULL || reading->count == 0)
		return;
	work = work_of_sample(plan_treatment(plan, record->treatment), reading);
	for (i = 0; !isnan(work) && i < reading->count; i++)
		divide_sample(&plan->divided, work, &reading->samples[i]);
	if (!isnan(work))
		return;
	reading->problem = memory_format("%s, by which per = \"flop\" divides %s",
					 reading->len < 0 ? "no CFG line tells the work"
							  : "CFG tells no work", plan->divided.items[0].value);
	reading_drop(reading);
	reading->len = reading->iters = -1;
	free(reading->cpus);
	reading->cpus = NULL;
}

#include "store/counts.h"

#include <string.h>

#include "base/csv_table.h"
#include "schedule/schedule.h"

void
counts_put_header(struct buffer *out)
{
	buffer_puts(out, "run_id,session,treatment,variant,item,phase,block,pair,order,sample,timed,wall_us,"
			 "cpu_us,event,count,fraction,reason,used\n");
}

static void
put_count(struct buffer *out, const struct plan *plan, const struct record *record,
	  const struct reading_count *count, bool used)
{
	csv_put_text(out, record->run_id, ',');
	csv_put_integer(out, record->session, ',');
	csv_put_integer(out, record->treatment, ',');
	csv_put_text(out, plan_treatment(plan, record->treatment)->name, ',');
	csv_put_text(out, count->item, ',');
	csv_put_text(out, phase_name(record->phase), ',');
	csv_put_integer(out, record->block, ',');
	csv_put_integer(out, record->pair, ',');
	csv_put_integer(out, record->order, ',');
	csv_put_integer(out, (long long)count->sample, ',');
	csv_put_integer(out, count->timed, ',');
	csv_put_number(out, count->wall_us, ',');
	csv_put_number(out, count->cpu_us, ',');
	csv_put_text(out, count->event, ',');
	csv_put_number(out, count->count, ',');
	csv_put_number(out, count->fraction, ',');
	csv_put_text(out, count->reason, ',');
	csv_put_integer(out, used, '\n');
}

void
counts_put(struct buffer *out, const struct plan *plan, const struct record *record,
	   const struct reading *reading, bool used)
{
	size_t i;

	if (strcmp(record->status, "ok") != 0 || record->treatment < 0 || (size_t)record->treatment > plan->treatment_count)
		return;
	for (i = 0; i < reading->count_count; i++)
		put_count(out, plan, record, &reading->counts[i], used);
}

#include "schedule/growth.h"

#include "base/buffer.h"

enum { MOST_PAIRS = 1000, MOST_GROUPS = 8000 };

static int
open_ended_pairs(const struct plan *plan)
{
	int fit = plan->treatment_count > 0 ? MOST_GROUPS / (int)plan->treatment_count : MOST_PAIRS;

	return fit < MOST_PAIRS ? fit : MOST_PAIRS;
}

int
growth_pairs(const struct plan *plan)
{
	const struct design *design = &plan->design;

	if (design->stop == STOP_FIXED)
		return design->pairs;
	if (design->max_pairs > 0)
		return design->max_pairs;
	return design->stop == STOP_LOOKS ? design->pairs : open_ended_pairs(plan);
}

int
growth_most_pairs(const struct plan *plan)
{
	int laid_out = growth_pairs(plan), most = plan->design.max_pairs;

	return most > laid_out ? most : laid_out;
}

char *
growth_rule(const struct design *design)
{
	struct buffer out = BUFFER_EMPTY;
	int most = design->max_pairs;

	if (design->stop == STOP_UNTIL_CI) {
		buffer_printf(&out, "until_ci=%.15g", design->until_ci);
		if (most > 0)
			buffer_printf(&out, " max_pairs=%d", most);
	} else if (design->stop == STOP_LOOKS) {
		buffer_printf(&out, "looks=%d pairs=%d", design->looks,
			      most > 0 ? most : design->pairs);
	} else if (most > 0) {
		buffer_printf(&out, "max_pairs=%d", most);
	} else {
		buffer_puts(&out, "fixed");
	}
	if (design->budget_s > 0)
		buffer_printf(&out, " budget=%.15gs", design->budget_s);
	return buffer_detach(&out);
}

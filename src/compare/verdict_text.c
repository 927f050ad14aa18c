#include "compare/verdict_text.h"

#include <string.h>

#include "analysis/judge/sentence.h"
#include "base/json.h"

/* Each metric that can be asked for is better when lower, so that speedup is A / B. */
void
verdict_text_cost(const json_t *comparison, struct cost_ratio *ratio)
{
	ratio->value = 1 / json_get_number(comparison, "speedup");
	ratio->lo = 1 / json_get_number(comparison, "speedup_hi");
	ratio->hi = 1 / json_get_number(comparison, "speedup_lo");
}

static const char *
quantity(const char *metric)
{
	if (strcmp(metric, "wall_us") == 0)
		return "time";
	if (strcmp(metric, "process_user_us") == 0)
		return "user time";
	return strcmp(metric, "process_sys_us") == 0 ? "system time" : "memory";
}

void
verdict_text_ratio(const json_t *comparison, const char *metric, struct buffer *out)
{
	const char *what = quantity(metric);
	struct cost_ratio ratio;
	int decimals;

	verdict_text_cost(comparison, &ratio);
	decimals = sentence_decimals(ratio.lo, ratio.hi);
	buffer_printf(out, "%s of %s / %s of %s %.*f [%.*f, %.*f]", what,
		      json_get_text(comparison, "b_name"), what, json_get_text(comparison, "a_name"),
		      decimals, ratio.value, decimals, ratio.lo, decimals, ratio.hi);
}

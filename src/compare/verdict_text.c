#include "compare/verdict_text.h"

#include <string.h>

#include "analysis/judge/sentence.h"
#include "base/json.h"

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
	if (strcmp(metric, "process_sys_us") == 0)
		return "system time";
	if (strcmp(metric, "cpu_us") == 0)
		return "CPU time";
	return strcmp(metric, "max_rss_kib") == 0 ? "memory" : metric;
}

void
verdict_text_ratio(const json_t *comparison, const json_t *metric, struct buffer *out)
{
	const char *what = quantity(json_get_text(metric, "name"));
	struct cost_ratio ratio;
	int decimals;

	verdict_text_cost(comparison, &ratio);
	if (strcmp(json_get_text(metric, "better"), "higher") == 0)
		ratio = (struct cost_ratio){1 / ratio.value, 1 / ratio.hi, 1 / ratio.lo};
	decimals = sentence_decimals(ratio.lo, ratio.hi);
	buffer_printf(out, "%s of %s / %s of %s %.*f [%.*f, %.*f]", what,
		      json_get_text(comparison, "b_name"), what, json_get_text(comparison, "a_name"),
		      decimals, ratio.value, decimals, ratio.lo, decimals, ratio.hi);
}

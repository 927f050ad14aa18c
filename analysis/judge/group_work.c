#include "analysis/judge/group_work.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/memory.h"

/* What the samples tell, NaN where they do not. */
struct told {
	double len, iters;
	double least, most;  /* operations an element and pass, of all samples */
	bool silent;         /* a sample without flops or CFG */
	bool cfg_differs;    /* from one group to another */
};

static double
cell(const struct observations *all, size_t row, const char *name)
{
	return observations_number(all, row, csv_table_column(&all->table, name));
}

static void
listen(const struct observations *all, size_t row, struct told *told)
{
	double len = cell(all, row, "cfg_len"), iters = cell(all, row, "cfg_iters");
	double flops = cell(all, row, "flops"), wall_us = cell(all, row, "wall_us");
	double per_element = flops * wall_us * 1e-6 / (len * iters);

	if (!(flops > 0) || !(len > 0) || !(iters > 0) || !isfinite(per_element)) {
		told->silent = true;
		return;
	}
	told->cfg_differs |= isfinite(told->len) && (told->len != len || told->iters != iters);
	told->len = len;
	told->iters = iters;
	told->least = fmin(told->least, per_element);
	told->most = fmax(told->most, per_element);
}

static bool
differs(double value, double expected)
{
	return fabs(value / expected - 1) > WORK_TOLERANCE;
}

static bool
is_lowered(const struct plan_treatment *treatment, const struct told *told)
{
	return (treatment->expect_len >= 0 && told->len != (double)treatment->expect_len) ||
	       (treatment->expect_iters >= 0 && told->iters != (double)treatment->expect_iters);
}

/* NULL when all is as it should be; the caller frees. */
static char *
why_wrong(const struct plan_treatment *treatment, const struct told *told)
{
	double declared = treatment->expect_flops;

	if (told->cfg_differs)
		return memory_copy_text("CFG is not the same in all groups");
	if (is_lowered(treatment, told) && !treatment->lowers_scale)
		return memory_format("CFG says %.17g x %.17g, asked for was %lld x %lld", told->len, told->iters,
				     treatment->expect_len, treatment->expect_iters);
	if (differs(told->most, told->least))
		return memory_format("flops times wall time comes to %.6g to %.6g operations an element, in "
				     "place of one number", told->least, told->most);
	if (declared > 0 && (differs(told->least, declared) || differs(told->most, declared)))
		return memory_format("flops times wall time comes to %.6g operations an element, not the %.6g "
				     "that the variant declares", told->least, declared);
	return NULL;
}

json_t *
group_work(const struct plan_treatment *treatment, const struct observations *all,
	   const size_t *rows, size_t count)
{
	struct told told = {NAN, NAN, INFINITY, -INFINITY, count == 0, false};
	bool one_cfg;
	char *reason = NULL;
	json_t *object;
	size_t i;

	for (i = 0; i < count; i++)
		listen(all, rows[i], &told);
	if (!told.silent)
		reason = why_wrong(treatment, &told);
	one_cfg = isfinite(told.len) && !told.cfg_differs;
	object = json_pack("{s:s, s:s, s:o, s:o, s:o, s:b}", "check",
			   told.silent ? "not told" : reason != NULL ? "FAIL" : "PASS", "reason",
			   reason != NULL ? reason : "", "len", json_number_or_null(one_cfg ? told.len : NAN),
			   "iters", json_number_or_null(one_cfg ? told.iters : NAN), "per_element",
			   json_number_or_null(told.silent ? NAN : told.least), "lowered",
			   one_cfg && is_lowered(treatment, &told) && treatment->lowers_scale);
	free(reason);
	return object;
}

#include "analysis/judge/scaling_blocks.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/crossover.h"
#include "base/json.h"
#include "base/memory.h"

#define CONFIDENCE 0.95

/* The value of the same block, or NULL. */
static const json_t *
same_block(const json_t *list, const json_t *value)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (json_get_integer(one, "session", -1) == json_get_integer(value, "session", -2) &&
		    json_get_integer(one, "pair", -1) == json_get_integer(value, "pair", -2))
			return one;
	return NULL;
}

static bool
take_block(const json_t *value, const json_t *const *series, size_t points, struct scaling_blocks *out)
{
	size_t at = out->blocks * points, i;

	out->serial[out->blocks] = json_get_number(value, "value");
	for (i = 0; i < points; i++) {
		const json_t *one = same_block(series[i], value);

		if (one == NULL)
			return false;
		out->time[at + i] = json_get_number(one, "value");
		out->orders[at + i] = json_get_integer(one, "order", 0) > json_get_integer(value, "order", 0)
					      ? PAIR_AB : PAIR_BA;
		if (!(out->time[at + i] > 0))
			return false;
	}
	return out->serial[out->blocks] > 0;
}

void
scaling_blocks_collect(const json_t *serial, const json_t *const *series, size_t points,
		       struct scaling_blocks *out)
{
	size_t most = json_array_size(serial), i;
	const json_t *value;

	*out = (struct scaling_blocks){.points = points};
	out->serial = memory_zeroed(most, sizeof *out->serial);
	out->time = memory_zeroed(most * points, sizeof *out->time);
	out->orders = memory_zeroed(most * points, sizeof *out->orders);
	json_array_foreach((json_t *)serial, i, value)
		out->blocks += take_block(value, series, points, out);
}

void
scaling_blocks_free(struct scaling_blocks *blocks)
{
	free(blocks->serial);
	free(blocks->time);
	free(blocks->orders);
}

struct scaling_ratio
scaling_blocks_speedup(const struct scaling_blocks *blocks, size_t to)
{
	double *a = memory_zeroed(blocks->blocks, sizeof *a), *b = memory_zeroed(blocks->blocks, sizeof *b);
	enum pair_order *orders = memory_zeroed(blocks->blocks, sizeof *orders);
	struct scaling_ratio ratio = {NAN, NAN, NAN};
	struct crossover_hl hl;
	size_t i;

	for (i = 0; i < blocks->blocks; i++) {
		a[i] = blocks->serial[i];
		b[i] = blocks->time[i * blocks->points + to];
		orders[i] = blocks->orders[i * blocks->points + to];
	}
	if (pairs_differences(a, b, orders, blocks->blocks, a) == STAT_OK &&
	    crossover_hl(a, orders, blocks->blocks, CONFIDENCE, &hl) == STAT_OK)
		ratio = (struct scaling_ratio){1 / hl.ratio, 1 / hl.ratio_hi, 1 / hl.ratio_lo};
	free(a);
	free(b);
	free(orders);
	return ratio;
}

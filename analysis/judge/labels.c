#include "analysis/judge/labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe.h"
#include "analysis/judge/comparison.h"
#include "analysis/noise.h"
#include "base/json.h"
#include "base/memory.h"

#define BIAS_CONFIDENCE 0.99
#define BIAS_MIN_PAIRS 10

struct pool {
	double *d;
	enum pair_order *orders;
	size_t count, d_capacity, order_capacity;
};

static void
pool_add(struct pool *pool, double d, enum pair_order order)
{
	pool->d = memory_grow(pool->d, pool->count, &pool->d_capacity, sizeof *pool->d);
	pool->orders =
		memory_grow(pool->orders, pool->count, &pool->order_capacity, sizeof *pool->orders);
	pool->d[pool->count] = d;
	pool->orders[pool->count++] = order;
}

/* The place of the pair in an item's lists, or -1. */
static long
place_of(const json_t *bias, json_int_t pair)
{
	const json_t *one;
	size_t k;

	json_array_foreach(json_object_get(bias, "pairs"), k, one)
		if (json_integer_value(one) == pair)
			return (long)k;
	return -1;
}

/*
 * The items of a group share its process, its place in memory and its moment, so that they are no
 * witnesses of their own: a pair says one thing, the median over its items.
 */
static void
pool_pair(struct pool *pool, const json_t *items, json_int_t pair)
{
	double *values = memory_zeroed(json_array_size(items), sizeof *values), median;
	enum pair_order order = PAIR_AB;
	const json_t *item;
	size_t i, n = 0;

	json_array_foreach((json_t *)items, i, item) {
		const json_t *bias = json_object_get(json_object_get(item, "aa"), "bias"), *d;
		long k = place_of(bias, pair);
		const char *text;

		if (k < 0)
			continue;
		d = json_array_get(json_object_get(bias, "d"), (size_t)k);
		text = json_string_value(json_array_get(json_object_get(bias, "orders"), (size_t)k));
		order = text != NULL && strcmp(text, "AB") == 0 ? PAIR_AB : PAIR_BA;
		if (json_is_number(d))
			values[n++] = json_number_value(d);
	}
	if (describe_median(values, n, &median) == STAT_OK)
		pool_add(pool, median, order);
	free(values);
}

static void
pool_case(struct pool *pool, const json_t *document)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0);
	const json_t *items = json_object_get(metric, "items"), *item, *pair;
	json_t *seen = json_object();
	char key[32];
	size_t i, k;

	json_array_foreach((json_t *)items, i, item) {
		const json_t *bias = json_object_get(json_object_get(item, "aa"), "bias");

		json_array_foreach(json_object_get(bias, "pairs"), k, pair) {
			snprintf(key, sizeof key, "%lld", (long long)json_integer_value(pair));
			if (json_object_get(seen, key) != NULL)
				continue;
			json_object_set_new(seen, key, json_true());
			pool_pair(pool, items, json_integer_value(pair));
		}
	}
	json_decref(seen);
}

static void
cap_comparison(const json_t *document, const json_t *metric, const json_t *item, json_t *comparison,
	       const char *reason)
{
	if (comparison_shows_difference(comparison) ||
	    strcmp(json_get_text(comparison, "verdict"), "same") == 0)
		comparison_withdraw(comparison, json_get_text(metric, "name"), json_get_text(item, "item"),
				    json_get_text(document, "point_text"), reason);
}

static void
cap(json_t *document, const char *reason)
{
	json_t *metric, *item, *comparison;
	size_t m, i, c;

	json_array_foreach(json_object_get(document, "metrics"), m, metric)
		json_array_foreach(json_object_get(metric, "items"), i, item) {
			json_array_foreach(json_object_get(item, "comparisons"), c, comparison)
				cap_comparison(document, metric, item, comparison, reason);
			comparison = json_object_get(json_object_get(item, "search"), "confirmed");
			if (json_is_object(comparison))
				cap_comparison(document, metric, item, comparison, reason);
		}
}

static json_t *
judge_experiment(const json_t *experiment, json_t *cases)
{
	struct pool pool = {0};
	struct noise_bias bias;
	json_t *result;
	const json_t *one;
	size_t c;

	json_array_foreach(json_object_get(experiment, "cases"), c, one)
		pool_case(&pool, json_object_get(cases, json_get_text(one, "case_id")));
	noise_label_bias(pool.d, pool.orders, pool.count, BIAS_CONFIDENCE, BIAS_MIN_PAIRS, &bias);
	if (bias.biased) {
		char *reason = memory_format(
			"the A/A' control favours a label: the copy of A takes %.4f times as long as A "
			"[%.4f, %.4f] over %zu pairs", bias.estimate.ratio, bias.estimate.ratio_lo,
			bias.estimate.ratio_hi, pool.count);

		json_array_foreach(json_object_get(experiment, "cases"), c, one)
			cap(json_object_get(cases, json_get_text(one, "case_id")), reason);
		free(reason);
	}
	result = json_pack("{s:s, s:i, s:b, s:s, s:o, s:o, s:o, s:o}", "experiment",
			   json_get_text(experiment, "name"), "pairs", (int)pool.count, "biased", bias.biased,
			   "reason", bias.reason, "log_ratio", json_number_or_null(bias.estimate.log_ratio),
			   "lo", json_number_or_null(bias.estimate.lo), "hi",
			   json_number_or_null(bias.estimate.hi), "level",
			   json_number_or_null(bias.estimate.achieved));
	free(pool.d);
	free(pool.orders);
	return result;
}

json_t *
labels_judge(const json_t *study, json_t *cases)
{
	json_t *list = json_array();
	const json_t *experiment;
	size_t e;

	json_array_foreach(json_object_get(study, "experiments"), e, experiment)
		json_array_append_new(list, judge_experiment(experiment, cases));
	return list;
}

#include "analysis/judge/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
pool_case(struct pool *pool, const json_t *document)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0);
	const json_t *item, *bias;
	size_t i, k;

	json_array_foreach(json_object_get(metric, "items"), i, item) {
		bias = json_object_get(json_object_get(item, "aa"), "bias");
		for (k = 0; k < json_array_size(json_object_get(bias, "d")); k++) {
			const char *order =
				json_string_value(json_array_get(json_object_get(bias, "orders"), k));

			pool->d = memory_grow(pool->d, pool->count, &pool->d_capacity, sizeof *pool->d);
			pool->orders = memory_grow(pool->orders, pool->count, &pool->order_capacity,
						   sizeof *pool->orders);
			pool->d[pool->count] =
				json_number_value(json_array_get(json_object_get(bias, "d"), k));
			pool->orders[pool->count++] =
				order != NULL && strcmp(order, "AB") == 0 ? PAIR_AB : PAIR_BA;
		}
	}
}

static void
cap(json_t *document, const char *reason)
{
	json_t *metric, *item, *comparison;
	size_t m, i, c;

	json_array_foreach(json_object_get(document, "metrics"), m, metric)
		json_array_foreach(json_object_get(metric, "items"), i, item)
			json_array_foreach(json_object_get(item, "comparisons"), c, comparison) {
				if (comparison_shows_difference(comparison) ||
				    strcmp(json_get_text(comparison, "verdict"), "same") == 0)
					comparison_withdraw(comparison, json_get_text(metric, "name"),
							    json_get_text(item, "item"),
							    json_get_text(document, "point_text"), reason);
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

#include "cli/stored_times.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

static double
median_s(const struct store_case *store, int treatment)
{
	double *seconds = NULL, result = NAN;
	size_t count = 0, capacity = 0, i, k;

	for (i = 0; i < store->session_count; i++) {
		const struct store_session *session = &store->sessions[i];

		for (k = 0; k < session->record_count; k++) {
			if (session->records[k].treatment != treatment)
				continue;
			seconds = memory_grow(seconds, count, &capacity, sizeof *seconds);
			seconds[count++] = session->records[k].result.wall_us / 1e6;
		}
	}
	if (count > 0) {
		gsl_sort(seconds, 1, count);
		result = gsl_stats_median_from_sorted_data(seconds, 1, count);
	}
	free(seconds);
	return result;
}

static double
comparison_sd(const json_t *comparison)
{
	const json_t *points = json_object_get(comparison, "points");
	size_t size = json_array_size(points), count = 0, i;
	double *logs = memory_zeroed(size, sizeof *logs), result;

	for (i = 0; i < size; i++) {
		double speedup = json_get_number(json_array_get(points, i), "speedup");

		if (speedup > 0)
			logs[count++] = log(speedup);
	}
	result = count > 1 ? gsl_stats_sd(logs, 1, count) : NAN;
	free(logs);
	return result;
}

/* Of the primary metric's comparisons, over its items. */
static double
largest_sd(const json_t *stats)
{
	const json_t *metric = json_array_get(json_object_get(stats, "metrics"), 0);
	const json_t *items = json_object_get(metric, "items");
	double largest = NAN;
	size_t i, k;

	for (i = 0; i < json_array_size(items); i++) {
		const json_t *comparisons =
			json_object_get(json_array_get(items, i), "comparisons");

		for (k = 0; k < json_array_size(comparisons); k++)
			largest = fmax(largest, comparison_sd(json_array_get(comparisons, k)));
	}
	return largest;
}

void
stored_times_load(const struct plan *plan, const struct store_case *store,
		  struct stored_times *times)
{
	char *path = memory_format("build/stats/%s.json", plan->case_id);
	json_t *stats = file_exists(path) ? json_read_file(path, NULL) : NULL;
	size_t i;

	times->count = plan->treatment_count + 1;
	times->group_s = memory_zeroed(times->count, sizeof *times->group_s);
	for (i = 0; i < times->count; i++)
		times->group_s[i] = median_s(store, (int)i);
	if (isnan(times->group_s[times->count - 1])) /* A' is A */
		times->group_s[times->count - 1] = times->group_s[plan_baseline(plan)];
	times->pair_sd = largest_sd(stats);
	json_decref(stats);
	free(path);
}

void
stored_times_free(struct stored_times *times)
{
	free(times->group_s);
	times->group_s = NULL;
}

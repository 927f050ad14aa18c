#include "analysis/judge/over_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe.h"
#include "base/json.h"
#include "base/memory.h"

/* What is kept of the groups so far; rates[i] belongs to x[i]. */
struct pool {
	double *x, *rates;
	size_t count, samples; /* kept, of how many */
	double work, seconds;  /* of those kept */
	bool rated;            /* each sample had its work */
};

/* The columns that say how fast a sample worked: its flops a second of wall time, the time that
 * stands below its work, and wall time. */
struct rate_columns {
	int flops, time, wall;
};

static bool
is_column(const struct observations *all, int column, const char *name)
{
	return column >= 0 && strcmp(all->table.names[column], name) == 0;
}

/* The time is what the metric says it is, divided or not; below a rate it is the wall time. */
static struct rate_columns
find_columns(const struct observations *all, int column)
{
	struct rate_columns at = {csv_table_column(&all->table, "flops"), -1,
				  csv_table_column(&all->table, "wall_us")};

	if (is_column(all, column, "wall_us") || is_column(all, column, "cpu_us"))
		at.time = column;
	else if (is_column(all, column, "flops") || is_column(all, column, "wall_us" METRIC_PER_FLOP))
		at.time = at.wall;
	else if (is_column(all, column, "cpu_us" METRIC_PER_FLOP))
		at.time = csv_table_column(&all->table, "cpu_us");
	return at;
}

/* Times are trimmed, in whole nanoseconds, and what is left of them divided by their work. */
enum trim { TRIM_NONE, TRIM_NANOSECONDS, TRIM_VALUES };

static enum trim
find_trim(const struct observations *all, int column, const struct rate_columns *at)
{
	if (at->time >= 0 && at->time == column)
		return TRIM_NANOSECONDS;
	return is_column(all, column, "wall_us" METRIC_PER_FLOP) ||
			       is_column(all, column, "cpu_us" METRIC_PER_FLOP)
		       ? TRIM_VALUES : TRIM_NONE;
}

/* Which samples of a group count; false when they have no numbers. */
static bool
keep_samples(const double *x, size_t n, enum trim trim, double factor, unsigned char *keep)
{
	size_t kept;

	memset(keep, 1, n);
	if (n == 0)
		return false;
	if (trim == TRIM_NONE || factor == 0)
		return true;
	return (trim == TRIM_NANOSECONDS ? describe_trim_upper_us(x, n, factor, keep, &kept)
					 : describe_trim_upper(x, n, factor, keep, &kept)) == STAT_OK;
}

static void
add_rates(struct pool *pool, const double *flops, const double *time_us, const double *wall_us,
	  const unsigned char *keep, size_t n)
{
	size_t i, at = pool->count;

	for (i = 0; i < n; i++) {
		double work = flops[i] * wall_us[i] * 1e-6, seconds = time_us[i] * 1e-6;

		if (!keep[i])
			continue;
		pool->rated = pool->rated && work > 0 && seconds > 0;
		pool->rates[at++] = time_us[i] == wall_us[i] ? flops[i] : work / seconds;
		pool->work += work;
		pool->seconds += seconds;
	}
}

static void
add_group(struct pool *pool, const struct observations *all, size_t group, int column,
	  double factor)
{
	struct rate_columns at = find_columns(all, column);
	double *x, *flops, *time_us, *wall_us;
	size_t n = observation_samples(all, group, column, &x), i;
	unsigned char *keep = memory_zeroed(n + 1, 1);
	enum trim trim = find_trim(all, column, &at);

	pool->rated = observation_samples(all, group, at.flops, &flops) == n && pool->rated;
	pool->rated = observation_samples(all, group, at.time, &time_us) == n && pool->rated;
	pool->rated = observation_samples(all, group, at.wall, &wall_us) == n && pool->rated;
	pool->x = memory_resize(pool->x, pool->count + n + 1, sizeof *pool->x);
	pool->rates = memory_resize(pool->rates, pool->count + n + 1, sizeof *pool->rates);
	pool->samples += n;
	if (keep_samples(x, n, trim, factor, keep)) {
		if (pool->rated)
			add_rates(pool, flops, time_us, wall_us, keep, n);
		for (i = 0; i < n; i++)
			if (keep[i])
				pool->x[pool->count++] = x[i];
	}
	free(x);
	free(flops);
	free(time_us);
	free(wall_us);
	free(keep);
}

static void
put_mean(json_t *object, const double *x, size_t n)
{
	double mean = NAN, sd = NAN;

	describe_mean(x, n, &mean);
	describe_sd(x, n, &sd);
	json_object_set_new(object, "mean", json_number_or_null(mean));
	json_object_set_new(object, "sd", json_number_or_null(sd));
}

static json_t *
rate_document(const struct pool *pool)
{
	json_t *object;

	if (!pool->rated || pool->count == 0)
		return json_null();
	object = json_object();
	json_object_set_new(object, "work", json_number_or_null(pool->work));
	json_object_set_new(object, "seconds", json_number_or_null(pool->seconds));
	json_object_set_new(object, "work_over_time", json_number_or_null(pool->work / pool->seconds));
	put_mean(object, pool->rates, pool->count);
	return object;
}

json_t *
over_samples_document(const struct observations *all, const size_t *groups, size_t count,
		      int column, double trim_factor)
{
	struct pool pool = {.rated = true};
	json_t *object;
	size_t g;

	for (g = 0; g < count; g++)
		add_group(&pool, all, groups[g], column, trim_factor);
	object = json_pack("{s:i, s:i, s:o}", "kept", (int)pool.count, "trimmed",
			   (int)(pool.samples - pool.count), "rate", rate_document(&pool));
	put_mean(object, pool.x, pool.count);
	free(pool.x);
	free(pool.rates);
	return object;
}

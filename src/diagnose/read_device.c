#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/file.h"
#include "base/memory.h"
#include "diagnose/reading.h"
#include "diagnose/result.h"

/* What the tools of CUDA print. */

/* ---- compute-sanitizer ---- */

json_t *
read_compute_sanitizer(const char *folder, struct error *error)
{
	static const char words[] = "ERROR SUMMARY: ";
	struct buffer text = BUFFER_EMPTY;
	const char *at;
	json_t *result = NULL;

	if (result_read(folder, "stdout", &text, error) != 0)
		return NULL;
	at = strstr(buffer_text(&text), words);
	if (at == NULL) {
		error_set(error, EXIT_BAD_INPUT, "there is no line \"%s…\" in what it printed", words);
	} else {
		result = result_new();
		result_put(result, "errors", strtod(at + strlen(words), NULL));
		result_say(result, "%.0f errors of memory accesses", result_value(result, "errors"));
	}
	buffer_free(&text);
	return result;
}

/* ---- CSV with lines of the tool's own before it ---- */

/* The table that begins with the line that starts with `header`. */
static int
read_table(const char *folder, const char *name, const char *header, struct csv_table *table,
	   struct error *error)
{
	struct buffer text = BUFFER_EMPTY;
	char *path = memory_format("%s/%s.table", folder, name), *begin;
	int result = result_read(folder, name, &text, error);

	if (result == 0) {
		begin = strstr(buffer_text(&text), header);
		while (begin != NULL && begin != text.bytes && begin[-1] != '\n')
			begin = strstr(begin + 1, header);
		if (begin == NULL)
			result = error_set(error, EXIT_BAD_INPUT, "there is no table that begins with %s in %s",
					   header, name);
		else
			result = file_write(path, begin, strlen(begin), FILE_IF_CHANGED, error);
	}
	if (result == 0)
		result = csv_table_read(path, table, error);
	buffer_free(&text);
	free(path);
	return result;
}

/* "1,234.5" has its commas by the locale of the tool. */
static double
number_of(const char *text)
{
	char digits[64];
	size_t n = 0;

	for (; *text != '\0' && n + 1 < sizeof digits; text++)
		if (*text != ',')
			digits[n++] = *text;
	digits[n] = '\0';
	return strtod(digits, NULL);
}

/* ---- nsys ---- */

json_t *
read_nsys(const char *folder, struct error *error)
{
	struct csv_table table = {0};
	json_t *result = NULL;
	int time, instances, name;
	double all = 0, launches = 0;
	size_t r;

	if (read_table(folder, "after.txt", "Time (%)", &table, error) != 0)
		return NULL;
	time = csv_table_column(&table, "Total Time (ns)");
	instances = csv_table_column(&table, "Instances");
	name = csv_table_column(&table, "Name");
	if (time < 0 || instances < 0 || name < 0) {
		error_set(error, EXIT_BAD_INPUT, "nsys stats has other columns than expected");
	} else {
		result = result_new();
		for (r = 0; r < table.count; r++) {
			all += number_of(table.rows[r][time]);
			launches += number_of(table.rows[r][instances]);
		}
		for (r = 0; r < table.count; r++)
			result_add_function(result, table.rows[r][name], "device",
					    number_of(table.rows[r][time]) / all, 0, 0);
		result_end_functions(result);
		result_put(result, "kernels", (double)table.count);
		result_put(result, "kernel_ns", all);
		result_put(result, "launches", launches);
		result_say(result, "%zu kernels in %.0f launches, %.4g ms on the device", table.count, launches, all / 1e6);
	}
	csv_table_free(&table);
	return result;
}

/* ---- ncu ---- */

#define SM "sm__throughput.avg.pct_of_peak_sustained_elapsed"
#define DRAM "dram__throughput.avg.pct_of_peak_sustained_elapsed"
#define L2 "lts__t_sector_hit_rate.pct"

#define SATURATED 80 /* percent of its peak from which on a resource is what limits */
#define IDLE 60      /* below it a resource limits nothing */

/* What the launches of a program came to: the mean over those that tell all three. */
struct device_use {
	double sm, dram, l2;
	size_t launches;
};

double
ncu_ceiling(double share)
{
	return 1 / (1 - share + share / 2);
}

static double
mean_of(const struct csv_table *table, int metric, int value, const char *name, size_t *count)
{
	double sum = 0;
	size_t r;

	*count = 0;
	for (r = 0; r < table->count; r++)
		if (strcmp(table->rows[r][metric], name) == 0) {
			sum += number_of(table->rows[r][value]);
			++*count;
		}
	return *count > 0 ? sum / (double)*count : NAN;
}

/* Which resource is used up, and what may then still be won. */
static void
conclude(json_t *result, const struct device_use *use)
{
	double busiest = fmax(use->dram, use->sm), ceiling = ncu_ceiling(busiest / 100);

	result_put(result, "ceiling", busiest >= IDLE ? ceiling : NAN);
	if (busiest < IDLE)
		result_say(result, "latency-bound: neither arithmetic (SM %.0f %%) nor memory (DRAM %.0f %%, L2 hit rate "
			   "%.0f %%) is near its peak; more must be under way at once", use->sm, use->dram, use->l2);
	else if (use->dram >= use->sm)
		result_say(result, "%s by memory: DRAM at %.0f %% of its peak, SM at %.0f %%; more arithmetic throughput "
			   "wins nothing. Half the bytes would take %.3g times less time at the most; %.0f %% of "
			   "the L2 requests go on to DRAM", use->dram >= SATURATED ? "bound" : "mostly bound",
			   use->dram, use->sm, ceiling, 100 - use->l2);
	else
		result_say(result, "%s by arithmetic: SM at %.0f %% of its peak, DRAM at %.0f %%; fewer bytes win "
			   "nothing. Half the instructions would take %.3g times less time at the most",
			   use->sm >= SATURATED ? "bound" : "mostly bound", use->sm, use->dram, ceiling);
}

json_t *
read_ncu(const char *folder, struct error *error)
{
	struct csv_table table = {0};
	struct device_use use;
	json_t *result = NULL;
	int metric, value;
	size_t ignored;

	if (read_table(folder, "ncu.csv", "\"ID\"", &table, error) != 0)
		return NULL;
	metric = csv_table_column(&table, "Metric Name");
	value = csv_table_column(&table, "Metric Value");
	if (metric >= 0 && value >= 0) {
		use.sm = mean_of(&table, metric, value, SM, &use.launches);
		use.dram = mean_of(&table, metric, value, DRAM, &ignored);
		use.l2 = mean_of(&table, metric, value, L2, &ignored);
		if (isfinite(use.sm) && isfinite(use.dram) && isfinite(use.l2)) {
			result = result_new();
			result_put(result, "kernels", (double)use.launches);
			result_put(result, "sm_percent", use.sm);
			result_put(result, "dram_percent", use.dram);
			result_put(result, "l2_hit_percent", use.l2);
			conclude(result, &use);
		}
	}
	if (result == NULL)
		error_set(error, EXIT_BAD_INPUT, "ncu did not tell its three metrics, " SM ", " DRAM " and " L2);
	csv_table_free(&table);
	return result;
}

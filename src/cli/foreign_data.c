#include "cli/foreign_data.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/bootstrap.h"
#include "analysis/crossover.h"
#include "analysis/dependence.h"
#include "analysis/describe.h"
#include "analysis/paired.h"
#include "analysis/signflip.h"
#include "analysis/trend.h"
#include "analysis/twosample.h"
#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/number.h"

#define RESAMPLES 10000
#define SEED 20260101UL

struct sample {
	double *a, *b;
	size_t n_a, n_b;
	enum pair_order *orders; /* one a pair; all unknown without a column */
};

/* ---- reading ---- */

static int
fail_column(const struct foreign_data *data, const struct csv_table *table, const char *name,
	    struct error *error)
{
	struct buffer known = BUFFER_EMPTY;
	size_t c;
	int result;

	for (c = 0; c < table->columns; c++)
		buffer_printf(&known, "%s%s", c > 0 ? ", " : "", table->names[c]);
	result = error_set_at(error, EXIT_BAD_INPUT, data->path, 1, "no column '%s'; there are: %s", name,
			      buffer_text(&known));
	buffer_free(&known);
	return result;
}

static int
read_number(const struct foreign_data *data, const char *cell, size_t row, const char *column,
	    double *value, struct error *error)
{
	if (number_parse(cell, value))
		return 0;
	return error_set_at(error, EXIT_BAD_INPUT, data->path, (int)row + 2,
			    "'%.60s' in column '%s' is no number", cell, column);
}

static int
read_order(const struct foreign_data *data, const char *cell, size_t row, enum pair_order *order,
	   struct error *error)
{
	*order = strcasecmp(cell, "AB") == 0 ? PAIR_AB : strcasecmp(cell, "BA") == 0 ? PAIR_BA
										      : PAIR_ORDER_UNKNOWN;
	if (*order != PAIR_ORDER_UNKNOWN || *cell == '\0')
		return 0;
	return error_set_at(error, EXIT_BAD_INPUT, data->path, (int)row + 2,
			    "'%.60s' in column '%s' must be AB (A ran first), BA, or empty when it is not "
			    "known", cell, data->order);
}

static int
read_column(const struct foreign_data *data, const struct csv_table *table, const char *name,
	    double *x, size_t *count, struct error *error)
{
	int column = csv_table_column(table, name);
	size_t r;

	if (column < 0)
		return fail_column(data, table, name, error);
	for (r = *count = 0; r < table->count; r++) {
		const char *cell = table->rows[r][column];

		if (data->unpaired && *cell == '\0')
			continue;
		if (read_number(data, cell, r, name, &x[(*count)++], error) != 0)
			return -1;
	}
	return 0;
}

static int
read_orders(const struct foreign_data *data, const struct csv_table *table, struct sample *sample,
	    struct error *error)
{
	int column = data->order != NULL ? csv_table_column(table, data->order) : -1;
	size_t r;

	if (data->order == NULL)
		return 0;
	if (column < 0)
		return fail_column(data, table, data->order, error);
	for (r = 0; r < table->count; r++)
		if (read_order(data, table->rows[r][column], r, &sample->orders[r], error) != 0)
			return -1;
	return 0;
}

static int
sample_read(const struct foreign_data *data, struct sample *sample, struct error *error)
{
	struct csv_table table;
	int result;

	memset(sample, 0, sizeof *sample);
	if (csv_table_read(data->path, &table, error) != 0)
		return -1;
	sample->a = memory_zeroed(table.count, sizeof *sample->a);
	sample->b = memory_zeroed(table.count, sizeof *sample->b);
	sample->orders = memory_zeroed(table.count, sizeof *sample->orders);
	result = read_column(data, &table, data->a, sample->a, &sample->n_a, error);
	if (result == 0)
		result = read_column(data, &table, data->b, sample->b, &sample->n_b, error);
	if (result == 0)
		result = read_orders(data, &table, sample, error);
	csv_table_free(&table);
	return result;
}

static void
sample_free(struct sample *sample)
{
	free(sample->a);
	free(sample->b);
	free(sample->orders);
}

/* ---- results: one line a method ---- */

/* Of log(b/a), shown as a / b; p alone where a test has no estimate. */
static void
put(json_t *list, const char *name, enum stat_status status, double estimate, double lo, double hi,
    double p)
{
	bool ok = status == STAT_OK;
	json_t *one = json_pack("{s:s, s:b, s:s}", "method", name, "available", ok, "reason",
				ok ? "" : stat_reason(status));

	json_object_set_new(one, "speedup", json_number_or_null(ok ? exp(-estimate) : NAN));
	json_object_set_new(one, "speedup_lo", json_number_or_null(ok ? exp(-hi) : NAN));
	json_object_set_new(one, "speedup_hi", json_number_or_null(ok ? exp(-lo) : NAN));
	json_object_set_new(one, "p", json_number_or_null(ok ? p : NAN));
	json_array_append_new(list, one);
}

static void
put_crossover(const struct foreign_data *data, const struct sample *sample, json_t *list)
{
	double *d = memory_zeroed(sample->n_a, sizeof *d);
	struct crossover_hl hl = {.log_ratio = NAN};
	struct paired_rank_swap swap = {.p = NAN};
	enum stat_status status =
		pairs_differences(sample->a, sample->b, sample->orders, sample->n_a, d);

	if (status == STAT_OK)
		status = crossover_hl(d, sample->orders, sample->n_a, data->confidence, &hl);
	put(list, "crossover, Hodges-Lehmann (the primary analysis)", status, hl.log_ratio, hl.lo, hl.hi,
	    hl.p);
	put(list, "slot effect (second against first, as a ratio)", status, -hl.slot, NAN, NAN, NAN);
	if (status == STAT_OK)
		status = paired_rank_swap_exact(sample->a, sample->b, sample->n_a, &swap);
	put(list, "rank swap", status, NAN, NAN, NAN, swap.p);
	free(d);
}

/* What rests on the pairing alone. */
static void
put_paired(const struct foreign_data *data, const struct sample *sample, json_t *list)
{
	double *l = memory_zeroed(sample->n_a, sizeof *l);
	size_t n = sample->n_a;
	struct paired_signed_rank rank = {.p = NAN};
	struct paired_hl hl = {.estimate = NAN};
	struct paired_t t = {.p = NAN};
	struct paired_sign sign = {.p = NAN};
	struct signflip flip = {.p = NAN};
	struct bootstrap_result boot = {.estimate = NAN};
	enum stat_status status = pairs_log_ratios(sample->a, sample->b, n, l), one = status;

	if (status == STAT_OK)
		one = paired_hodges_lehmann(l, n, data->confidence, &hl);
	if (status == STAT_OK)
		paired_signed_rank_exact(l, n, &rank);
	put(list, "signed rank, Hodges-Lehmann", one, hl.estimate, hl.lo, hl.hi, rank.p);
	if (status == STAT_OK)
		one = paired_t_test(l, n, data->confidence, &t);
	put(list, "paired t of the log ratios", one, t.mean, t.lo, t.hi, t.p);
	if (status == STAT_OK)
		one = paired_sign_test(l, n, &sign);
	put(list, "sign test", one, NAN, NAN, NAN, sign.p);
	if (status == STAT_OK)
		one = signflip_exact(l, n, &flip);
	put(list, "sign flip", one, NAN, NAN, NAN, flip.p);
	if (status == STAT_OK)
		one = bootstrap_mean(l, n, data->confidence, RESAMPLES, SEED, &boot);
	put(list, "BCa bootstrap of the mean log ratio", one, boot.estimate, boot.bca_lo, boot.bca_hi, NAN);
	free(l);
}

/* *status is why some have none, else left alone. The caller frees. */
static double *
logs(const double *x, size_t n, enum stat_status *status)
{
	double *l = memory_zeroed(n, sizeof *l);
	size_t i;

	for (i = 0; i < n; i++)
		if (x[i] > 0)
			l[i] = log(x[i]);
		else
			*status = STAT_NOT_POSITIVE;
	return l;
}

static void
put_unpaired(const struct foreign_data *data, const struct sample *sample, json_t *list)
{
	enum stat_status positive = STAT_OK, status;
	double *log_a = logs(sample->a, sample->n_a, &positive);
	double *log_b = logs(sample->b, sample->n_b, &positive);
	struct twosample_log_shift shift;
	struct twosample_log_welch log_welch = {.log_ratio = NAN};
	struct twosample_welch welch = {.p = NAN};

	status = twosample_log_shift(sample->a, sample->n_a, sample->b, sample->n_b, data->confidence,
				     &shift);
	put(list, "Mann-Whitney, Hodges-Lehmann shift of the logs", status, shift.log_ratio, shift.lo,
	    shift.hi, shift.p);
	status = positive;
	if (status == STAT_OK)
		status = twosample_log_welch(log_a, sample->n_a, log_b, sample->n_b, data->confidence,
					     &log_welch);
	put(list, "Welch's t of the logs", status, log_welch.log_ratio, log(log_welch.lo),
	    log(log_welch.hi), log_welch.p);
	status = twosample_welch(sample->a, sample->n_a, sample->b, sample->n_b, data->confidence,
				 &welch);
	put(list, "Welch's t of the values", status, NAN, NAN, NAN, welch.p);
	free(log_a);
	free(log_b);
}

static void
put_series(const struct foreign_data *data, const char *column, const double *x, size_t n,
	   json_t *list)
{
	char *drift = memory_format("drift of %s (Mann-Kendall)", column);
	char *dependence = memory_format("dependence of the runs of %s (Ljung-Box)", column);
	struct mann_kendall kendall = {.p = NAN};
	struct ljung_box box = {.p = NAN};

	put(list, drift, data->run_order ? trend_mann_kendall(x, n, &kendall) : STAT_ORDER_UNKNOWN, NAN,
	    NAN, NAN, kendall.p);
	put(list, dependence,
	    data->run_order ? dependence_ljung_box(x, n, 1, &box) : STAT_ORDER_UNKNOWN, NAN, NAN, NAN,
	    box.p);
	free(drift);
	free(dependence);
}

/* ---- the whole ---- */

static json_t *
column_document(const char *name, const double *x, size_t n, double confidence)
{
	struct describe_summary s;
	bool known = describe_summary(x, n, confidence, &s) == STAT_OK;
	json_t *one = json_pack("{s:s, s:i}", "column", name, "n", (int)n);

	json_object_set_new(one, "median", json_number_or_null(known ? s.median : NAN));
	json_object_set_new(one, "median_lo", json_number_or_null(known ? s.median_ci.lo : NAN));
	json_object_set_new(one, "median_hi", json_number_or_null(known ? s.median_ci.hi : NAN));
	json_object_set_new(one, "mean", json_number_or_null(known ? s.mean : NAN));
	json_object_set_new(one, "sd", json_number_or_null(known ? s.sd : NAN));
	json_object_set_new(one, "min", json_number_or_null(known ? s.min : NAN));
	json_object_set_new(one, "max", json_number_or_null(known ? s.max : NAN));
	return one;
}

static void
put_refused(json_t *list, const char *const *names)
{
	for (; *names != NULL; names++)
		put(list, *names, STAT_ORDER_UNKNOWN, NAN, NAN, NAN, NAN);
}

static json_t *
results_of(const struct foreign_data *data, const struct sample *sample)
{
	static const char *const paired[] = {"crossover, Hodges-Lehmann (the primary analysis)",
					     "signed rank, Hodges-Lehmann", "paired t of the log ratios",
					     "sign flip", "rank swap", NULL};
	json_t *list = json_array();

	if (data->unpaired) {
		put_unpaired(data, sample, list);
		put_refused(list, paired);
	} else {
		put_crossover(data, sample, list);
		put_paired(data, sample, list);
	}
	put_series(data, data->a, sample->a, sample->n_a, list);
	put_series(data, data->b, sample->b, sample->n_b, list);
	return list;
}

static void
print_result(const json_t *one, double confidence)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];
	bool has_interval = isfinite(json_get_number(one, "speedup_lo"));

	printf("  %s: ", json_get_text(one, "method"));
	if (!json_is_true(json_object_get(one, "available"))) {
		printf("refused: %s\n", json_get_text(one, "reason"));
		return;
	}
	if (isfinite(json_get_number(one, "speedup")))
		printf("%s", number_text(json_get_number(one, "speedup"), 6, a));
	if (has_interval)
		printf(" [%s, %s] at %.3g %%", number_text(json_get_number(one, "speedup_lo"), 6, b),
		       number_text(json_get_number(one, "speedup_hi"), 6, c), 100 * confidence);
	if (isfinite(json_get_number(one, "p")))
		printf("%sp = %s", isfinite(json_get_number(one, "speedup")) ? ", " : "",
		       number_text(json_get_number(one, "p"), 3, a));
	putchar('\n');
}

static void
print_text(const struct foreign_data *data, const json_t *document)
{
	const json_t *one;
	char t[4][NUMBER_TEXT];
	size_t i;

	printf("%s: %s; ratios are %s / %s, above 1 when %s is less\n", data->path,
	       json_get_text(document, "known"), data->a, data->b, data->b);
	json_array_foreach(json_object_get(document, "columns"), i, one)
		printf("  %s: n = %lld, median %s [%s, %s], mean %s\n", json_get_text(one, "column"),
		       json_get_integer(one, "n", 0), number_text(json_get_number(one, "median"), 6, t[0]),
		       number_text(json_get_number(one, "median_lo"), 6, t[1]),
		       number_text(json_get_number(one, "median_hi"), 6, t[2]),
		       number_text(json_get_number(one, "mean"), 6, t[3]));
	json_array_foreach(json_object_get(document, "results"), i, one)
		print_result(one, data->confidence);
}

int
foreign_data_analyse(const struct foreign_data *data, struct error *error)
{
	struct sample sample;
	json_t *document;
	int result = sample_read(data, &sample, error);

	if (result == 0) {
		document = json_pack(
			"{s:s, s:s, s:s, s:f, s:[o, o], s:o}", "format", "assay-foreign-1", "file", data->path,
			"known",
			data->unpaired        ? "two samples, no pairs"
			: data->order != NULL ? "pairs in the rows, their order known"
					      : "pairs in the rows, their order not known",
			"confidence", data->confidence, "columns",
			column_document(data->a, sample.a, sample.n_a, data->confidence),
			column_document(data->b, sample.b, sample.n_b, data->confidence), "results",
			results_of(data, &sample));
		if (data->json) {
			json_print(document, stdout);
		} else {
			print_text(data, document);
		}
		json_decref(document);
	}
	sample_free(&sample);
	return result;
}

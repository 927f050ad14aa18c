#include "compare/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "compare/grid.h"
#include "compare/metric.h"
#include "report/document.h"

static const struct unit {
	const char *of, *name;
	double factor;
} units[] = {
	{"us", "s", 1e6}, {"us", "ms", 1e3}, {"us", "us", 1}, {"us", "ns", 1e-3},
	{"kib", "GiB", 1048576}, {"kib", "MiB", 1024}, {"kib", "KiB", 1},
};

/* The other values that a row shows: the median over its groups. Of the process, so that items
 * have none of their own. */
static const struct further {
	const char *metric, *head; /* NULL: its time */
} further[] = {
	{NULL, "wall"}, {"process_user_us", "user"}, {"process_sys_us", "sys"}, {"max_rss_kib", "rss"},
};
enum { FURTHER = sizeof further / sizeof *further };

struct table {
	const struct compare_options *options;
	const json_t *document;
	const struct screen *screen;
	const json_t *item;  /* whose rows are made */
	bool with_items;     /* they have names */
	struct unit unit;
	struct grid grid;
};

static const json_t *
treatment_of(const json_t *metric, size_t index)
{
	const json_t *item = json_array_get(json_object_get(metric, "items"), 0);

	return document_treatment(item, (long long)index);
}

/* The one in which the first command's median has digits before its point; of an item that the
 * first lacks, the next one's. */
static struct unit
choose_unit(const json_t *metric, const json_t *item)
{
	const char *of = json_get_text(metric, "unit");
	struct unit last = {of, of, 1};
	double median = NAN;
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(item, "treatments"), i, one)
		if (!isfinite(median))
			median = json_get_number(one, "median");

	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].of, of) == 0) {
			last = units[i];
			if (median >= last.factor)
				break;
		}
	return last;
}

static char *
in_unit(const struct table *table, double value)
{
	return isfinite(value) ? memory_format("%.4g", value / table->unit.factor) : memory_copy_text("-");
}

static char *
interval_text(const struct table *table, const json_t *treatment)
{
	double lo = json_get_number(treatment, "median_lo"), hi = json_get_number(treatment, "median_hi");

	if (!isfinite(lo) || !isfinite(hi))
		return memory_copy_text("-");
	return memory_format("[%.4g, %.4g]", lo / table->unit.factor, hi / table->unit.factor);
}

static char *
with_unit(const struct table *table, double value, const char *unit)
{
	struct buffer text = BUFFER_EMPTY;
	char *result;

	if (isfinite(value))
		document_put_value(value, unit, &text);
	else
		buffer_puts(&text, "-");
	result = buffer_detach(&text);
	screen_plain(table->screen, result);
	return result;
}

static const json_t *
metric_named(const json_t *document, const char *name)
{
	const json_t *metric;
	size_t i;

	json_array_foreach(json_object_get(document, "metrics"), i, metric)
		if (strcmp(json_get_text(metric, "name"), name) == 0)
			return metric;
	return NULL;
}

static const char *
column_of(const struct table *table, const struct further *which)
{
	return which->metric != NULL ? which->metric : compare_metric_process_wall(table->options);
}

/* Times beside a time are in its unit. */
static void
add_further(struct table *table, const struct further *which, size_t index)
{
	const json_t *metric = metric_named(table->document, column_of(table, which));
	const char *unit = json_get_text(metric, "unit");
	double value = json_get_number(treatment_of(metric, index), "median");

	grid_add(&table->grid, strcmp(unit, table->unit.of) == 0 ? in_unit(table, value)
								 : with_unit(table, value, unit));
}

static bool
is_shown(const struct table *table, const struct further *which)
{
	return !table->with_items && strcmp(column_of(table, which), table->options->metric) != 0;
}

static void
add_heads(struct table *table)
{
	static const char *const heads[] = {"median", "95 % interval", "min", "max", "MAD"};
	size_t i;

	if (table->with_items)
		grid_add(&table->grid, memory_copy_text("item, command, unit"));
	else if (strcmp(table->unit.name, "1") == 0)
		grid_add(&table->grid, memory_copy_text(table->options->metric));
	else
		grid_add(&table->grid, memory_format("in %s", table->unit.name));
	for (i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&table->grid, memory_copy_text(heads[i]));
	for (i = 0; i < FURTHER; i++)
		if (is_shown(table, &further[i]))
			grid_add(&table->grid, memory_copy_text(further[i].head));
}

static void
add_name(struct table *table, size_t index)
{
	const char *name = table->options->commands[index].name;

	if (!table->with_items)
		grid_add(&table->grid, memory_copy_text(name));
	else if (strcmp(table->unit.name, "1") == 0)
		grid_add(&table->grid, memory_format("%s %s", json_get_text(table->item, "item"), name));
	else
		grid_add(&table->grid, memory_format("%s %s, %s", json_get_text(table->item, "item"), name,
						     table->unit.name));
}

static void
add_row(struct table *table, size_t index)
{
	static const char *const spread[] = {"min", "max", "mad"};
	const json_t *one = document_treatment(table->item, (long long)index);
	size_t i;

	add_name(table, index);
	grid_add(&table->grid, in_unit(table, json_get_number(one, "median")));
	grid_add(&table->grid, interval_text(table, one));
	for (i = 0; i < sizeof spread / sizeof *spread; i++)
		grid_add(&table->grid, in_unit(table, json_get_number(one, spread[i])));
	for (i = 0; i < FURTHER; i++)
		if (is_shown(table, &further[i]))
			add_further(table, &further[i], index);
}

static bool
has_values(const json_t *item, size_t index)
{
	return json_get_integer(document_treatment(item, (long long)index), "groups", 0) > 0;
}

void
table_put(const struct compare_options *options, const json_t *case_document,
	  const struct screen *screen, struct buffer *out)
{
	struct table table = {.options = options, .document = case_document, .screen = screen};
	const json_t *metric = document_primary(case_document);
	const json_t *items = json_object_get(metric, "items");
	size_t i, k, columns = 6;

	table.with_items = *json_get_text(json_array_get(items, 0), "item") != '\0';
	table.item = json_array_get(items, 0);
	table.unit = choose_unit(metric, table.item);
	for (i = 0; i < FURTHER; i++)
		columns += is_shown(&table, &further[i]);
	grid_begin(&table.grid, columns);
	add_heads(&table);
	json_array_foreach((json_t *)items, k, table.item) {
		table.unit = choose_unit(metric, table.item);
		for (i = 0; i < options->command_count; i++)
			if (!table.with_items || has_values(table.item, i))
				add_row(&table, i);
	}
	grid_put(&table.grid, screen, out);
	grid_free(&table.grid);
}

#include "store/google_benchmark.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/item_filter.h"
#include "base/json.h"
#include "base/memory.h"

struct parsing {
	const struct plan *plan;
	struct item_filter filter;
	json_t *names; /* "<name>" = how many benchmarks have it, "<name>\n<which>" = its item */
	struct reading *reading;
};

static void
complain(struct parsing *parsing, size_t row, const char *what)
{
	if (parsing->reading->problem == NULL)
		parsing->reading->problem = memory_format("benchmark %zu in the JSON %s", row + 1, what);
}

/* ---- from bytes to JSON ---- */

/* The first line that begins with '{': before it a program may have printed what it likes. */
static const char *
find_start(const char *bytes, size_t length)
{
	const char *at = bytes, *end = bytes + length;

	while (at != NULL && at < end && *at != '{') {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at != NULL ? at + 1 : NULL;
	}
	return at != NULL && at < end ? at : NULL;
}

static bool
is_no_number(const char *word, size_t length)
{
	static const char *const words[] = {"nan", "inf", "infinity"};
	size_t i;

	if (length > 0 && *word == '-') {
		word++;
		length--;
	}
	for (i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == length && strncasecmp(words[i], word, length) == 0)
			return true;
	return false;
}

/* NaN and Infinity outside of texts become null: no value. */
static void
copy_without_nan(const char *at, const char *end, struct buffer *out)
{
	bool in_text = false;

	while (at < end) {
		const char *word = at;

		while (!in_text && at < end && (isalpha((unsigned char)*at) || *at == '-'))
			at++;
		if (at > word) {
			if (is_no_number(word, (size_t)(at - word)))
				buffer_puts(out, "null");
			else
				buffer_append(out, word, (size_t)(at - word));
			continue;
		}
		if (in_text && *at == '\\' && at + 1 < end)
			buffer_putc(out, *at++);
		else if (*at == '"')
			in_text = !in_text;
		buffer_putc(out, *at++);
	}
}

static json_t *
parse(const struct record *record, char **problem)
{
	const char *end = record->stdout_bytes + record->stdout_length;
	const char *start = find_start(record->stdout_bytes, record->stdout_length);
	struct buffer text = BUFFER_EMPTY;
	json_error_t error;
	json_t *document;

	if (start == NULL) {
		*problem = memory_copy_text("no JSON of Google Benchmark in the output (no line begins with "
					    "'{'); does the program take --benchmark_format=json?");
		return NULL;
	}
	copy_without_nan(start, end, &text);
	document = json_loadb(buffer_text(&text), text.length, JSON_DECODE_INT_AS_REAL |
			      JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
	if (document == NULL)
		*problem = memory_format("the JSON of Google Benchmark in the output is broken in its line %d: "
					 "%s", error.line, error.text);
	buffer_free(&text);
	return document;
}

/* ---- a row ---- */

/* Two benchmarks may have the same name: the second is "name #2". Borrowed; NULL: out of range. */
static const char *
item_of(struct parsing *parsing, const json_t *row, const char *name)
{
	char *which = memory_format("%s\n%.17g:%.17g", name, json_get_number(row, "family_index"),
				    json_get_number(row, "per_family_instance_index"));
	const char *item = json_string_value(json_object_get(parsing->names, which));

	if (item == NULL) {
		json_int_t before = json_integer_value(json_object_get(parsing->names, name));
		char *made = before > 0 ? memory_format("%s #%lld", name, (long long)before + 1)
					: memory_copy_text(name);

		json_object_set_new(parsing->names, name, json_integer(before + 1));
		json_object_set_new(parsing->names, which, json_string(made));
		free(made);
		item = json_string_value(json_object_get(parsing->names, which));
	}
	free(which);
	return item;
}

static bool
is_good_name(const char *name)
{
	size_t i;

	for (i = 0; name[i] != '\0'; i++)
		if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
			return false;
	return i > 0 && i <= GOOGLE_BENCHMARK_NAME;
}

/* Units in a microsecond; 0: not known. */
static double
units_in_us(const char *unit)
{
	static const struct {
		const char *unit;
		double in_us;
	} units[] = {{"ns", 1e3}, {"us", 1}, {"ms", 1e-3}, {"s", 1e-6}};
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].unit, unit) == 0)
			return units[i].in_us;
	return 0;
}

/* The counters that the plan asks for; all other members are the library's own. */
static void
read_counters(const struct parsing *parsing, const json_t *row, struct reading_sample *sample)
{
	static const char *const own[] = {"family_index", "per_family_instance_index", "repetitions",
					  "repetition_index", "threads", "real_time", "cpu_time"};
	const struct settings *metrics = &parsing->plan->metrics;
	size_t i, k;

	for (i = 0; i < metrics->count; i++) {
		const char *name = metrics->items[i].name;
		double value = json_get_number(row, name);

		for (k = 0; k < sizeof own / sizeof *own; k++)
			if (strcmp(own[k], name) == 0)
				value = NAN;
		if (isfinite(value))
			reading_add_value(sample, name, value);
	}
}

static void
read_times(struct parsing *parsing, const json_t *row, const char *item)
{
	double units = units_in_us(json_get_text(row, "time_unit"));
	double wall_us = json_get_number(row, "real_time") / units;
	double cpu_us = json_get_number(row, "cpu_time") / units;
	struct reading_sample *sample;

	if (!(units > 0)) {
		reading_fail_item(parsing->reading, item, "its time_unit is none of ns, us, ms, s");
	} else if (!isfinite(wall_us)) {
		reading_fail_item(parsing->reading, item, "it has no real_time");
	} else if (!(wall_us > 0)) {
		reading_fail_item(parsing->reading, item, "its real_time is not above 0");
	} else {
		sample = reading_add(parsing->reading, item);
		sample->wall_us = wall_us;
		sample->cpu_us = cpu_us >= 0 ? cpu_us : NAN;
		read_counters(parsing, row, sample);
	}
}

static bool
is_true(const json_t *row, const char *key)
{
	return json_is_true(json_object_get(row, key));
}

static void
read_row(struct parsing *parsing, const json_t *row, size_t index)
{
	const char *type = json_get_text(row, "run_type"), *name = json_get_text(row, "run_name"), *item;

	if (name[0] == '\0')
		name = json_get_text(row, "name");
	if (!json_is_object(row)) {
		complain(parsing, index, "is no object");
	} else if (strcmp(type, "aggregate") == 0) {
		return;
	} else if (strcmp(type, "iteration") != 0) {
		complain(parsing, index, "is neither of run_type iteration nor aggregate; Google Benchmark 1.5 "
			 "or later is needed");
	} else if (!is_good_name(name)) {
		complain(parsing, index, "has no name that can be used");
	} else if (item_filter_takes(&parsing->filter, name) && !is_true(row, "skipped")) {
		const char *message = json_get_text(row, "error_message");

		item = item_of(parsing, row, name);
		if (is_true(row, "error_occurred"))
			reading_fail_item(parsing->reading, item,
					  message[0] != '\0' ? message : "it reported an error");
		else
			read_times(parsing, row, item);
	}
}

static void
read_document(struct parsing *parsing, const json_t *document)
{
	const json_t *rows = json_object_get(document, "benchmarks"), *row;
	size_t i;

	if (!json_is_array(rows)) {
		parsing->reading->problem =
			memory_copy_text("the JSON in the output has no list \"benchmarks\"");
		return;
	}
	if (json_array_size(rows) > GOOGLE_BENCHMARK_ROWS) {
		parsing->reading->problem = memory_format(
			"%zu benchmarks and repetitions are more than %d; choose with items = \"...\"",
			json_array_size(rows), GOOGLE_BENCHMARK_ROWS);
		return;
	}
	json_array_foreach(rows, i, row)
		read_row(parsing, row, i);
}

void
google_benchmark_read(const struct plan *plan, const struct record *record,
		      struct reading *reading)
{
	struct parsing parsing = {.plan = plan, .reading = reading};
	json_t *document;

	reading->problem = item_filter_open(plan->items, &parsing.filter);
	if (reading->problem == NULL) {
		document = parse(record, &reading->problem);
		parsing.names = json_object();
		if (document != NULL)
			read_document(&parsing, document);
		json_decref(parsing.names);
		json_decref(document);
		item_filter_close(&parsing.filter);
	}
	if (reading->problem != NULL)
		reading_drop(reading);
	reading_gather(reading);
	reading->len = reading->iters = -1;
}

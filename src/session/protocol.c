#include "session/protocol.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "session/counting.h"

#define MAX_FIELDS 3 /* of any line, the word not counted; one more is kept to notice it */
#define MIN_STUMP 3  /* a last line this long that could have become a known word was cut off */

struct protocol {
	struct protocol_output output;
	struct buffer line;   /* the line so far, up to PROTOCOL_LINE bytes */
	bool too_long;
	size_t line_number;   /* of the line being read, from 1 */
	char *item;
	bool item_has_sample;
	size_t sample_capacity, metric_capacity;
	enum { AFTER_NOTHING, AFTER_RESULT, AFTER_COUNTED } last; /* what a COUNTER belongs to */
	unsigned seen;        /* words, by their index, that may come once */
	locale_t c_locale;
};

/* A line being read: its fields, NUL-terminated. */
struct fields {
	char *rest; /* all of them, as they stand in the line, of a word that takes it so */
	char *items[MAX_FIELDS + 1];
	size_t lengths[MAX_FIELDS + 1];
	size_t count;
};

struct word {
	const char *name;
	bool once, ends_with_text;
	size_t least, most; /* fields */
	void (*read)(struct protocol *parser, const struct fields *fields);
};

/* ---- problems ---- */

/* Only the first counts: what follows it may be its consequence. */
static void __attribute__((format(printf, 2, 3)))
complain(struct protocol *parser, const char *format, ...)
{
	char reason[512];
	va_list arguments;

	if (parser->output.problem != NULL)
		return;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	parser->output.problem = memory_format("line %zu: %s", parser->line_number, reason);
}

/* A field as it may be shown: short, and nothing that a terminal would obey. */
struct shown {
	char text[48];
};

static struct shown
show(const char *field)
{
	struct shown shown;
	char *at;

	snprintf(shown.text, sizeof shown.text, strlen(field) < sizeof shown.text ? "%s" : "%.40s...",
		 field);
	for (at = shown.text; *at != '\0'; at++)
		if ((unsigned char)*at < 0x20 || (unsigned char)*at >= 0x7f)
			*at = '?';
	return shown;
}

/* ---- fields ---- */

/* No number starts otherwise either: strtod would skip a form feed. */
static bool
is_name_byte(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || (byte != '\0' && strchr("_.:/+-", byte) != NULL);
}

static bool
read_number(struct protocol *parser, const char *what, const struct fields *fields, size_t index,
	    double *value)
{
	const char *text = fields->items[index];
	char *end;

	*value = strtod_l(text, &end, parser->c_locale);
	if (is_name_byte(text[0]) && end == text + fields->lengths[index] && isfinite(*value))
		return true;
	complain(parser, "%s '%s' is not a finite number", what, show(text).text);
	return false;
}

static bool
read_number_from_0(struct protocol *parser, const char *what, const struct fields *fields,
		   size_t index, double *value)
{
	if (!read_number(parser, what, fields, index, value))
		return false;
	if (*value >= 0)
		return true;
	complain(parser, "%s '%s' is negative", what, show(fields->items[index]).text);
	return false;
}

static bool
read_integer(struct protocol *parser, const char *what, const struct fields *fields, size_t index,
	     long long least, long long most, long long *value)
{
	const char *text = fields->items[index];
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 10);
	if (is_name_byte(text[0]) && end == text + fields->lengths[index] && errno == 0 &&
	    *value >= least && *value <= most)
		return true;
	complain(parser, "%s '%s' is not an integer from %lld", what, show(text).text, least);
	return false;
}

static bool
check_name(struct protocol *parser, const char *what, const struct fields *fields, size_t index)
{
	const char *text = fields->items[index];
	size_t i, length = fields->lengths[index];

	for (i = 0; i < length && is_name_byte(text[i]); i++)
		;
	if (i == length && length <= PROTOCOL_NAME)
		return true;
	complain(parser, "%s '%s' is not a name: up to %d of A-Z a-z 0-9 _ . : / + -", what,
		 show(text).text, PROTOCOL_NAME);
	return false;
}

/* Columns of the samples that are taken (docs/formats.md). */
static bool
check_free(struct protocol *parser, const char *name)
{
	static const char *const taken[] = {
		"run_id", "session", "case_id", "experiment", "item", "treatment", "variant", "phase",
		"block", "pair", "order", "slot", "attempt", "sample", "started_ns", "cpu", "status",
		"reason", "used", "wall_us", "cpu_us", "flops", "process_wall_us", "process_user_us",
		"process_sys_us", "max_rss_kib", "voluntary_switches", "involuntary_switches",
		"leftovers", "check", "stdout_sha256",
	};
	size_t i;

	for (i = 0; i < sizeof taken / sizeof *taken; i++)
		if (strcmp(name, taken[i]) == 0) {
			complain(parser, "METRIC name '%s' is taken by a column of ours", name);
			return false;
		}
	return true;
}

/* ---- samples ---- */

static bool
may_add_metric(struct protocol *parser, const char *word)
{
	struct protocol_output *output = &parser->output;

	if (output->sample_count == 0 || !parser->item_has_sample) {
		complain(parser, "%s before the RESULT it belongs to", word);
		return false;
	}
	if (output->samples[output->sample_count - 1].metric_count + 2 <= PROTOCOL_METRICS)
		return true;
	complain(parser, "more than %d metrics of one sample", PROTOCOL_METRICS);
	return false;
}

/* Takes over `name`. */
static void
add_metric(struct protocol *parser, char *name, double value, const char *unit)
{
	struct protocol_sample *sample = &parser->output.samples[parser->output.sample_count - 1];
	size_t i;

	for (i = 0; i < sample->metric_count; i++)
		if (strcmp(sample->metrics[i].name, name) == 0) {
			complain(parser, "'%s' a second time for one sample", name);
			free(name);
			return;
		}
	sample->metrics = memory_grow(sample->metrics, sample->metric_count,
				      &parser->metric_capacity, sizeof *sample->metrics);
	sample->metrics[sample->metric_count++] =
		(struct protocol_metric){name, memory_copy_text(unit), value};
}

/* ---- one function a word ---- */

static void
read_cfg(struct protocol *parser, const struct fields *fields)
{
	long long len, iters;

	if (read_integer(parser, "CFG len", fields, 0, 0, LLONG_MAX, &len) &&
	    read_integer(parser, "CFG iters", fields, 1, 0, LLONG_MAX, &iters)) {
		parser->output.len = len;
		parser->output.iters = iters;
	}
}

static void
read_mode(struct protocol *parser, const struct fields *fields)
{
	if (check_name(parser, "MODE", fields, 0))
		parser->output.mode = memory_copy_text(fields->items[0]);
}

/* "0", "0,1": numbers with one comma between them. */
static bool
is_cpu_list(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	while (digits > 0 && digits < 10 && text[digits] == ',') {
		text += digits + 1;
		digits = strspn(text, "0123456789");
	}
	return digits > 0 && digits < 10 && text[digits] == '\0';
}

static void
read_affinity(struct protocol *parser, const struct fields *fields)
{
	char *text = memory_copy_span(fields->items[0], fields->lengths[0]);
	bool failed = strcmp(text, "-1") == 0;

	if (!failed && !is_cpu_list(text)) {
		complain(parser, "AFFINITY '%s' is no CPU, no list of CPUs such as 0,1, and not -1",
			 show(text).text);
		free(text);
		return;
	}
	parser->output.has_affinity = true;
	if (failed)
		free(text);
	else
		parser->output.cpus = text;
}

static void
read_tsc(struct protocol *parser, const struct fields *fields)
{
	double hz;

	if (read_number_from_0(parser, "TSC", fields, 0, &hz))
		parser->output.tsc_hz = hz;
}

static void
read_traced(struct protocol *parser, const struct fields *fields)
{
	if (check_name(parser, "TRACED", fields, 0))
		parser->output.tracer = memory_copy_text(fields->items[0]);
}

static void
read_item(struct protocol *parser, const struct fields *fields)
{
	if (!check_name(parser, "ITEM", fields, 0))
		return;
	free(parser->item);
	parser->item = memory_copy_text(fields->items[0]);
	parser->item_has_sample = false;
	parser->last = AFTER_NOTHING;
}

static void
read_result(struct protocol *parser, const struct fields *fields)
{
	struct protocol_output *output = &parser->output;
	struct protocol_sample sample = {NULL, 0, 0, 0, NULL, 0};

	if (output->check != NULL) {
		complain(parser, "RESULT after CHECK, which comes after all samples");
		return;
	}
	if (output->sample_count == PROTOCOL_SAMPLES) {
		complain(parser, "more than %d RESULT lines", PROTOCOL_SAMPLES);
		return;
	}
	/* a metric after a bad RESULT must not go to the sample before it */
	parser->item_has_sample = false;
	parser->last = AFTER_NOTHING;
	if (!read_number(parser, "RESULT wall_us", fields, 0, &sample.wall_us) ||
	    !read_number_from_0(parser, "RESULT cpu_us", fields, 1, &sample.cpu_us) ||
	    !read_number_from_0(parser, "RESULT flops", fields, 2, &sample.flops))
		return;
	if (sample.wall_us <= 0) {
		complain(parser, "RESULT wall_us '%s' is not above 0", show(fields->items[0]).text);
		return;
	}
	sample.item = memory_copy_text(parser->item);
	output->samples = memory_grow(output->samples, output->sample_count,
				      &parser->sample_capacity, sizeof sample);
	output->samples[output->sample_count++] = sample;
	parser->item_has_sample = true;
	parser->last = AFTER_RESULT;
	parser->metric_capacity = 0;
}

static void
read_metric(struct protocol *parser, const struct fields *fields)
{
	const char *unit = fields->count > 2 ? fields->items[2] : "";
	double value;

	if (!may_add_metric(parser, "METRIC") || !check_name(parser, "METRIC name", fields, 0) ||
	    !check_free(parser, fields->items[0]) ||
	    !read_number(parser, "METRIC value", fields, 1, &value))
		return;
	if (fields->count > 2 && (fields->lengths[2] > PROTOCOL_NAME ||
				  strlen(unit) != fields->lengths[2])) {
		complain(parser, "METRIC unit '%s' is no unit: up to %d bytes", show(unit).text,
			 PROTOCOL_NAME);
		return;
	}
	add_metric(parser, memory_copy_text(fields->items[0]), value, unit);
}

static void
read_counted(struct protocol *parser, const struct fields *fields)
{
	double wall_us, cpu_us;

	parser->last = AFTER_NOTHING;
	parser->item_has_sample = false; /* a METRIC behind it belongs to no RESULT */
	if (parser->output.check != NULL)
		complain(parser, "COUNTED after CHECK, which comes after all samples");
	else if (parser->output.counted_count == PROTOCOL_SAMPLES)
		complain(parser, "more than %d counted samples", PROTOCOL_SAMPLES);
	else if (read_number_from_0(parser, "COUNTED wall_us", fields, 0, &wall_us) &&
		 read_number_from_0(parser, "COUNTED cpu_us", fields, 1, &cpu_us)) {
		counting_add(&parser->output, parser->item, false, wall_us, cpu_us);
		parser->last = AFTER_COUNTED;
	}
}

/* The sample that a COUNTER line belongs to. */
static struct protocol_counted *
counted_now(struct protocol *parser)
{
	struct protocol_output *output = &parser->output;

	if (parser->last == AFTER_RESULT) {
		const struct protocol_sample *sample = &output->samples[output->sample_count - 1];

		parser->last = AFTER_COUNTED;
		return counting_add(output, parser->item, true, sample->wall_us, sample->cpu_us);
	}
	return &output->counted[output->counted_count - 1];
}

/* Of a timed sample it is a value beside its others, so that it can be compared like them. */
static void
read_counter(struct protocol *parser, const struct fields *fields)
{
	const char *event = fields->items[0];
	struct protocol_counted *counted;
	double count, fraction;

	if (parser->last == AFTER_NOTHING) {
		complain(parser, "COUNTER before the RESULT or COUNTED it belongs to");
		return;
	}
	if (!check_name(parser, "COUNTER event", fields, 0) ||
	    !read_number_from_0(parser, "COUNTER count", fields, 1, &count) ||
	    !read_number_from_0(parser, "COUNTER fraction", fields, 2, &fraction))
		return;
	counted = counted_now(parser);
	if (fraction > 1) {
		complain(parser, "COUNTER fraction '%s' is above 1", show(fields->items[2]).text);
	} else if (!counting_add_count(counted, event, count, fraction)) {
		complain(parser, "COUNTER '%s' a second time for one sample", show(event).text);
	} else if (counted->timed && may_add_metric(parser, "COUNTER")) {
		add_metric(parser, memory_format("counter_%s", event), count, "");
		add_metric(parser, memory_format("fraction_%s", event), fraction, "");
	}
}

static void
read_missing(struct protocol *parser, const struct fields *fields)
{
	if (check_name(parser, "NOCOUNTER event", fields, 0) &&
	    !counting_add_missing(&parser->output, fields->items[0], fields->rest))
		complain(parser, "more than %d NOCOUNTER lines", PROTOCOL_METRICS);
}

static void
read_check(struct protocol *parser, const struct fields *fields)
{
	if (check_name(parser, "CHECK", fields, 0))
		parser->output.check = memory_copy_text(fields->items[0]);
}

static const struct word words[] = {
	{"CFG", true, false, 2, 2, read_cfg},
	{"MODE", true, false, 1, 1, read_mode},
	{"AFFINITY", true, false, 1, 1, read_affinity},
	{"TSC", true, false, 1, 1, read_tsc},
	{"TRACED", true, false, 1, 1, read_traced},
	{"ITEM", false, false, 1, 1, read_item},
	{"RESULT", false, false, 3, 3, read_result},
	{"METRIC", false, false, 2, 3, read_metric},
	{"COUNTED", false, false, 2, 2, read_counted},
	{"COUNTER", false, false, 3, 3, read_counter},
	{"NOCOUNTER", false, true, 2, 2, read_missing},
	{"CHECK", true, false, 1, 1, read_check},
};

/* ---- lines ---- */

static bool
is_gap(char byte)
{
	return byte == ' ' || byte == '\t';
}

static const struct word *
find_word(const char *line, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof words / sizeof *words; i++) {
		size_t width = strlen(words[i].name);

		if (length >= width && memcmp(line, words[i].name, width) == 0 &&
		    (length == width || is_gap(line[width])))
			return &words[i];
	}
	return NULL;
}

/* Whether an unfinished line could have become a known one. */
static bool
is_stump(const char *line, size_t length)
{
	size_t i;

	for (i = 0; length >= MIN_STUMP && i < sizeof words / sizeof *words; i++)
		if (length < strlen(words[i].name) && memcmp(line, words[i].name, length) == 0)
			return true;
	return false;
}

/* Cuts the line, which ends with NUL, into fields in place; the last of `most` may be all that is
 * left of it. */
static void
split(char *line, size_t length, size_t most, bool ends_with_text, struct fields *fields)
{
	size_t at = 0;

	fields->count = 0;
	fields->rest = line + length;
	while (fields->count <= MAX_FIELDS) {
		size_t start;

		while (at < length && is_gap(line[at]))
			at++;
		if (at == length)
			return;
		if (ends_with_text && fields->count + 1 == most) {
			fields->rest = line + at;
			fields->count++;
			return;
		}
		for (start = at; at < length && !is_gap(line[at]); at++)
			;
		fields->items[fields->count] = line + start;
		fields->lengths[fields->count++] = at - start;
		if (at < length)
			line[at++] = '\0';
	}
}

static void
read_known_line(struct protocol *parser, const struct word *word)
{
	size_t width = strlen(word->name);
	unsigned bit = word->once ? 1u << (word - words) : 0;
	struct fields fields;

	split(parser->line.bytes + width, parser->line.length - width, word->most, word->ends_with_text,
	      &fields);
	if (parser->seen & bit)
		complain(parser, "%s a second time", word->name);
	else if (fields.count < word->least || fields.count > word->most)
		complain(parser, "%s with too %s values", word->name,
			 fields.count < word->least ? "few" : "many");
	else
		word->read(parser, &fields);
	parser->seen |= bit;
}

static void
read_line(struct protocol *parser, bool is_whole)
{
	const char *line = buffer_text(&parser->line);
	const struct word *word = find_word(line, parser->line.length);

	if (word == NULL) {
		if (!is_whole && is_stump(line, parser->line.length))
			complain(parser, "the output ends in the middle of a line, '%s'",
				 show(line).text);
		parser->output.unknown_lines++;
	} else if (!is_whole) {
		complain(parser, "the output ends in the middle of a %s line", word->name);
	} else if (parser->too_long) {
		complain(parser, "%s line longer than %d bytes", word->name, PROTOCOL_LINE);
	} else {
		read_known_line(parser, word);
	}
}

static void
end_line(struct protocol *parser, bool is_whole)
{
	read_line(parser, is_whole);
	buffer_clear(&parser->line);
	parser->too_long = false;
	parser->line_number++;
}

static void
extend_line(struct protocol *parser, const char *bytes, size_t length)
{
	size_t room = PROTOCOL_LINE - parser->line.length;

	if (length > room)
		parser->too_long = true;
	buffer_append(&parser->line, bytes, length > room ? room : length);
}

struct protocol *
protocol_begin(void)
{
	struct protocol *parser = memory_zeroed(1, sizeof *parser);

	parser->output.len = parser->output.iters = -1;
	parser->line_number = 1;
	parser->item = memory_copy_text("");
	parser->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return parser;
}

void
protocol_feed(struct protocol *parser, const char *bytes, size_t length)
{
	while (length > 0) {
		const char *newline = memchr(bytes, '\n', length);
		size_t span = newline != NULL ? (size_t)(newline - bytes) : length;

		extend_line(parser, bytes, span);
		if (newline == NULL)
			return;
		end_line(parser, true);
		bytes += span + 1;
		length -= span + 1;
	}
}

void
protocol_finish(struct protocol *parser, struct protocol_output *output)
{
	if (parser->line.length > 0)
		end_line(parser, false);
	*output = parser->output;
	buffer_free(&parser->line);
	free(parser->item);
	freelocale(parser->c_locale);
	free(parser);
}

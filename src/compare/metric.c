#include "compare/metric.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/item_filter.h"
#include "base/lua_pattern.h"
#include "base/memory.h"
#include "store/samples.h"

#define NAME_LENGTH 40
#define GOOGLE_BENCHMARK "google-benchmark"

static const struct known {
	const char *word, *column;
	const char *only; /* of that reader; NULL: any */
} known[] = {
	{"wall", "wall_us", NULL},
	{"cpu", "cpu_us", GOOGLE_BENCHMARK},
	{"user", "process_user_us", NULL},
	{"sys", "process_sys_us", NULL},
	{"rss", "max_rss_kib", NULL},
};

bool
compare_metric_has_items(const struct compare_options *options)
{
	return strcmp(options->reader, GOOGLE_BENCHMARK) == 0;
}

const char *
compare_metric_process_wall(const struct compare_options *options)
{
	return strcmp(options->reader, "process") == 0 ? "wall_us" : "process_wall_us";
}

static const struct known *
find_known(const struct compare_options *options)
{
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(options->metric_text, known[i].word) == 0 &&
		    (known[i].only == NULL || strcmp(known[i].only, options->reader) == 0))
			return &known[i];
	return NULL;
}

/* 'p99 latency: ([%d.]+)' is p99_latency. */
static char *
name_of_pattern(const char *pattern)
{
	struct buffer name = BUFFER_EMPTY;
	char *prefixed;

	for (; *pattern != '\0' && *pattern != '(' && name.length < NAME_LENGTH; pattern++) {
		bool letter = isalnum((unsigned char)*pattern) || *pattern == '_';

		if (*pattern == '%' && pattern[1] != '\0') {
			pattern++; /* %d, %s: no words */
			letter = false;
		}
		if (letter && (name.length > 0 || isalpha((unsigned char)*pattern)))
			buffer_putc(&name, *pattern);
		else if (name.length > 0 && name.bytes[name.length - 1] != '_')
			buffer_putc(&name, '_');
	}
	while (name.length > 0 && name.bytes[name.length - 1] == '_')
		name.bytes[--name.length] = '\0';
	if (name.length == 0)
		buffer_puts(&name, "value");
	if (!samples_has_column(buffer_text(&name)) && strcmp(buffer_text(&name), "user_us") != 0 &&
	    strcmp(buffer_text(&name), "sys_us") != 0)
		return buffer_detach(&name);
	prefixed = memory_format("printed_%s", buffer_text(&name));
	buffer_free(&name);
	return prefixed;
}

static int
take_pattern(struct compare_options *options, struct error *error)
{
	const char *problem;
	int captures = 0;

	if (strcmp(options->reader, "process") != 0)
		return error_set(error, EXIT_USAGE, "--metric '%.100s': a pattern and --reader %s do not go "
				 "together", options->metric_text, options->reader);
	problem = lua_pattern_check(options->metric_text, &captures);
	if (problem == NULL && captures == 0)
		problem = "it has no ( ) around the value"; /* %( alone */
	if (problem != NULL)
		return error_set(error, EXIT_USAGE, "--metric '%.100s' is no Lua pattern: %s",
				 options->metric_text, problem);
	options->reader = "patterns";
	if (options->check_output == OUTPUT_CHECK_AUTO)
		options->check_output = OUTPUT_CHECK_NEVER; /* it holds what is measured */
	options->pattern = options->metric_text;
	options->own_metric = name_of_pattern(options->metric_text);
	return 0;
}

/* A user counter of a benchmark binary, by its name. */
static int
take_counter(struct compare_options *options, struct error *error)
{
	const char *name = options->metric_text, *at = name;

	while (isalnum((unsigned char)*at) || *at == '_' || *at == '.')
		at++;
	if (!compare_metric_has_items(options))
		return error_set(error, EXIT_USAGE, "--metric '%.100s': it is wall, user, sys, rss, or a Lua "
				 "pattern with the value in ( ), such as 'latency: ([%%d.]+)'", name);
	if (*at != '\0' || !isalpha((unsigned char)*name))
		return error_set(error, EXIT_USAGE, "--metric '%.100s': it is wall, cpu, user, sys, rss, or the "
				 "name of a counter: letters, digits, _ and .", name);
	options->own_metric = memory_copy_text(name);
	return 0;
}

static bool
ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), of_end = strlen(end);

	return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

static int
take_better(struct compare_options *options, struct error *error)
{
	if (options->better == NULL) {
		options->higher_is_better =
			options->own_metric != NULL && ends_in(options->own_metric, "_per_second");
		return 0;
	}
	options->higher_is_better = strcmp(options->better, "higher") == 0;
	if (!options->higher_is_better && strcmp(options->better, "lower") != 0)
		return error_set(error, EXIT_USAGE, "--better '%.100s': it is higher or lower", options->better);
	if (options->higher_is_better && options->own_metric == NULL)
		return error_set(error, EXIT_USAGE, "--better higher: of times and memory lower is better");
	return 0;
}

static int
check_items(const struct compare_options *options, struct error *error)
{
	struct item_filter filter;
	char *problem;

	if (options->items == NULL)
		return 0;
	if (!compare_metric_has_items(options))
		return error_set(error, EXIT_USAGE, "--items needs --reader google-benchmark");
	problem = item_filter_open(options->items, &filter);
	if (problem == NULL) {
		item_filter_close(&filter);
		return 0;
	}
	error_set(error, EXIT_USAGE, "--items '%.100s' is no extended regular expression over names: %s",
		  options->items, problem);
	free(problem);
	return -1;
}

static int
check_reader(const struct compare_options *options, struct error *error)
{
	if (strcmp(options->reader, "process") == 0)
		return 0;
	if (!compare_metric_has_items(options))
		return error_set(error, EXIT_USAGE, "--reader '%.100s': it is google-benchmark (for what a "
				 "pattern finds: --metric PATTERN)", options->reader);
	if (options->shell)
		return error_set(error, EXIT_USAGE, "--reader google-benchmark adds options to each command, which "
				 "--shell would not pass on; give the programs themselves");
	if (options->check_output == OUTPUT_CHECK_ALWAYS)
		return error_set(error, EXIT_USAGE, "--check-output: what a Google Benchmark binary prints holds "
				 "its times and differs from run to run");
	return 0;
}

int
compare_metric_resolve(struct compare_options *options, struct error *error)
{
	const struct known *found = find_known(options);

	if (check_reader(options, error) != 0 || check_items(options, error) != 0)
		return -1;
	if (compare_metric_has_items(options))
		options->check_output = OUTPUT_CHECK_NEVER;
	if (found == NULL && (strchr(options->metric_text, '(') != NULL
				      ? take_pattern(options, error)
				      : take_counter(options, error)) != 0)
		return -1;
	options->metric = found != NULL ? found->column : options->own_metric;
	return take_better(options, error);
}

void
compare_metric_free(struct compare_options *options)
{
	free(options->own_metric);
	options->own_metric = NULL;
}

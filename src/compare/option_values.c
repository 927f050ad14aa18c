#include "compare/option_values.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/number.h"
#include "compare/words.h"

enum { MOST_VALUES = 1000 };

int
option_refuse(const char *option, const char *value, const char *wanted, struct error *error)
{
	return error_set(error, EXIT_USAGE, "--%s '%.100s': %s", option, value, wanted);
}

int
option_count(const char *option, const char *text, int least, int most, int *value,
	     struct error *error)
{
	double number;

	if (!number_parse(text, &number) || number < least || number > most || floor(number) != number)
		return error_set(error, EXIT_USAGE, "--%s '%.100s': a whole number from %d to %d is "
				 "wanted", option, text, least, most);
	*value = (int)number;
	return 0;
}

int
option_duration(const char *option, const char *text, double most_s, double *seconds,
		struct error *error)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
	char *rest;
	double number = strtod(text, &rest);
	size_t i;

	for (i = 0; rest != text && i < sizeof units / sizeof *units; i++)
		if (strcmp(rest, units[i].unit) == 0) {
			*seconds = number * units[i].seconds;
			if (*seconds > 0 && *seconds <= most_s)
				return 0;
		}
	return option_refuse(option, text, "a time such as 30s, 5m or 1h is wanted", error);
}

int
option_share(const char *option, const char *text, double *share, struct error *error)
{
	if (number_parse_share(text, share) && *share >= 0 && *share <= 1)
		return 0;
	return option_refuse(option, text, "a share such as 2% is wanted", error);
}

int
option_cpus(struct compare_options *options, const char *text, struct error *error)
{
	bool word = strcmp(text, "last") == 0 || strcmp(text, "first") == 0 || strcmp(text, "none") == 0;
	double cores;
	const char *rest = text;

	while (isdigit((unsigned char)*rest))
		rest++;
	free(options->cpus);
	options->cpus = NULL;
	if (word)
		options->cpus = memory_copy_text(text);
	else if (rest != text && (strcmp(rest, "") == 0 || strcmp(rest, " cores") == 0 ||
				  strcmp(rest, " core") == 0) &&
		 (cores = strtod(text, NULL)) >= 1 && cores <= 4096)
		options->cpus = memory_format("%d cores", (int)cores);
	else
		return option_refuse("cpu", text, "it is last, first, none or a number of cores", error);
	return 0;
}

static void
put_setting(struct settings *settings, char *name, char *value)
{
	settings->items = memory_resize(settings->items, settings->count + 1, sizeof *settings->items);
	settings->items[settings->count++] = (struct setting){name, value};
}

int
option_env(struct compare_options *options, const char *text, struct error *error)
{
	size_t length = strcspn(text, "="), i;
	char *name = memory_copy_span(text, length);
	const char *value = text[length] == '=' ? text + length + 1 : getenv(name);
	struct settings *env = &options->env;

	if (length == 0 || value == NULL) {
		free(name);
		return option_refuse("env", text, length == 0 ? "NAME=VALUE is wanted"
								: "it is not set here; give NAME=VALUE", error);
	}
	for (i = 0; i < env->count; i++)
		if (strcmp(env->items[i].name, name) == 0) {
			free(name);
			free(env->items[i].value);
			env->items[i].value = memory_copy_text(value);
			return 0;
		}
	put_setting(env, name, memory_copy_text(value));
	return 0;
}

static bool
is_dimension_name(const char *name)
{
	const char *at = name;

	while (isalnum((unsigned char)*at) || *at == '_')
		at++;
	return *at == '\0' && !isdigit((unsigned char)name[0]) && name[0] != '\0';
}

int
option_sweep(struct compare_options *options, const char *text, struct error *error)
{
	const char *equals = strchr(text, '=');
	struct compare_dimension dimension = {0};
	const char *at;

	if (equals == NULL)
		return option_refuse("sweep", text, "NAME=VALUE,VALUE is wanted", error);
	dimension.name = memory_copy_span(text, (size_t)(equals - text));
	for (at = equals + 1; dimension.values.count < MOST_VALUES; at++) {
		size_t length = strcspn(at, ",");
		char *value = memory_copy_span(at, length);

		if (length > 0)
			words_add(&dimension.values, value);
		free(value);
		at += length;
		if (*at == '\0')
			break;
	}
	options->dimensions = memory_resize(options->dimensions, options->dimension_count + 1,
					    sizeof *options->dimensions);
	options->dimensions[options->dimension_count++] = dimension;
	if (!is_dimension_name(dimension.name) || dimension.values.count == 0)
		return option_refuse("sweep", text, "NAME=VALUE,VALUE is wanted", error);
	return 0;
}

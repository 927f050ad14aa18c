/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "pin.h"

/* Of the RESULT lines that a reader takes, docs/protocol.md. */
#define SAMPLES_MAX UINT64_C(1000000)
#define ITERS_MAX UINT64_C(1000000000000)

static const struct assay_settings defaults = {
	.action = ASSAY_RUN,
	.samples = 10,
	.warmup_samples = 1,
	.iters = 1,
	.cpu = ASSAY_CPU_UNSET,
};

#define COUNT_OPTIONS 4

/* The harness's own counts, with the bounds that parsing and --help share. */
static void
count_options(struct assay_settings *settings, struct assay_option options[COUNT_OPTIONS])
{
	options[0] = (struct assay_option){"samples", &settings->samples, 1, SAMPLES_MAX,
		"timed samples"};
	options[1] = (struct assay_option){"warmup-samples", &settings->warmup_samples, 0,
		SAMPLES_MAX, "samples run before, not printed"};
	options[2] = (struct assay_option){"iters", &settings->iters, 1, ITERS_MAX,
		"passes in a sample"};
	options[3] = (struct assay_option){0};
}

/* The value behind "--name=", or NULL when the argument is another option. */
static const char *
value_of(const char *arg, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(arg, "--", 2) != 0 || strncmp(arg + 2, name, length) != 0)
		return NULL;
	return arg[2 + length] == '=' ? arg + 3 + length : NULL;
}

/* Digits and nothing else: strtoull alone takes spaces, signs and -1 as 2^64 - 1. */
static int
parse_count(const char *arg, const char *text, uint64_t min, uint64_t max, uint64_t *value,
	struct assay_error *error)
{
	unsigned long long parsed = 0;
	bool digits = text[0] && strspn(text, "0123456789") == strlen(text);

	errno = 0;
	if (digits)
		parsed = strtoull(text, NULL, 10);
	if (!digits || errno == ERANGE || parsed < min || parsed > max)
		return assay_fail(error,
			"%.100s: must be a whole number from %" PRIu64 " to %" PRIu64, arg, min,
			max);
	*value = parsed;
	return 0;
}

static int
parse_cpu(const char *arg, const char *text, int *cpu, struct assay_error *error)
{
	uint64_t number;

	if (strcmp(text, "last") == 0)
		*cpu = ASSAY_CPU_LAST;
	else if (strcmp(text, "none") == 0)
		*cpu = ASSAY_CPU_NONE;
	else if (parse_count(arg, text, 0, ASSAY_CPU_MAX, &number, error) == 0)
		*cpu = (int)number;
	else
		return assay_fail(error, "%.100s: must be last, none or a CPU from 0 to %d",
			arg, ASSAY_CPU_MAX);
	return 0;
}

static void
join_names(const struct assay_kernel *kernel, char *names, size_t size)
{
	size_t used = 0;

	names[0] = '\0';
	for (; kernel->name && used < size; kernel++)
		used += (size_t)snprintf(names + used, size - used, " %s", kernel->name);
}

static int
find_kernel(const struct assay_program *program, const char *name,
	const struct assay_kernel **found, struct assay_error *error)
{
	char names[300];

	for (const struct assay_kernel *k = program->kernels; k->name; k++) {
		if (strcmp(k->name, name) == 0) {
			*found = k;
			return 0;
		}
	}
	join_names(program->kernels, names, sizeof names);
	return assay_fail(error, "no kernel is called \"%.64s\"; there is:%s", name, names);
}

/* No default among several: a forgotten option must not measure the wrong kernel. */
static int
default_kernel(const struct assay_program *program, const struct assay_kernel **found,
	struct assay_error *error)
{
	char names[300];

	*found = program->kernels;
	if (program->kernels[0].name && !program->kernels[1].name)
		return 0;
	join_names(program->kernels, names, sizeof names);
	return assay_fail(error, "say which kernel with --kernel=NAME; there is:%s", names);
}

/* Static, since it is large and most processes never touch it. */
static int
parse_counters(const char *list, struct assay_settings *settings, struct assay_error *error)
{
	static struct assay_counters asked;

	settings->counters = &asked;
	return assay_counters_parse(list, &asked, error);
}

static bool
parse_flag(const char *arg, struct assay_settings *settings)
{
	if (strcmp(arg, "--help") == 0)
		settings->action = ASSAY_HELP;
	else if (strcmp(arg, "--list") == 0)
		settings->action = ASSAY_LIST;
	else if (strcmp(arg, "--self-test") == 0)
		settings->action = ASSAY_SELF_TEST;
	else if (strcmp(arg, "--tsc") == 0)
		settings->tsc = true;
	else if (strcmp(arg, "--no-tsc") == 0)
		settings->tsc = false;
	else
		return false;
	return true;
}

/* 1 when one of the options took the argument, 0 when none did, -1 on a bad value. */
static int
parse_counts(const struct assay_option *option, const char *arg, struct assay_error *error)
{
	for (; option && option->name; option++) {
		const char *text = value_of(arg, option->name);
		if (text)
			return parse_count(arg, text, option->min, option->max,
				       option->value, error) == 0 ? 1 : -1;
	}
	return 0;
}

static int
parse_argument(const struct assay_program *program, const char *arg,
	struct assay_settings *settings, struct assay_error *error)
{
	struct assay_option own[COUNT_OPTIONS];
	const char *name = value_of(arg, "kernel");
	const char *cpu = value_of(arg, "cpu");
	const char *counters = value_of(arg, "counters");
	int taken;

	if (!name)
		name = value_of(arg, "mode");
	if (name)
		return find_kernel(program, name, &settings->kernel, error);
	if (cpu)
		return parse_cpu(arg, cpu, &settings->cpu, error);
	if (counters)
		return parse_counters(counters, settings, error);
	if (parse_flag(arg, settings))
		return 0;
	count_options(settings, own);
	taken = parse_counts(own, arg, error);
	if (taken == 0)
		taken = parse_counts(program->options, arg, error);
	if (taken == 0)
		return assay_fail(error, "unknown option \"%.100s\" (values are written "
			"--name=value); --help lists them", arg);
	return taken < 0 ? -1 : 0;
}

int
assay_options_parse(const struct assay_program *program, int argc, char **argv,
	struct assay_settings *settings, struct assay_error *error)
{
	*settings = defaults;
	for (int i = 1; i < argc; i++)
		if (parse_argument(program, argv[i], settings, error) != 0)
			return -1;
	if (settings->action != ASSAY_RUN)
		return 0;
	if (!settings->kernel
		&& default_kernel(program, &settings->kernel, error) != 0)
		return -1;
	if (settings->cpu == ASSAY_CPU_UNSET)
		settings->cpu = settings->kernel->threaded ? ASSAY_CPU_NONE : ASSAY_CPU_LAST;
	return 0;
}

void
assay_options_list(const struct assay_program *program, FILE *out)
{
	for (const struct assay_kernel *k = program->kernels; k->name; k++)
		fprintf(out, "%s\t%s\n", k->name, k->summary);
}

static void
help_counts(const struct assay_option *option, FILE *out)
{
	char name[80];

	for (; option && option->name; option++) {
		snprintf(name, sizeof name, "--%s=N", option->name);
		fprintf(out, "  %-20s %s, %" PRIu64 " to %" PRIu64 " (default %" PRIu64 ")\n",
			name, option->help, option->min, option->max, *option->value);
	}
}

void
assay_options_help(const struct assay_program *program, FILE *out)
{
	struct assay_settings settings = defaults;
	struct assay_option own[COUNT_OPTIONS];

	count_options(&settings, own);
	fprintf(out, "%s: %s\n\nusage: %s --kernel=NAME [option...]\n\nkernels:\n",
		program->name, program->summary, program->name);
	for (const struct assay_kernel *k = program->kernels; k->name; k++)
		fprintf(out, "  %-20s %s\n", k->name, k->summary);
	fputs("\noptions:\n", out);
	help_counts(program->options, out);
	help_counts(own, out);
	fputs("  --kernel=NAME        which kernel to run; --mode=NAME is the same\n"
	      "  --cpu=N|last|none    pin to this CPU, to the last one allowed, not at all\n"
	      "                       (default last; none for kernels with threads)\n"
	      "  --tsc, --no-tsc      calibrate the time stamp counter, 90 ms (default no)\n"
	      "  --counters=A,B,...   count events in a few samples more, behind the timed ones\n"
	      "  --list               print the kernels, one a line\n"
	      "  --self-test          measure the clocks themselves\n"
	      "  --help               print this\n"
	      "\nevents of --counters: ", out);
	assay_counters_list(out);
	fputc('\n', out);
}

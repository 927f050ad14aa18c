#include "compare/spec.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/metric.h"
#include "revision/revision.h"

/* A wrong command line should show at its first run, and not run on. */
#define MAX_FAILURES 1
/* It bounds each file that a command writes as well (launch.h), so more than a spec's default. */
#define OUTPUT_LIMIT_BYTES (256LL << 20)
/* Where --until alone says when to stop. */
#define UNTIL_MAX_PAIRS 200

static void
put_text(struct buffer *out, const char *text)
{
	buffer_putc(out, '"');
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			buffer_printf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ' || *text == 0x7f)
			buffer_printf(out, "\\x%02x", (unsigned char)*text);
		else
			buffer_putc(out, *text);
	}
	buffer_putc(out, '"');
}

/* The length of "{name}" at `at` where the sweep has that name; 0 otherwise. */
static size_t
placeholder_length(const struct compare_options *options, const char *at)
{
	size_t i;

	for (i = 0; *at == '{' && i < options->dimension_count; i++) {
		const char *name = options->dimensions[i].name;
		size_t length = strlen(name);

		if (strncmp(at + 1, name, length) == 0 && at[length + 1] == '}')
			return length + 2;
	}
	return 0;
}

/* Braces mean nothing but where they hold a name of the sweep: awk '{print}' stays as it is. */
static void
put_template(struct buffer *out, const struct compare_options *options, const char *text)
{
	struct buffer escaped = BUFFER_EMPTY;

	while (*text != '\0') {
		size_t length = placeholder_length(options, text);

		if (length > 0) {
			buffer_append(&escaped, text, length);
			text += length;
			continue;
		}
		if (*text == '{' || *text == '}')
			buffer_putc(&escaped, *text);
		buffer_putc(&escaped, *text++);
	}
	put_text(out, buffer_text(&escaped));
	buffer_free(&escaped);
}

/* With options: of a variant, where braces mean the sweep's names. Without: texts as they are. */
static void
put_list(struct buffer *out, const struct compare_options *options, const char *key,
	 const struct texts *texts)
{
	size_t i;

	if (texts->count == 0)
		return;
	buffer_printf(out, "            %s = { ", key);
	for (i = 0; i < texts->count; i++) {
		buffer_puts(out, i > 0 ? ", " : "");
		if (options != NULL)
			put_template(out, options, texts->items[i]);
		else
			put_text(out, texts->items[i]);
	}
	buffer_puts(out, " },\n");
}

static void
put_env(struct buffer *out, const struct compare_options *options)
{
	size_t i;

	if (options->env.count == 0)
		return;
	buffer_puts(out, "            env = { ");
	for (i = 0; i < options->env.count; i++) {
		buffer_puts(out, i > 0 ? ", [" : "[");
		put_text(out, options->env.items[i].name);
		buffer_puts(out, "] = ");
		put_template(out, options, options->env.items[i].value);
	}
	buffer_puts(out, " },\n");
}

/* By its commit, so that what was measured stays what it is. */
static void
put_revision(struct buffer *out, const struct compare_options *options, size_t index)
{
	const struct compared *command = &options->commands[index];

	buffer_printf(out, "            program \"" COMPARE_REVISION "\" {\n                ", index + 1);
	if (command->output == NULL) {
		put_text(out, command->program);
		buffer_puts(out, ",\n                ");
	}
	buffer_puts(out, "source = git { ");
	put_text(out, options->folder);
	buffer_puts(out, ", rev = ");
	if (revision_is_work_tree(command->revision))
		buffer_puts(out, "WORKTREE },\n");
	else
		buffer_printf(out, "\"%s\" }, -- %s\n", command->commit, command->name);
	put_list(out, NULL, "build", &options->builds);
	if (command->output != NULL) {
		buffer_puts(out, "                output = ");
		put_text(out, command->output);
		buffer_puts(out, ",\n");
	}
	put_list(out, NULL, "scripts", &command->scripts);
	buffer_puts(out, "            },\n");
}

static void
put_program(struct buffer *out, const struct compare_options *options, size_t index)
{
	if (options->commands[index].revision != NULL) {
		put_revision(out, options, index);
		return;
	}
	buffer_printf(out, "            program \"command%zu\" { ", index + 1);
	put_text(out, options->commands[index].program);
	buffer_puts(out, " },\n");
}

static void
put_variant(struct buffer *out, const struct compare_options *options, size_t index)
{
	const struct compared *command = &options->commands[index];

	buffer_puts(out, "        variant ");
	put_text(out, command->name);
	buffer_puts(out, " {\n");
	put_program(out, options, index);
	put_list(out, options, "args", &command->args);
	put_list(out, options, "inputs", &command->inputs);
	buffer_puts(out, "            cwd = ");
	put_template(out, options, command->cwd != NULL ? command->cwd : options->folder);
	buffer_puts(out, ",\n");
	if (options->input != NULL) {
		buffer_puts(out, "            stdin = ");
		put_template(out, options, options->input);
		buffer_puts(out, ",\n");
	}
	put_list(out, options, "prepare", &options->prepare);
	put_env(out, options);
	if (options->ignore_failure)
		buffer_puts(out, "            ignore_exit = true,\n");
	buffer_puts(out, "        },\n");
}

/* A number only where the program gets to see the same characters. */
static bool
is_plain_number(const char *text)
{
	const char *at = text + (*text == '-');
	size_t digits = strspn(at, "0123456789");

	if (digits == 0 || digits > 15 || (at[0] == '0' && digits > 1) || strcmp(text, "-0") == 0)
		return false;
	return at[digits] == '\0';
}

static void
put_sweep(struct buffer *out, const struct compare_options *options)
{
	size_t d, v;

	if (options->dimension_count == 0)
		return;
	buffer_puts(out, "    sweep = {\n");
	for (d = 0; d < options->dimension_count; d++) {
		const struct compare_dimension *dimension = &options->dimensions[d];

		buffer_puts(out, "        { ");
		put_text(out, dimension->name);
		buffer_puts(out, ", { ");
		for (v = 0; v < dimension->values.count; v++) {
			buffer_puts(out, v > 0 ? ", " : "");
			if (is_plain_number(dimension->values.items[v]))
				buffer_puts(out, dimension->values.items[v]);
			else
				put_text(out, dimension->values.items[v]);
		}
		buffer_puts(out, " } },\n");
	}
	buffer_puts(out, "    },\n");
}

static void
put_design(struct buffer *out, const struct compare_options *options)
{
	buffer_printf(out, "    design = {\n        pairs = %d, aa_pairs = %d, warmups = %d, timeout = %.17g,\n"
		      "        max_failures = %d, output_limit = %lld,\n", options->pairs,
		      options->aa_pairs, options->warmups, options->timeout_s, MAX_FAILURES,
		      OUTPUT_LIMIT_BYTES);
	if (options->until > 0)
		buffer_printf(out, "        until_ci = %.17g,\n", options->until);
	if (options->until > 0 && options->budget_s <= 0)
		buffer_printf(out, "        max_pairs = %d,\n",
			      options->pairs > UNTIL_MAX_PAIRS ? options->pairs : UNTIL_MAX_PAIRS);
	if (options->budget_s > 0)
		buffer_printf(out, "        budget = %.17g,\n", options->budget_s);
	buffer_puts(out, "    },\n");
}

/* What only these commands have must say what it is. */
static void
put_own_metric(struct buffer *out, const struct compare_options *options)
{
	buffer_puts(out, "{ ");
	put_text(out, options->own_metric);
	if (options->pattern != NULL) {
		buffer_puts(out, ", pattern = ");
		put_text(out, options->pattern);
	}
	buffer_printf(out, ", unit = \"1\", better = \"%s\" }",
		      options->higher_is_better ? "higher" : "lower");
}

/* The one that is asked for first; the others are in the table. */
static void
put_metrics(struct buffer *out, const struct compare_options *options)
{
	const char *const all[] = {compare_metric_process_wall(options), "process_user_us",
				   "process_sys_us", "max_rss_kib"};
	size_t i;

	buffer_puts(out, "    metrics = { ");
	if (options->own_metric != NULL)
		put_own_metric(out, options);
	else
		put_text(out, options->metric);
	for (i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(all[i], options->metric) != 0)
			buffer_printf(out, ", \"%s\"", all[i]);
	buffer_puts(out, " },\n");
}

void
compare_spec_study(struct buffer *out)
{
	buffer_puts(out, "study { name = \"compare\", title = \"Commands compared\" }\n"
		    "experiments \"experiments/*\"\n");
}

void
compare_spec_experiment(const struct compare_options *options, bool check_outputs,
			struct buffer *out)
{
	size_t i;

	buffer_puts(out, "-- Written by 'assay compare'. Change it as you like: 'assay generate && ninja report'\n"
		    "-- measures only what lacks.\n\nexperiment \"" COMPARE_EXPERIMENT "\" {\n    variants = {\n");
	for (i = 0; i < options->command_count; i++)
		put_variant(out, options, i);
	buffer_puts(out, "    },\n");
	put_sweep(out, options);
	put_design(out, options);
	put_metrics(out, options);
	if (check_outputs)
		buffer_puts(out, "    correct = { stdout = \"sha256\" },\n");
	buffer_puts(out, "    cpus = ");
	put_text(out, options->cpus);
	buffer_puts(out, ",\n    reader = ");
	put_text(out, options->reader);
	if (options->items != NULL) {
		buffer_puts(out, ",\n    items = ");
		put_text(out, options->items);
	}
	buffer_puts(out, ",\n}\n");
}

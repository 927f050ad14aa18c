#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/ninja.h"
#include "graph/paths.h"
#include "graph/shell.h"
#include "graph/statements.h"
#include "graph/steps.h"
#include "spec/need.h"

#define REQUIRED_NINJA "1.11"

static struct setting
setting(const char *name, const char *value)
{
	return (struct setting){(char *)name, (char *)value};
}

/* Plain text as a top-level variable, each part a word of a command line. */
static int
put_words(struct ninja *ninja, const char *name, const char *program, const char *rest,
	  struct error *error)
{
	struct buffer words = BUFFER_EMPTY, value = BUFFER_EMPTY;
	int result;

	shell_put_word(&words, program);
	buffer_puts(&words, rest);
	ninja_put_literal(&value, buffer_text(&words));
	result = ninja_variable(ninja, name, buffer_text(&value), error);
	buffer_free(&words);
	buffer_free(&value);
	return result;
}

static int
put_head(struct ninja *ninja, const struct graph_options *options, struct error *error)
{
	ninja_comment(ninja, "Written by 'assay generate' from build.ninja.lua; do not edit.");
	if (ninja_variable(ninja, "ninja_required_version", REQUIRED_NINJA, error) != 0 ||
	    ninja_variable(ninja, "builddir", "build", error) != 0 ||
	    put_words(ninja, "assay_tool", options->tool, "", error) != 0 ||
	    put_words(ninja, "assay_lock", options->locker, " lock shared --", error) != 0)
		return -1;
	return 0;
}

/* ---- the generator ---- */

static int
put_generate_rule(struct ninja *ninja, const struct graph_options *options,
		  struct error *error)
{
	struct buffer command = BUFFER_EMPTY;
	struct setting variables[4];
	struct graph_rule rule = {.name = (char *)"assay_generate"};
	int result;

	ninja_put_literal(&command, options->generator);
	variables[0] = setting("command", buffer_text(&command));
	variables[1] = setting("description", "read the specs");
	variables[2] = setting("generator", "1");
	variables[3] = setting("restat", "1");
	rule.variables.items = variables;
	rule.variables.count = 4;
	result = ninja_rule(ninja, &rule, error);
	buffer_free(&command);
	return result;
}

static void
add_all(struct texts *to, const struct texts *from)
{
	size_t i;

	for (i = 0; i < from->count; i++) {
		size_t length = strlen(from->items[i]);

		if (length > 1 && from->items[i][length - 1] == '/')
			length--; /* a folder */
		paths_add(to, "%.*s", (int)length, from->items[i]);
	}
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, each once: a spec may glob a folder twice. */
static void
make_unique(struct texts *paths)
{
	size_t i, kept = 0;

	qsort(paths->items, paths->count, sizeof *paths->items, by_bytes);
	for (i = 0; i < paths->count; i++)
		if (kept > 0 && strcmp(paths->items[kept - 1], paths->items[i]) == 0)
			free(paths->items[i]);
		else
			paths->items[kept++] = paths->items[i];
	paths->count = kept;
}

static struct texts
generator_inputs(const struct study *study, const struct graph_options *options)
{
	struct texts inputs = {0};

	add_all(&inputs, &study->lua_files);
	add_all(&inputs, &study->read_files);
	add_all(&inputs, &options->inputs);
	if (study->need_count > 0)
		paths_add(&inputs, "%s", NEEDS_FILE);
	paths_add(&inputs, "%s", options->locker); /* another version may write another graph */
	make_unique(&inputs);
	return inputs;
}

static int
put_generator(struct ninja *ninja, const struct texts *inputs, struct error *error)
{
	struct graph_edge edge = {.rule = (char *)"assay_generate"};
	int result;

	paths_add(&edge.outputs, "build.ninja");
	edge.implicit = *inputs;
	result = ninja_edge(ninja, &edge, error);
	paths_free(&edge.outputs);
	return result;
}

/*
 * Whether a tool is there changes without any file of the study: each start of Ninja looks again,
 * before it trusts the graph. An answer that is as before leaves the graph as it is (restat). In
 * a wiped build/ nobody can look yet, and the generator runs anyway.
 */
static int
put_needs(struct ninja *ninja, const struct study *study, const struct graph_options *options,
	  struct error *error)
{
	struct graph_rule rule = {.name = (char *)"assay_needs"};
	struct graph_edge edge = {.rule = (char *)"assay_needs"};
	struct buffer words = BUFFER_EMPTY, command = BUFFER_EMPTY;
	struct setting variables[3];
	int result;

	if (study->need_count == 0)
		return 0;
	buffer_puts(&words, "test ! -x ");
	shell_put_word(&words, options->locker);
	buffer_puts(&words, " || ");
	shell_put_word(&words, options->locker);
	buffer_puts(&words, " generate --look-again");
	ninja_put_literal(&command, buffer_text(&words));
	variables[0] = setting("command", buffer_text(&command));
	variables[1] = setting("description", "look for what programs need");
	variables[2] = setting("restat", "1");
	rule.variables.items = variables;
	rule.variables.count = 3;
	paths_add(&edge.outputs, "%s", NEEDS_FILE);
	paths_add(&edge.implicit, "build/always");
	result = ninja_rule(ninja, &rule, error);
	if (result == 0)
		result = ninja_edge(ninja, &edge, error);
	paths_free(&edge.outputs);
	paths_free(&edge.implicit);
	buffer_free(&words);
	buffer_free(&command);
	return result;
}

/*
 * What else the generator writes. An edge of its own without inputs: it runs only when one of
 * the files is gone, and a spec with a mistake does not make Ninja print the name of every plan.
 * What needs them therefore does not wait for what the generator waits for: Ninja saw to that
 * before it read the graph.
 */
static int
put_plans(struct ninja *ninja, const struct study *study, struct error *error)
{
	struct graph_edge edge = {.rule = (char *)"assay_generate"};
	int result;
	size_t i, k;

	paths_add(&edge.outputs, "build/study.json");
	paths_add(&edge.outputs, "build/help.txt");
	for (i = 0; i < study->experiment_count; i++) {
		paths_add(&edge.outputs, "build/check/%s.json", study->experiments[i].name);
		if (study->experiments[i].form != NULL)
			paths_add(&edge.outputs, FORM_FOLDER "/study.json", study->experiments[i].name);
		for (k = 0; k < study->experiments[i].case_count; k++)
			paths_add(&edge.outputs, "build/plan/%s.json",
				  study->experiments[i].cases[k].case_id);
	}
	result = ninja_edge(ninja, &edge, error);
	paths_free(&edge.outputs);
	return result;
}

/* A spec that was deleted must lead to a new graph, not to an error of Ninja's. */
static int
put_may_be_missing(struct ninja *ninja, const struct texts *inputs, struct error *error)
{
	size_t i;

	ninja_comment(ninja, "Deleting one of these is no error: the graph is written again.");
	for (i = 0; i < inputs->count; i++)
		if (!ninja_has_output(ninja, inputs->items[i]) &&
		    ninja_phony(ninja, inputs->items[i], NULL, error) != 0)
			return -1;
	return 0;
}

/* ---- names for targets ---- */

static int
put_target(struct ninja *ninja, const struct graph_target *target, struct error *error)
{
	if (ninja_has_output(ninja, target->name))
		return error_set(error, EXIT_BAD_INPUT,
				 "the target '%s' has the name of another target or of a file that the "
				 "graph knows; choose another name", target->name);
	return ninja_phony(ninja, target->name, &target->needs, error);
}

static int
put_help(struct ninja *ninja, struct error *error)
{
	struct setting variables[3];
	struct graph_rule rule = {.name = (char *)"assay_help"};
	struct graph_edge edge = {.rule = (char *)"assay_help"};
	int result = -1;

	variables[0] = setting("command", "cat build/help.txt");
	variables[1] = setting("description", "targets");
	variables[2] = setting("pool", "console");
	rule.variables.items = variables;
	rule.variables.count = 3;
	paths_add(&edge.outputs, "help");
	paths_add(&edge.implicit, "build/help.txt");
	if (ninja_rule(ninja, &rule, error) == 0)
		result = ninja_edge(ninja, &edge, error);
	paths_free(&edge.outputs);
	paths_free(&edge.implicit);
	return result;
}

static int
put_targets(struct ninja *ninja, const struct study *study, struct error *error)
{
	bool declared = false;
	size_t i;

	if (put_help(ninja, error) != 0)
		return -1;
	for (i = 0; i < study->target_count; i++) {
		const struct graph_target *target = &study->targets[i];

		if (put_target(ninja, target, error) != 0)
			return -1;
		if (target->is_default && ninja_default(ninja, target->name, error) != 0)
			return -1;
		declared = declared || target->is_default;
	}
	return declared ? 0 : ninja_default(ninja, "report", error);
}

static int
put_graph(struct ninja *ninja, const struct study *study, const struct graph_options *options,
	  const struct texts *inputs, struct error *error)
{
	if (put_head(ninja, options, error) != 0 ||
	    put_generate_rule(ninja, options, error) != 0 ||
	    put_generator(ninja, inputs, error) != 0 ||
	    put_needs(ninja, study, options, error) != 0 || put_plans(ninja, study, error) != 0 ||
	    statements_put(ninja, study, options->tool, error) != 0 ||
	    steps_put(ninja, study, options, error) != 0 ||
	    put_may_be_missing(ninja, inputs, error) != 0 ||
	    steps_put_names(ninja, study, error) != 0)
		return -1;
	return put_targets(ninja, study, error);
}

int
graph_write(const struct study *study, const struct graph_options *options, struct buffer *out,
	    struct error *error)
{
	struct ninja *ninja = ninja_new();
	struct texts inputs = generator_inputs(study, options);
	int result = put_graph(ninja, study, options, &inputs, error);

	if (result == 0)
		buffer_append(out, ninja_text(ninja)->bytes, ninja_text(ninja)->length);
	paths_free(&inputs);
	ninja_free(ninja);
	return result;
}

static void
put_about(struct buffer *out, const char *name, const char *about)
{
	buffer_printf(out, "  %-16s %s\n", name, about);
}

static void
put_forms(const struct study *study, struct buffer *out)
{
	size_t i, count = 0;

	for (i = 0; i < study->experiment_count; i++) {
		if (study->experiments[i].form == NULL)
			continue;
		if (count++ == 0)
			buffer_puts(out, "Further forms (not in the report, each with one of its own in build/form; "
					 "'assay plan NAME' tells the time):\n");
		put_about(out, study->experiments[i].name, study->experiments[i].about);
	}
}

void
graph_help(const struct study *study, struct buffer *out)
{
	size_t i;

	buffer_puts(out, "Targets ('ninja TARGET'; the default is report):\n");
	put_about(out, "report", "measure what is stale, analyse, draw, write build/report");
	put_about(out, "bundle", "pack records, sources and report into build/bundle");
	for (i = 0; i < study->target_count; i++)
		if (study->targets[i].about != NULL)
			put_about(out, study->targets[i].name, study->targets[i].about);
	put_about(out, "help", "print this list");
	buffer_puts(out, "Experiments (measured and analysed alone; so is a case by its case_id):\n");
	for (i = 0; i < study->experiment_count; i++)
		if (study->experiments[i].form == NULL)
			put_about(out, study->experiments[i].name,
				  study->experiments[i].title != NULL ? study->experiments[i].title : "");
	put_forms(study, out);
}

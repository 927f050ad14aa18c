#include "graph/statements.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "graph/cycle.h"
#include "graph/paths.h"
#include "graph/shell.h"

enum form { FORM_LOCKED, FORM_SCRIPT, FORM_UNLOCKED, FORM_COUNT };

static const char *const suffix[FORM_COUNT] = {"", ".script", ".unlocked"};

static const char *
setting_value(const struct settings *settings, const char *name)
{
	size_t i;

	for (i = 0; i < settings->count; i++)
		if (strcmp(settings->items[i].name, name) == 0)
			return settings->items[i].value;
	return NULL;
}

static const struct graph_rule *
find_rule(const struct study *study, const char *name)
{
	size_t i;

	for (i = 0; i < study->rule_count; i++)
		if (strcmp(study->rules[i].name, name) == 0)
			return &study->rules[i];
	return NULL;
}

static bool
is_phony(const struct graph_edge *edge)
{
	return strcmp(edge->rule, "phony") == 0;
}

static enum form
form_of(const struct graph_rule *rule, const struct graph_edge *edge)
{
	struct buffer command = BUFFER_EMPTY;
	bool simple;

	if (edge->unlocked)
		return FORM_UNLOCKED;
	ninja_expand(&command, setting_value(&rule->variables, "command"), &edge->variables);
	simple = shell_is_simple(buffer_text(&command));
	buffer_free(&command);
	return simple ? FORM_LOCKED : FORM_SCRIPT;
}

static const char *
file_of(const struct graph_edge *edge)
{
	return edge->place.file != NULL ? edge->place.file : "";
}

/* Ninja deletes the outputs of an edge that is interrupted. */
static int
refuse_results(const struct graph_edge *edge, const struct texts *outputs, struct error *error)
{
	size_t i;

	for (i = 0; i < outputs->count; i++)
		if (strncmp(outputs->items[i], "results/", 8) == 0 ||
		    strcmp(outputs->items[i], "results") == 0)
			return error_set_at(error, EXIT_BAD_INPUT, file_of(edge), edge->place.line,
					    "'%s' must not be an output: results/ holds the raw records, and "
					    "Ninja deletes outputs; write to build/ instead",
					    outputs->items[i]);
	return 0;
}

static int
check_edge(const struct study *study, const struct graph_edge *edge, struct error *error)
{
	const struct graph_rule *rule = find_rule(study, edge->rule);

	if (refuse_results(edge, &edge->outputs, error) != 0 ||
	    refuse_results(edge, &edge->implicit_outputs, error) != 0)
		return -1;
	if (is_phony(edge))
		return 0;
	if (rule == NULL)
		return error_set_at(error, EXIT_BAD_INPUT, file_of(edge), edge->place.line,
				    "there is no rule '%s'; declare it with rule \"%s\" { command = … }",
				    edge->rule, edge->rule);
	if (setting_value(&rule->variables, "command") == NULL)
		return error_set_at(error, EXIT_BAD_INPUT, file_of(edge), edge->place.line,
				    "the rule '%s' has no command", edge->rule);
	if (setting_value(&rule->variables, "rspfile") != NULL &&
	    form_of(rule, edge) == FORM_SCRIPT)
		return error_set_at(error, EXIT_BAD_INPUT, file_of(edge), edge->place.line,
				    "the rule '%s' has both a response file and more than one command; "
				    "put the commands into a script and call that", edge->rule);
	return 0;
}

/* The rule in one of its forms; what it holds is borrowed but for the names made here. */
static int
put_rule(struct ninja *ninja, const struct graph_rule *rule, enum form form,
	 struct error *error)
{
	struct graph_rule copy = *rule;
	size_t count = rule->variables.count, i;
	char *locked = NULL;
	int result;

	copy.name = memory_format("%s%s", rule->name, suffix[form]);
	copy.variables.items = memory_zeroed(count + 2, sizeof *copy.variables.items);
	for (i = 0; i < count; i++) {
		struct setting *one = &copy.variables.items[i];

		*one = rule->variables.items[i];
		if (strcmp(one->name, "command") != 0 || form == FORM_UNLOCKED)
			continue;
		if (form == FORM_SCRIPT) {
			copy.variables.items[count] = (struct setting){(char *)"rspfile", (char *)"$assay_script"};
			copy.variables.items[count + 1] =
				(struct setting){(char *)"rspfile_content", one->value};
			copy.variables.count = count + 2;
		}
		locked = memory_format("$assay_lock %s",
				       form == FORM_SCRIPT ? "sh $assay_script" : one->value);
		one->value = locked;
	}
	result = ninja_rule(ninja, &copy, error);
	free(locked);
	free(copy.variables.items);
	free(copy.name);
	return result;
}

static int
put_rules(struct ninja *ninja, const struct study *study, struct error *error)
{
	bool (*used)[FORM_COUNT] = memory_zeroed(study->rule_count, sizeof *used);
	int result = 0;
	size_t i;

	for (i = 0; i < study->edge_count; i++) {
		const struct graph_edge *edge = &study->edges[i];
		const struct graph_rule *rule = find_rule(study, edge->rule);

		if (!is_phony(edge))
			used[rule - study->rules][form_of(rule, edge)] = true;
	}
	for (i = 0; result == 0 && i < study->rule_count; i++) {
		int form;

		for (form = 0; result == 0 && form < FORM_COUNT; form++)
			if (used[i][form])
				result = put_rule(ninja, &study->rules[i], form, error);
	}
	free(used);
	return result;
}

static int
put_script_edge(struct ninja *ninja, const struct graph_edge *edge, struct error *error)
{
	struct graph_edge copy = *edge;
	char hex[DIGEST_SHA256_HEX];
	int result;

	/* A name that needs no quoting, in a folder that is there: Ninja makes no folder for it. */
	digest_bytes(DIGEST_SHA256, edge->outputs.items[0], strlen(edge->outputs.items[0]), hex);
	copy.variables.items = memory_zeroed(edge->variables.count + 1, sizeof(struct setting));
	if (edge->variables.count > 0)
		memcpy(copy.variables.items, edge->variables.items,
		       edge->variables.count * sizeof(struct setting));
	copy.variables.items[copy.variables.count++] =
		(struct setting){(char *)"assay_script", memory_format("build/script-%.16s", hex)};
	result = ninja_edge(ninja, &copy, error);
	free(copy.variables.items[edge->variables.count].value);
	free(copy.variables.items);
	return result;
}

static int
put_edge(struct ninja *ninja, const struct study *study, const struct graph_edge *edge,
	 const char *tool, struct error *error)
{
	struct texts order_only = {0};
	struct graph_edge copy = *edge;
	enum form form;
	int result;

	if (is_phony(edge) || edge->outputs.count == 0)
		return ninja_edge(ninja, edge, error);
	form = form_of(find_rule(study, edge->rule), edge);
	copy.rule = memory_format("%s%s", edge->rule, suffix[form]);
	if (strncmp(edge->rule, "assay_", 6) == 0) {
		paths_add(&order_only, "%s", tool);
		copy.order_only = order_only;
	}
	if (form == FORM_SCRIPT)
		result = put_script_edge(ninja, &copy, error);
	else
		result = ninja_edge(ninja, &copy, error);
	free(copy.rule);
	paths_free(&order_only);
	return result;
}

int
statements_put(struct ninja *ninja, const struct study *study, const char *tool,
	       struct error *error)
{
	size_t i;

	for (i = 0; i < study->edge_count; i++)
		if (check_edge(study, &study->edges[i], error) != 0)
			return -1;
	if (cycle_refuse(study, error) != 0 || put_rules(ninja, study, error) != 0)
		return -1;
	if (study->edge_count > 0)
		ninja_comment(ninja, "The study's own statements.");
	for (i = 0; i < study->edge_count; i++)
		if (put_edge(ninja, study, &study->edges[i], tool, error) != 0)
			return -1;
	return 0;
}

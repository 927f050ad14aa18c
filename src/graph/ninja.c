#include "graph/ninja.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define EXPAND_DEPTH 8 /* variables in variables; Ninja itself has no loops here */

struct ninja {
	struct buffer text;
	json_t *outputs, *rules; /* sets: keys are names as given */
};

struct ninja *
ninja_new(void)
{
	struct ninja *ninja = memory_zeroed(1, sizeof *ninja);

	ninja->outputs = json_object();
	ninja->rules = json_object();
	return ninja;
}

void
ninja_free(struct ninja *ninja)
{
	if (ninja == NULL)
		return;
	buffer_free(&ninja->text);
	json_decref(ninja->outputs);
	json_decref(ninja->rules);
	free(ninja);
}

const struct buffer *
ninja_text(const struct ninja *ninja)
{
	return &ninja->text;
}

bool
ninja_has_output(const struct ninja *ninja, const char *path)
{
	return json_object_get(ninja->outputs, path) != NULL;
}

/* Adds to a set; false when it was there. The names are bytes, not checked UTF-8. */
static bool
add_once(json_t *set, const char *name)
{
	if (json_object_get(set, name) != NULL)
		return false;
	json_object_set_new_nocheck(set, name, json_true());
	return true;
}

/* Errors of the writer below know no place; its callers do. */
static int
at_place(struct error *error, const struct place *place)
{
	if (error != NULL && error->file[0] == '\0' && place->file != NULL) {
		struct error inner = *error;

		error_set_at(error, inner.code, place->file, place->line, "%s", inner.message);
	}
	return -1;
}

int
ninja_put_path(struct buffer *out, const char *path, struct error *error)
{
	if (path[0] == '\0')
		return error_set(error, EXIT_BAD_INPUT, "a path is empty; name a file");
	if (path[strcspn(path, "\n\r|")] != '\0')
		return error_set(error, EXIT_BAD_INPUT,
				 "the path '%s' holds a newline, a carriage return or '|', which Ninja "
				 "cannot write; rename the file", path);
	for (; *path != '\0'; path++) {
		if (strchr("$ :", *path) != NULL)
			buffer_putc(out, '$');
		buffer_putc(out, *path);
	}
	return 0;
}

void
ninja_put_literal(struct buffer *out, const char *text)
{
	if (*text == ' ')
		buffer_putc(out, '$'); /* else Ninja drops it */
	for (; *text != '\0'; text++) {
		if (*text == '$')
			buffer_putc(out, '$');
		buffer_putc(out, *text);
	}
}

static const char *
value_of(const struct settings *variables, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < variables->count; i++)
		if (strncmp(variables->items[i].name, name, length) == 0 &&
		    variables->items[i].name[length] == '\0')
			return variables->items[i].value;
	return "";
}

static size_t
name_length(const char *text, bool braced)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_' || text[length] == '-' ||
	       (braced && text[length] == '.'))
		length++;
	return length;
}

static void
expand(struct buffer *out, const char *value, const struct settings *variables, int depth)
{
	while (*value != '\0') {
		bool braced;
		size_t length;

		if (*value != '$') {
			buffer_putc(out, *value++);
			continue;
		}
		value++;
		braced = *value == '{';
		length = name_length(value + braced, braced);
		if (length == 0) {
			if (*value != '\0')
				buffer_putc(out, *value++); /* $$, $ and a space, $: */
			continue;
		}
		value += braced;
		if (strncmp(value, "in", length) == 0 || strncmp(value, "out", length) == 0 ||
		    strncmp(value, "in_newline", length) == 0)
			buffer_puts(out, "path");
		else if (depth < EXPAND_DEPTH)
			expand(out, value_of(variables, value, length), variables, depth + 1);
		value += length + (braced && value[length] == '}');
	}
}

void
ninja_expand(struct buffer *out, const char *value, const struct settings *variables)
{
	expand(out, value, variables, 0);
}

void
ninja_comment(struct ninja *ninja, const char *text)
{
	buffer_printf(&ninja->text, "%s# %s\n", ninja->text.length > 0 ? "\n" : "", text);
}

static int
put_variable(struct ninja *ninja, const char *indent, const char *name, const char *value,
	     struct error *error)
{
	if (name[0] == '\0' || name_length(name, true) != strlen(name))
		return error_set(error, EXIT_BAD_INPUT,
				 "'%s' is no name for a variable; letters, digits, '_', '-' and '.' are",
				 name);
	if (value[strcspn(value, "\n\r")] != '\0')
		return error_set(error, EXIT_BAD_INPUT,
				 "the value of '%s' holds a newline, which Ninja cannot write; join the "
				 "commands with '&&', or call a script", name);
	buffer_printf(&ninja->text, "%s%s = %s\n", indent, name, value);
	return 0;
}

int
ninja_variable(struct ninja *ninja, const char *name, const char *value, struct error *error)
{
	return put_variable(ninja, "", name, value, error);
}

static int
put_variables(struct ninja *ninja, const struct settings *variables, struct error *error)
{
	size_t i;

	for (i = 0; i < variables->count; i++)
		if (put_variable(ninja, "  ", variables->items[i].name, variables->items[i].value,
				 error) != 0)
			return -1;
	return 0;
}

int
ninja_rule(struct ninja *ninja, const struct graph_rule *rule, struct error *error)
{
	if (rule->name[0] == '\0' || name_length(rule->name, true) != strlen(rule->name)) {
		error_set(error, EXIT_BAD_INPUT,
			  "'%s' is no name for a rule; letters, digits, '_', '-' and '.' are", rule->name);
		return at_place(error, &rule->place);
	}
	if (!add_once(ninja->rules, rule->name)) {
		error_set(error, EXIT_BAD_INPUT, "there is a rule '%s' already; choose another name",
			  rule->name);
		return at_place(error, &rule->place);
	}
	buffer_printf(&ninja->text, "\nrule %s\n", rule->name);
	if (put_variables(ninja, &rule->variables, error) != 0)
		return at_place(error, &rule->place);
	return 0;
}

static int
put_paths(struct ninja *ninja, const char *before, const struct texts *paths,
	  struct error *error)
{
	size_t i;

	if (paths->count > 0)
		buffer_puts(&ninja->text, before);
	for (i = 0; i < paths->count; i++) {
		buffer_putc(&ninja->text, ' ');
		if (ninja_put_path(&ninja->text, paths->items[i], error) != 0)
			return -1;
	}
	return 0;
}

static int
put_outputs(struct ninja *ninja, const char *before, const struct texts *paths,
	    struct error *error)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		if (!add_once(ninja->outputs, paths->items[i]))
			return error_set(error, EXIT_BAD_INPUT,
					 "'%s' is the output of another statement already; two commands must "
					 "not write the same file", paths->items[i]);
	return put_paths(ninja, before, paths, error);
}

static int
put_edge(struct ninja *ninja, const struct graph_edge *edge, struct error *error)
{
	if (edge->outputs.count == 0)
		return error_set(error, EXIT_BAD_INPUT,
				 "a build statement of rule '%s' has no outputs; name what it writes",
				 edge->rule);
	buffer_puts(&ninja->text, "build");
	if (put_outputs(ninja, "", &edge->outputs, error) != 0 ||
	    put_outputs(ninja, " |", &edge->implicit_outputs, error) != 0)
		return -1;
	buffer_printf(&ninja->text, ": %s", edge->rule);
	if (put_paths(ninja, "", &edge->inputs, error) != 0 ||
	    put_paths(ninja, " |", &edge->implicit, error) != 0 ||
	    put_paths(ninja, " ||", &edge->order_only, error) != 0)
		return -1;
	buffer_putc(&ninja->text, '\n');
	return put_variables(ninja, &edge->variables, error);
}

int
ninja_edge(struct ninja *ninja, const struct graph_edge *edge, struct error *error)
{
	if (put_edge(ninja, edge, error) != 0)
		return at_place(error, &edge->place);
	return 0;
}

int
ninja_phony(struct ninja *ninja, const char *name, const struct texts *needs,
	    struct error *error)
{
	struct graph_edge edge = {.rule = (char *)"phony"};
	char *names[1];

	names[0] = (char *)name;
	edge.outputs.items = names;
	edge.outputs.count = 1;
	if (needs != NULL)
		edge.inputs = *needs;
	return put_edge(ninja, &edge, error);
}

int
ninja_default(struct ninja *ninja, const char *name, struct error *error)
{
	buffer_puts(&ninja->text, "default ");
	if (ninja_put_path(&ninja->text, name, error) != 0)
		return -1;
	buffer_putc(&ninja->text, '\n');
	return 0;
}

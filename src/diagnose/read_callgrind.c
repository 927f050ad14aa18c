#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "diagnose/reading.h"
#include "diagnose/result.h"

/*
 * callgrind.out as `valgrind --separate-callers=N` writes it (Valgrind's manual, "Callgrind Format
 * Specification"): a function's name is followed by its callers', "f'g'main", so each cost belongs
 * to a whole stack. Only the first event, instructions, is read.
 */

#define LEAST_SHARE 0.001 /* a stack with less of all instructions is pooled with its like */

struct stack {
	char *name; /* NULL: never said */
	long long self;
};

struct parsing {
	struct stack *stacks; /* by the number that the file gives each */
	size_t count, capacity;
	size_t current;       /* stack that the costs belong to */
	int positions;        /* columns before the cost */
	bool after_call;      /* the next cost is the callee's, said once more */
	long long total;
};

/* "(12) name" names number 12, "(12)" is it again. */
static size_t
stack_of(struct parsing *parsing, const char *text)
{
	size_t number = text[0] == '(' ? strtoul(text + 1, NULL, 10) : 0;
	const char *name = text[0] == '(' ? strchr(text, ')') : NULL;

	if (number > 1 << 24)
		number = 0;
	while (parsing->count <= number) {
		parsing->stacks = memory_grow(parsing->stacks, parsing->count, &parsing->capacity,
					      sizeof *parsing->stacks);
		parsing->stacks[parsing->count++] = (struct stack){NULL, 0};
	}
	if (name != NULL && name[1] == ' ' && parsing->stacks[number].name == NULL)
		parsing->stacks[number].name = memory_copy_text(name + 2);
	return number;
}

/* "+3 17", "* 2", "0x12 40 2" */
static void
read_cost(struct parsing *parsing, char *line)
{
	char *rest, *word = strtok_r(line, " ", &rest);
	long long cost;
	int i;

	for (i = 0; i < parsing->positions && word != NULL; i++)
		word = strtok_r(NULL, " ", &rest);
	cost = word != NULL ? strtoll(word, NULL, 10) : 0;
	if (!parsing->after_call && parsing->current < parsing->count) {
		parsing->stacks[parsing->current].self += cost;
		parsing->total += cost;
	}
	parsing->after_call = false;
}

static int
count_words(const char *text)
{
	int count = 0;

	while (*(text += strspn(text, " ")) != '\0') {
		count++;
		text += strcspn(text, " ");
	}
	return count;
}

static void
read_callgrind_line(struct parsing *parsing, char *line)
{
	if (strncmp(line, "fn=", 3) == 0)
		parsing->current = stack_of(parsing, line + 3);
	else if (strncmp(line, "cfn=", 4) == 0)
		stack_of(parsing, line + 4);
	else if (strncmp(line, "calls=", 6) == 0)
		parsing->after_call = true;
	else if (strncmp(line, "positions: ", 11) == 0)
		parsing->positions = count_words(line + 11);
	else if (isdigit((unsigned char)line[0]) || line[0] == '+' || line[0] == '-' || line[0] == '*')
		read_cost(parsing, line);
}

/* ---- the result ---- */

/* "f'g'main": the name of f. */
static char *
innermost(const char *name)
{
	return memory_copy_span(name, strcspn(name, "'"));
}

/* "f'2'g'main" as "main;g;f": from the outside in, without the numbers that tell recursions. */
static char *
folded(const char *name)
{
	char *copy = memory_copy_text(name), *parts[256], *rest, *part;
	struct buffer out = BUFFER_EMPTY;
	size_t count = 0;

	for (part = strtok_r(copy, "'", &rest); part != NULL && count < 256; part = strtok_r(NULL, "'", &rest))
		if (strspn(part, "0123456789") != strlen(part))
			parts[count++] = part;
	while (count > 0) {
		buffer_puts(&out, out.length > 0 ? ";" : "");
		buffer_puts(&out, parts[--count]);
	}
	free(copy);
	return buffer_detach(&out);
}

static void
add_to(json_t *sums, const char *name, long long self)
{
	json_t *sum = json_object_get(sums, name);

	json_object_set_new(sums, name, json_integer((sum != NULL ? json_integer_value(sum) : 0) + self));
}

/* Sums by function and by stack. */
static void
put_costs(const struct parsing *parsing, json_t *result)
{
	json_t *functions = json_object(), *stacks = json_object(), *sum;
	const char *name;
	size_t i;

	for (i = 0; i < parsing->count; i++) {
		const struct stack *one = &parsing->stacks[i];
		char *function, *path;

		if (one->name == NULL || one->self <= 0)
			continue;
		function = innermost(one->name);
		path = folded(one->name);
		add_to(functions, function, one->self);
		if ((double)one->self >= LEAST_SHARE * (double)parsing->total)
			add_to(stacks, path, one->self);
		free(function);
		free(path);
	}
	json_object_foreach(functions, name, sum)
		result_add_function(result, name, "", (double)json_integer_value(sum) / (double)parsing->total, 0, 0);
	json_decref(functions);
	json_object_set_new(result, "stacks", stacks);
	result_end_functions(result);
}

json_t *
read_callgrind(const char *folder, struct error *error)
{
	struct parsing parsing = {.positions = 1};
	struct buffer text = BUFFER_EMPTY;
	json_t *result = NULL;
	char *at, *line;
	size_t i;

	if (result_read(folder, "callgrind.out", &text, error) != 0)
		return NULL;
	for (at = text.bytes; (line = result_line(&at)) != NULL;)
		read_callgrind_line(&parsing, line);
	if (parsing.total <= 0) {
		error_set(error, EXIT_BAD_INPUT, "callgrind.out tells of no instructions");
	} else {
		result = result_new();
		put_costs(&parsing, result);
		result_put(result, "instructions", (double)parsing.total);
		result_say(result, "%.4g million instructions, %.1f %% of them in %s", (double)parsing.total / 1e6,
			   100 * result_value(result, "hottest_share"),
			   json_string_value(json_object_get(result, "hottest")));
	}
	for (i = 0; i < parsing.count; i++)
		free(parsing.stacks[i].name);
	free(parsing.stacks);
	buffer_free(&text);
	return result;
}

#include <lauxlib.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/api.h"
#include "spec/fail.h"
#include "spec/need.h"
#include "spec/program_model.h"
#include "spec/value.h"

/* python "name" { "k.py", … }: a program whose interpreter starts the first script. */

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-"

/* As a word for sh. */
static char *
read_interpreter(const struct fields *fields, char **word)
{
	char *interpreter = fields_text(fields, "interpreter", "python3");

	if (interpreter[0] == '\0' || strpbrk(interpreter, "'\n\r") != NULL)
		fields_fail(fields, "interpreter", "must be a program in PATH or a path, without ' in it");
	*word = interpreter;
	if (strspn(interpreter, PLAIN) != strlen(interpreter))
		*word = arena_printf(host_of(fields->L)->arena, "'%s'", interpreter);
	return interpreter;
}

/* Where it is, and which version. */
static void
find_interpreter(const struct fields *fields, struct program *program, struct texts *needs)
{
	char *word, *interpreter = read_interpreter(fields, &word);
	bool bare = strchr(interpreter, '/') == NULL;
	const char *found = NULL;

	if (bare) {
		api_asks_environment(fields->L, "PATH");
		found = need_read_tool(fields, interpreter, &program->needs);
	}
	program->path = api_path(fields, "interpreter", found != NULL ? found : interpreter);
	need_read_version(fields, "python", arena_printf(host_of(fields->L)->arena, "%s -V", word),
			  &program->needs);
	need_read_python(fields, word, &program->needs, needs);
	if (program->needs.skipped != NULL)
		return;
	if (bare)
		api_reads(fields->L, program->path);
	else
		api_needs(fields, "interpreter", program->path);
}

/* All that the call says, so that the same words again are the same program. */
static char *
declared(const struct fields *fields, const struct program *program, const struct texts *needs)
{
	struct buffer out = BUFFER_EMPTY;
	char *kept;
	size_t i;

	buffer_printf(&out, "python %s", program->path);
	for (i = 0; i < program->scripts.count; i++)
		buffer_printf(&out, "\n%s", program->scripts.items[i]);
	for (i = 0; i < needs->count; i++)
		buffer_printf(&out, "\n\t%s", needs->items[i]);
	kept = arena_text(host_of(fields->L)->arena, buffer_text(&out));
	buffer_free(&out);
	return kept;
}

static int
python_body(lua_State *L)
{
	static const char *const known[] = {"interpreter", "needs", NULL};
	struct program program = {0};
	struct texts needs = {NULL, 0};
	struct fields fields;
	char *text;
	size_t index;

	api_begin_named(L, &fields, "python");
	fields_only(&fields, known, -1);
	api_check_name(&fields, "", fields.name, NAME_FILE);
	program.scripts = fields_items(&fields, 1);
	if (program.scripts.count == 0)
		fields_fail(&fields, "", "no script, as in python \"%.100s\" { \"kernels/k.py\" }", fields.name);
	api_paths(&fields, "", &program.scripts);
	api_needs_all(&fields, "", &program.scripts);
	find_interpreter(&fields, &program, &needs);
	text = declared(&fields, &program, &needs);
	if (!program_known(&fields, text, &index))
		index = program_add(&fields, &program,
				    (struct declared){.text = text, .script = program.scripts.items[0]});
	value_push(L, VALUE_PROGRAM, NULL, index);
	return 1;
}

static int
api_python(lua_State *L)
{
	return api_named(L, "python", python_body);
}

void
api_open_python(lua_State *L)
{
	static const struct api_function functions[] = {{"python", api_python}, {NULL, NULL}};

	api_add(L, functions);
}

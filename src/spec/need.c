#include "spec/need.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/child.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "spec/api.h"
#include "spec/program_model.h"
#include "spec/sandbox.h"
#include "spec/text.h"

#define FORMAT "assay-needs-1"
#define ANSWER_LIMIT ((size_t)64 << 10)
#define ANSWER_SHOWN 200
#define MODULE "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

char *
need_find_tool(const char *name)
{
	const char *at = getenv("PATH");

	while (at != NULL && *at != '\0') {
		size_t length = strcspn(at, ":");
		char *path = memory_format("%.*s/%s", (int)length, at, name);

		if (at[0] == '/' && program_is_executable(path))
			return path;
		free(path);
		at += length;
		at += *at == ':';
	}
	return NULL;
}

/* ---- looking ---- */

/* The first line of what it said, as text that JSON can hold; the caller frees. */
static char *
first_line(struct buffer *said)
{
	const char *text = buffer_text(said);
	size_t length = strcspn(text, "\r\n");
	char *line = memory_copy_span(text, length < ANSWER_SHOWN ? length : ANSWER_SHOWN);
	ssize_t bad;

	while ((bad = text_bad_utf8(line, strlen(line))) >= 0)
		line[bad] = '?';
	return line;
}

/* *answer: what it said, or why it got to no end of its own. What the session starts has PATH and HOME of us and little else; so has what asks for it. */
static bool
ask(const char *command, char **answer)
{
	const char *const argv[] = {"sh", "-c", command, NULL};
	struct child child;
	bool met;

	child_run(argv, ANSWER_LIMIT, &child);
	met = child.problem == NULL;
	*answer = met ? first_line(&child.out) : memory_copy_text(child.exit_code < 0 ? child.problem : "");
	child_free(&child);
	return met;
}

/* *answer is the caller's. */
static bool
look(const char *name, const char *command, char **answer)
{
	if (command != NULL)
		return ask(command, answer);
	if (strchr(name, '/') == NULL)
		*answer = need_find_tool(name);
	else
		*answer = program_is_executable(name) ? memory_copy_text(name) : NULL;
	if (*answer != NULL)
		return true;
	*answer = memory_copy_text("");
	return false;
}

static bool
same_or_null(const char *a, const char *b)
{
	return a != NULL && b != NULL ? strcmp(a, b) == 0 : a == b;
}

/* Asked once a study, however many name it. */
static const struct need *
find(struct host *host, const char *name, const char *command)
{
	struct study *study = &host->study;
	struct need *need;
	char *answer;
	size_t i;

	for (i = 0; i < study->need_count; i++)
		if (strcmp(study->needs[i].name, name) == 0 &&
		    same_or_null(study->needs[i].command, command))
			return &study->needs[i];
	study->needs = arena_grow(host->arena, study->needs, study->need_count, &host->needs_room,
				  sizeof *study->needs);
	need = &study->needs[study->need_count++];
	need->name = arena_text(host->arena, name);
	need->command = command != NULL ? arena_text(host->arena, command) : NULL;
	need->answer = arena_text(host->arena, "");
	need->met = host->for_text || (command != NULL && host->runs_nothing);
	if (!need->met) {
		need->met = look(name, command, &answer);
		need->answer = arena_text(host->arena, answer);
		free(answer);
	}
	return need;
}

/* ---- what a spec says ---- */

static char *
why_unmet(struct arena *arena, const struct need *need)
{
	if (need->command != NULL && need->answer[0] != '\0')
		return arena_printf(arena, "no %s (%s: %s)", need->name, need->command, need->answer);
	if (need->command != NULL)
		return arena_printf(arena, "no %s (this fails: %s)", need->name, need->command);
	if (strchr(need->name, '/') != NULL)
		return arena_printf(arena, "no program %s", need->name);
	return arena_printf(arena, "no %s in PATH", need->name);
}

static void
add_version(struct arena *arena, struct settings *versions, const char *name, const char *answer)
{
	struct setting *items = arena_alloc(arena, versions->count + 1, sizeof *items);
	size_t i;

	for (i = 0; i < versions->count; i++) {
		items[i] = versions->items[i];
		if (strcmp(items[i].name, name) == 0 && strcmp(items[i].value, answer) == 0)
			return;
	}
	items[versions->count].name = arena_text(arena, name);
	items[versions->count++].value = arena_text(arena, answer);
	versions->items = items;
}

static const struct need *
require(const struct fields *fields, const char *name, const char *command, struct requirement *out)
{
	struct host *host = host_of(fields->L);
	const struct need *need = find(host, name, command);

	if (!need->met && out->skipped == NULL)
		out->skipped = why_unmet(host->arena, need);
	if (need->met && command != NULL && need->answer[0] != '\0')
		add_version(host->arena, &out->versions, name, need->answer);
	return need;
}

static void
check_word(const struct fields *fields, const char *key, const char *text)
{
	if (text[0] == '\0' || strpbrk(text, "\n\r") != NULL)
		fields_fail(fields, key, "must be the name of a tool, such as \"c++\", or name = \"command\" with "
			    "a command of one line that ends with 0 where it is there");
}

static void
read_tools(const struct fields *fields, const char *path, const struct texts *tools,
	   struct requirement *out, struct texts *said)
{
	size_t i;

	for (i = 0; i < tools->count; i++) {
		check_word(fields, path, tools->items[i]);
		texts_add(host_of(fields->L)->arena, said, tools->items[i]);
		require(fields, tools->items[i], NULL, out);
	}
}

static void
read_modules(const struct fields *fields, const char *path, const char *interpreter,
	     const struct texts *modules, struct requirement *out, struct texts *said)
{
	struct arena *arena = host_of(fields->L)->arena;
	size_t i;

	for (i = 0; i < modules->count; i++) {
		const char *name = modules->items[i];

		if (name[0] == '\0' || strspn(name, MODULE) != strlen(name))
			fields_fail(fields, path, "must be the name of a Python module, such as \"numpy\", or name = "
				    "\"command\" for something else, not \"%.100s\"", name);
		texts_add(arena, said, name);
		require(fields, name,
			arena_printf(arena, "%s -c 'import %s as m; print(getattr(m, \"__version__\", \"\"))'",
				     interpreter, name), out);
	}
}

static void
read_commands(const struct fields *inner, struct requirement *out, struct texts *said)
{
	lua_State *L = inner->L;
	size_t count, i;
	const char **names = sandbox_names(L, inner->index, &count);

	for (i = 0; i < count; i++) {
		const char *command = fields_text(inner, names[i], "");

		check_word(inner, names[i], names[i]);
		check_word(inner, names[i], command);
		texts_add(host_of(L)->arena, said, names[i]);
		texts_add(host_of(L)->arena, said, command);
		require(inner, names[i], command, out);
	}
	lua_pop(L, 1);
}

/* `interpreter` NULL: a text is a tool. */
static void
read_texts(const struct fields *fields, const char *path, const char *interpreter,
	   const struct texts *texts, struct requirement *out, struct texts *said)
{
	if (interpreter != NULL)
		read_modules(fields, path, interpreter, texts, out, said);
	else
		read_tools(fields, path, texts, out, said);
}

static void
read_needs(const struct fields *fields, const char *interpreter, struct requirement *out,
	   struct texts *said)
{
	lua_State *L = fields->L;
	int type = fields_push(fields, "needs");
	struct texts texts = {NULL, 0};
	struct fields inner;

	lua_pop(L, 1);
	if (type == LUA_TNIL)
		return;
	if (type != LUA_TTABLE) {
		texts_add(host_of(L)->arena, &texts, fields_text(fields, "needs", ""));
		read_texts(fields, "needs", interpreter, &texts, out, said);
		return;
	}
	fields_open(fields, "needs", &inner);
	texts = fields_items(&inner, 1);
	read_texts(&inner, "", interpreter, &texts, out, said);
	read_commands(&inner, out, said);
	lua_pop(L, 1);
}

void
need_read(const struct fields *fields, struct requirement *out, struct texts *said)
{
	read_needs(fields, NULL, out, said);
}

void
need_read_python(const struct fields *fields, const char *interpreter, struct requirement *out,
		 struct texts *said)
{
	read_needs(fields, interpreter, out, said);
}

void
need_read_version(const struct fields *fields, const char *name, const char *command,
		  struct requirement *out)
{
	require(fields, name, command, out);
}

const char *
need_read_tool(const struct fields *fields, const char *name, struct requirement *out)
{
	const struct need *need = require(fields, name, NULL, out);

	return need->answer[0] != '\0' ? need->answer : NULL;
}

void
need_add(struct arena *arena, const struct requirement *from, struct requirement *to)
{
	size_t i;

	if (to->skipped == NULL)
		to->skipped = from->skipped;
	for (i = 0; i < from->versions.count; i++)
		add_version(arena, &to->versions, from->versions.items[i].name,
			    from->versions.items[i].value);
}

/* ---- build/needs.json ---- */

static json_t *
need_object(const char *name, const char *command, bool met, const char *answer)
{
	return json_pack("{s:s, s:o, s:b, s:s}", "name", name, "command",
			 command != NULL ? json_string(command) : json_null(), "met", met, "answer",
			 answer);
}

static int
write_list(json_t *list, struct error *error)
{
	json_t *object = json_pack("{s:s, s:o}", "format", FORMAT, "needs", list);
	int result = json_write_file(NEEDS_FILE, object, FILE_IF_CHANGED, error);

	json_decref(object);
	return result;
}

int
need_write_all(const struct study *study, struct error *error)
{
	json_t *list;
	size_t i;

	if (study->need_count == 0)
		return 0;
	list = json_array();
	for (i = 0; i < study->need_count; i++) {
		const struct need *need = &study->needs[i];

		json_array_append_new(list,
				      need_object(need->name, need->command, need->met, need->answer));
	}
	return write_list(list, error);
}

int
need_look_again(struct error *error)
{
	json_t *before = file_exists(NEEDS_FILE) ? json_read_file(NEEDS_FILE, error) : json_object();
	json_t *list, *one;
	int result;
	size_t i;

	if (before == NULL)
		return -1;
	list = json_array();
	json_array_foreach(json_object_get(before, "needs"), i, one) {
		const char *name = json_get_text(one, "name");
		const char *command = json_string_value(json_object_get(one, "command"));
		char *answer;
		bool met = look(name, command, &answer);

		json_array_append_new(list, need_object(name, command, met, answer));
		free(answer);
	}
	result = write_list(list, error);
	json_decref(before);
	return result;
}

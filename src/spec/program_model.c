#include "spec/program_model.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spec/fail.h"
#include "spec/value.h"

bool
program_is_executable(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool
program_known(const struct fields *fields, const char *declared, size_t *index)
{
	struct host *host = host_of(fields->L);
	struct study *study = &host->study;
	size_t i;

	for (i = 0; i < study->program_count; i++)
		if (strcmp(study->programs[i].name, fields->name) == 0)
			break;
	*index = i;
	if (i < study->program_count && strcmp(host->declared[i].text, declared) != 0)
		fields_fail(fields, "", "declared otherwise at %s:%d; use that one, or another name",
			    study->programs[i].place.file, study->programs[i].place.line);
	return i < study->program_count;
}

size_t
program_add(const struct fields *fields, const struct program *program, struct declared declared)
{
	struct host *host = host_of(fields->L);
	struct study *study = &host->study;
	struct program *added;

	host->declared = arena_grow(host->arena, host->declared, study->program_count,
				    &host->declared_capacity, sizeof *host->declared);
	study->programs = arena_grow(host->arena, study->programs, study->program_count,
				     &host->programs_room, sizeof *study->programs);
	added = &study->programs[study->program_count];
	*added = *program;
	added->name = arena_text(host->arena, fields->name);
	added->place = fields->place;
	if (added->identity_command == NULL)
		added->identity_command = arena_text(host->arena, "");
	host->declared[study->program_count] = declared;
	return study->program_count++;
}

size_t
program_find(const struct fields *fields, const char *name)
{
	struct host *host = host_of(fields->L);
	struct study *study = &host->study;
	const char **names = arena_alloc(host->arena, study->program_count, sizeof *names);
	size_t i;

	for (i = 0; i < study->program_count; i++) {
		names[i] = study->programs[i].name;
		if (strcmp(names[i], name) == 0)
			return i;
	}
	fields_fail_unknown(fields, "[1]", name, names, study->program_count,
			    "no runner or program is called \"%.100s\"; declare it above, or in the entry "
			    "file before experiments", name);
}

char *
program_template(const struct fields *fields)
{
	lua_State *L = fields->L;
	const char *text = NULL;

	if (lua_rawgeti(L, fields->index, 1) == LUA_TSTRING)
		text = fields_value_text(fields, -1, "[1]");
	lua_pop(L, 1);
	return text != NULL && strpbrk(text, "{}") != NULL ? arena_text(host_of(L)->arena, text) : NULL;
}

size_t
program_read(const struct fields *fields)
{
	lua_State *L = fields->L;
	const struct value *value;
	size_t index;

	lua_rawgeti(L, fields->index, 1);
	value = value_get(L, -1, VALUE_PROGRAM);
	if (value != NULL)
		index = value->number;
	else if (lua_type(L, -1) == LUA_TSTRING)
		index = program_find(fields, fields_value_text(fields, -1, "[1]"));
	else
		fields_fail(fields, "", "the first item must be a runner, a program, or the name of one, "
			    "not %s", value_describe(L, -1));
	lua_pop(L, 1);
	return index;
}

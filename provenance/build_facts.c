#include "provenance/build_facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/child.h"
#include "base/file.h"
#include "base/memory.h"
#include "provenance/elf_build.h"
#include "provenance/volatile_loops.h"

#define COMMANDS_LIMIT ((size_t)256 << 10)
#define SOURCE_LIMIT ((size_t)4 << 20)
#define HARNESS "kernels/harness/"

char *
build_commands(const char *path)
{
	const char *argv[] = {"ninja", "-t", "commands", path, NULL};
	struct child child;
	char *text = NULL;

	if (!file_exists("build.ninja"))
		return NULL;
	child_run(argv, COMMANDS_LIMIT, &child);
	if (child.problem == NULL)
		text = memory_copy_text(buffer_text(&child.out));
	child_free(&child);
	return text;
}

static void
read_source(const char *path, json_t *list)
{
	struct buffer text = BUFFER_EMPTY;
	struct error problem = {0};

	if (file_read(path, SOURCE_LIMIT, &text, &problem) == 0)
		volatile_loops(buffer_text(&text), text.length, path, list);
	buffer_free(&text);
}

/* One command that compiles: its last -O, and the source behind -c, but for the harness's. */
static void
read_command(char *line, json_t *facts, bool levels_wanted)
{
	const char *level = "-O0", *source = NULL, *word, *before = "";
	bool compiles = false;

	while ((word = strsep(&line, " ")) != NULL) {
		compiles |= strcmp(word, "-c") == 0;
		if (strcmp(before, "-c") == 0)
			source = word;
		if (strncmp(word, "-O", 2) == 0)
			level = word;
		before = word;
	}
	if (!compiles || source == NULL || strstr(source, HARNESS) != NULL)
		return;
	read_source(source, json_object_get(facts, "volatile_loops"));
	if (levels_wanted)
		json_array_append_new(json_object_get(facts, "optimise"), json_string(level));
}

json_t *
build_facts(const char *path, const char *commands)
{
	json_t *facts = elf_build(path);
	char *copy, *rest, *line;
	bool silent;

	if (facts == NULL)
		return NULL;
	json_object_set_new(facts, "volatile_loops", json_array());
	silent = json_array_size(json_object_get(facts, "optimise")) == 0;
	copy = rest = commands != NULL ? memory_copy_text(commands) : NULL;
	while (rest != NULL && (line = strsep(&rest, "\n")) != NULL)
		read_command(line, facts, silent);
	free(copy);
	return facts;
}

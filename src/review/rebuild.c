#include "review/rebuild.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/home.h"
#include "base/memory.h"
#include "revision/step.h"
#include "session/interrupt.h"

#define UNDER_LOCK " lock shared -- "
#define COMMANDS_LIMIT ((size_t)64 << 20)

const char *
rebuild_bare_command(const char *command)
{
	const char *end = strstr(command, UNDER_LOCK);

	return end != NULL ? end + strlen(UNDER_LOCK) : command;
}

/* The tool beside us; the caller frees. */
static char *
find_tool(struct error *error)
{
	char *self = home_tool(error), *tool = NULL;

	if (self != NULL) {
		*strrchr(self, '/') = '\0';
		tool = memory_format("%s/assay", self);
	}
	free(self);
	return tool;
}

static int
run(const char *log, const char *const *words, struct error *error)
{
	char *token = memory_format("review-%d", (int)getpid());
	struct step step = {.folder = ".", .log = log, .token = token, .interrupted = interrupt_flag()};
	int result = step_program(&step, words, error);

	free(token);
	return result;
}

int
rebuild_generate(const char *log, bool trusted, struct error *error)
{
	char *tool = find_tool(error);
	const char *const words[] = {tool, "generate", trusted ? NULL : "--run-nothing", NULL};
	int result = tool != NULL ? run(log, words, error) : -1;

	if (result != 0 && tool != NULL)
		error_prefix(error, "the study's specs cannot be read here");
	free(tool);
	return result;
}

/* ---- ninja ---- */

/* `first` words, then what stands for each case when all that it needs is made. The words and the
 * list are the caller's, the first ones are borrowed. */
static char **
ninja_words(const struct side *side, const char *const *first, size_t *begun)
{
	char **words;
	size_t i;

	for (*begun = 0; first[*begun] != NULL;)
		++*begun;
	words = memory_zeroed(*begun + side->count + 1, sizeof *words);
	memcpy(words, first, *begun * sizeof *words);
	for (i = 0; i < side->count; i++)
		words[*begun + i] = memory_format("build/identity/%s", side->cases[i].plan.case_id);
	return words;
}

static void
free_words(char **words, size_t begun)
{
	size_t i;

	for (i = begun; words[i] != NULL; i++)
		free(words[i]);
	free(words);
}

static void
add_command(json_t *list, const char *line, const char *tool)
{
	const char *bare = rebuild_bare_command(line);

	if (line[0] != '\0' && (bare != line || strncmp(line, tool, strlen(tool)) != 0))
		json_array_append_new(list, json_string(bare));
}

json_t *
rebuild_commands(const struct side *side, struct error *error)
{
	static const char *const first[] = {"ninja", "-t", "commands", NULL};
	size_t begun;
	char **words = ninja_words(side, first, &begun), *tool = find_tool(error), *rest, *line;
	json_t *list = NULL;
	struct child child;

	child_run((const char *const *)words, COMMANDS_LIMIT, &child);
	if (child.problem != NULL)
		error_set(error, EXIT_FAILED, "cannot tell what is to be built: %s %s", child.problem,
			  buffer_text(&child.complaint));
	else if (tool != NULL) {
		list = json_array();
		rest = child.out.bytes;
		while (rest != NULL && (line = strsep(&rest, "\n")) != NULL)
			add_command(list, line, tool);
	}
	child_free(&child);
	free(tool);
	free_words(words, begun);
	return list;
}

int
rebuild_build(const struct side *side, const char *log, struct error *error)
{
	static const char *const first[] = {"ninja", "--quiet", NULL};
	size_t begun;
	char **words = ninja_words(side, first, &begun);
	int result = run(log, (const char *const *)words, error);

	if (result != 0 && error->code != EXIT_INTERRUPTED)
		error_prefix(error, "the study's programs cannot be built here; what the bundle left out is in its "
			     "data/left-out.txt. ninja");
	free_words(words, begun);
	return result;
}

#include "tests/unit/graph_fixture.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "graph/paths.h"
#include "graph/shell.h"

const char *
name(const char *format, ...)
{
	static char room[16][512];
	static unsigned at;
	va_list arguments;
	char *text = room[at++ % 16];

	va_start(arguments, format);
	vsnprintf(text, sizeof room[0], format, arguments);
	va_end(arguments);
	return text;
}

const char *
self_path(void)
{
	static char path[PATH_MAX];

	if (path[0] == '\0' && realpath("/proc/self/exe", path) == NULL)
		exit(1);
	return path;
}

/* ---- a study ---- */

char *const spec_names[SPECS] = {(char *)"first", (char *)"second", (char *)"third"};


static struct texts
texts_of(char **room, const char *text)
{
	room[0] = (char *)text;
	return (struct texts){room, 1};
}

static void
make_experiment(struct made *made, const char *called)
{
	size_t at = made->study.experiment_count++, k;
	struct experiment *experiment = &made->experiments[at];

	*experiment = (struct experiment){.name = (char *)called, .title = (char *)"A question",
					  .place = {(char *)"specs/x", 3}};
	for (k = 0; k < 2; k++) {
		snprintf(made->case_ids[at][k], sizeof made->case_ids[at][k], "%s-n=%zu", called, k);
		made->cases[at][k].case_id = made->case_ids[at][k];
		made->cases[at][k].treatments = made->treatments[at][k];
		made->cases[at][k].treatment_count = 2;
	}
	experiment->cases = made->cases[at];
	experiment->case_count = 2;
	made->figures[at] = (struct figure){.name = (char *)"runs", .label = (char *)"runs"};
	experiment->figures = &made->figures[at];
	experiment->figure_count = 1;
	snprintf(made->specs[at], sizeof made->specs[at], "specs/%s", called);
	made->study.lua_files.items[++made->study.lua_files.count - 1] = made->specs[at];
}

void
make_study(struct made *made, bool (*has)(const char *spec))
{
	struct study *study = &made->study;
	size_t i;

	memset(made, 0, sizeof *made);
	study->name = (char *)"study";
	study->lua_files.items = made->texts;
	study->lua_files.count = 1;
	made->texts[0] = (char *)"build.ninja.lua";
	study->read_files = texts_of(&made->texts[4], "specs/");
	made->program = (struct program){.name = (char *)"runner", .path = (char *)"build/runner",
					 .built = true};
	study->programs = &made->program;
	study->program_count = 1;
	made->rule_variables[0][0] =
		(struct setting){(char *)"command", (char *)"cp $in $out"};
	made->rules[0] = (struct graph_rule){.name = (char *)"copy",
					     .variables = {made->rule_variables[0], 1}};
	study->rules = made->rules;
	study->rule_count = 1;
	made->edges[0] = (struct graph_edge){.rule = (char *)"copy",
					     .outputs = texts_of(&made->texts[5], "build/runner"),
					     .inputs = texts_of(&made->texts[6], "runner.c"),
					     .place = {(char *)"build.ninja.lua", 7}};
	study->edges = made->edges;
	study->edge_count = 1;
	made->targets[0] = (struct graph_target){(char *)"runners", (char *)"compile",
						 texts_of(&made->texts[7], "build/runner"), false};
	study->targets = made->targets;
	study->target_count = 1;
	study->experiments = made->experiments;
	for (i = 0; i < SPECS; i++)
		if (has(spec_names[i]))
			make_experiment(made, spec_names[i]);
}

bool
has_spec(const char *spec)
{
	return file_exists(name("specs/%s", spec));
}

char *
write_graph(const struct study *study, const struct graph_options *options,
	    struct error *error)
{
	struct buffer out = BUFFER_EMPTY;

	if (graph_write(study, options, &out, error) != 0) {
		buffer_free(&out);
		return NULL;
	}
	return buffer_detach(&out);
}

/* ---- the generator: this program, run by Ninja ---- */

void
put(const char *path, const char *text)
{
	struct error error = {0};

	if (file_write(path, text, strlen(text), FILE_IF_CHANGED, &error) != 0) {
		error_print(&error);
		exit(1);
	}
}

int
generate(void)
{
	struct graph_options options = {.locker = "./tool", .tool = "./tool"};
	struct buffer help = BUFFER_EMPTY, quoted = BUFFER_EMPTY;
	struct error error = {0};
	struct made made;
	char *text;
	size_t i, k;

	if (file_exists("specs/wrong"))
		return 4;
	make_study(&made, has_spec);
	shell_put_word(&quoted, self_path());
	buffer_puts(&quoted, " --generate");
	options.generator = buffer_text(&quoted);
	text = write_graph(&made.study, &options, &error);
	if (text == NULL)
		return error_print(&error);
	for (i = 0; i < made.study.experiment_count; i++) {
		put(name("build/check/%s.json", made.experiments[i].name), "");
		for (k = 0; k < 2; k++)
			put(name("build/plan/%s.json", made.case_ids[i][k]), "plan\n");
	}
	graph_help(&made.study, &help);
	put("build/help.txt", buffer_text(&help));
	put("build/study.json", name("%zu\n", made.study.experiment_count));
	put("build.ninja", text);
	free(text);
	buffer_free(&help);
	buffer_free(&quoted);
	return 0;
}

int
stand_in(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--generate") == 0)
		return generate();
	return -1;
}

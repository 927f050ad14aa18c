#include "tests/unit/graph_fixture.h"

#include <limits.h>
#include <stdarg.h>
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

/* ---- the tool: this program again, writing what the steps write ---- */

static void
note(const char *format, ...)
{
	FILE *file = fopen("calls", "a");
	va_list arguments;

	if (file == NULL)
		exit(1);
	va_start(arguments, format);
	vfprintf(file, format, arguments);
	va_end(arguments);
	fputc('\n', file);
	fclose(file);
}

/* Writes to a path the contents of some files, one after the other. */
static void
put_joined(const char *to, const char *const *from)
{
	struct buffer text = BUFFER_EMPTY;
	struct error error = {0};

	for (; *from != NULL; from++)
		if (file_read(*from, 0, &text, &error) != 0)
			exit(error_print(&error));
	put(to, buffer_text(&text));
	buffer_free(&text);
}

static void
run_check(const char *experiment)
{
	const char *const from[] = {"build/runner", name("input-%s", experiment), NULL};
	size_t k;

	for (k = 0; k < 2; k++)
		put_joined(name("build/identity/%s-n=%zu", experiment, k), from);
}

static void
run_measure(const char *case_id)
{
	const char *const from[] = {name("build/identity/%s", case_id), NULL};

	put_joined(name("build/session/%s", case_id), from);
	put_joined(name("results/%s", case_id), from);
}

static void
run_analyse(const char *case_id)
{
	const char *const from[] = {name("build/session/%s", case_id), NULL};

	put_joined(name("build/stats/%s.json", case_id), from);
	put_joined(name("build/samples/%s.csv", case_id), from);
}

static void
run_judge(void)
{
	const char *from[SPECS * 2 + 2] = {"build/study.json"};
	size_t i, k, count = 1;

	for (i = 0; i < SPECS; i++)
		for (k = 0; k < 2 && has_spec(spec_names[i]); k++)
			from[count++] =
				name("build/stats/%s-n=%zu.json", spec_names[i], k);
	put_joined("build/stats.json", from);
}

static void
run_plot(const char *experiment, const char *label)
{
	static const char *const kinds[] = {"svg", "pdf", "png", "csv", "gnuplot"};
	const char *const from[] = {"build/stats.json", NULL};
	size_t i;

	for (i = 0; i < 5; i++)
		put_joined(name("build/report/figures/%s-%s.%s", experiment, label,
					 kinds[i]), from);
}

static void
run_report(void)
{
	static const char *const files[] = {"report.html", "report.md", "results.tex",
					    "summary.csv", "summary.txt"};
	const char *from[SPECS + 2] = {"build/stats.json"};
	size_t i, count = 1;

	for (i = 0; i < SPECS; i++)
		if (has_spec(spec_names[i]))
			from[count++] = name("specs/%s", spec_names[i]);
	for (i = 0; i < 5; i++)
		put_joined(name("build/report/%s", files[i]), from);
}

static int
run_gate(void)
{
	if (file_exists("refuted"))
		return 3;
	put("build/report/gate", "");
	return 0;
}

static int
tool(int argc, char **argv)
{
	const char *step = argv[0], *of = argc > 1 ? argv[1] : "";
	int result = 0;

	if (strcmp(step, "lock") == 0) {
		note("lock %s", argv[3]);
		execvp(argv[3], argv + 3);
		return 127;
	}
	note("%s%s%s%s%s", step, *of ? " " : "", of, argc > 2 ? " " : "", argc > 2 ? argv[2] : "");
	if (strcmp(step, "check") == 0)
		run_check(of);
	else if (strcmp(step, "measure") == 0)
		run_measure(of);
	else if (strcmp(step, "analyse") == 0 && argc > 2)
		run_analyse(argv[2]);
	else if (strcmp(step, "analyse") == 0)
		run_judge();
	else if (strcmp(step, "plot") == 0)
		run_plot(of, argv[2]);
	else if (strcmp(step, "report") == 0 && argc > 1)
		result = run_gate();
	else if (strcmp(step, "report") == 0)
		run_report();
	else
		put("build/bundle/study.tar.zst", "");
	return result;
}

int
stand_in(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--generate") == 0)
		return generate();
	if (argc > 2 && strcmp(argv[1], "--tool") == 0)
		return tool(argc - 2, argv + 2);
	return -1;
}

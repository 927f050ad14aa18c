#include "spec/finish.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "spec/api.h"
#include "spec/fail.h"
#include "spec/graph_model.h"
#include "spec/program_model.h"
#include "spec/rooflines.h"

/* A build may use what the report has: a paper does. What is measured may not (graph_is_ours). */
static void
check_needed(lua_State *L, const struct needed_file *needed)
{
	struct fields fields = {L, 0, needed->place, needed->callee, needed->name, "", NULL};

	if (host_of(L)->for_text || graph_makes(L, needed->path) || file_exists(needed->path) ||
	    (strcmp(needed->callee, "build") == 0 && study_reports(&host_of(L)->study, needed->path)))
		return;
	fields_fail(&fields, needed->key, "there is no file \"%.300s\", and no build makes it; paths start at "
		    "the study's root", needed->path);
}

static void
check_programs(lua_State *L)
{
	struct study *study = &host_of(L)->study;
	size_t i;

	for (i = 0; i < study->program_count; i++) {
		struct program *program = &study->programs[i];
		bool made = graph_makes(L, program->path);

		if (program->needs.skipped != NULL) {
			program->built = false;
			continue;
		}
		if (!made && program->built)
			fail_at(L, program->place, "program \"%s\": no build makes its output \"%.300s\"; add "
				"build { outputs = { … }, rule = … }", program->name, program->path);
		if (!made && !host_of(L)->for_text && !program_is_executable(program->path))
			fail_at(L, program->place, "program \"%s\": \"%.300s\" is no executable file; chmod +x "
				"it, or name its interpreter", program->name, program->path);
		program->built = made;
	}
}

static void
check_rules(lua_State *L)
{
	struct host *host = host_of(L);
	struct study *study = &host->study;
	const char **names = arena_alloc(host->arena, study->rule_count, sizeof *names);
	size_t i;

	for (i = 0; i < study->rule_count; i++)
		names[i] = study->rules[i].name;
	for (i = 0; i < study->edge_count; i++) {
		struct fields fields = {L, 0, study->edges[i].place, "build", NULL, "", NULL};
		const char *rule = study->edges[i].rule;

		if (strcmp(rule, "phony") != 0 && graph_find_rule(host, rule) == NULL)
			fields_fail_unknown(&fields, "rule", rule, names, study->rule_count,
					    "no rule is called \"%.100s\"", rule);
	}
}

static void
check_not_over_source(lua_State *L, const struct graph_edge *edge, const struct texts *outputs)
{
	const struct study *study = &host_of(L)->study;
	struct fields fields = {L, 0, edge->place, "build", NULL, "", NULL};
	size_t i;

	for (i = 0; i < outputs->count; i++)
		if (texts_have(&study->lua_files, outputs->items[i]) || texts_have(&study->read_files, outputs->items[i]))
			fields_fail(&fields, "", "the output \"%.300s\" is a file that the study is written in; it "
				    "would be lost", outputs->items[i]);
}

static void
check_outputs(lua_State *L)
{
	const struct study *study = &host_of(L)->study;
	size_t i;

	for (i = 0; i < study->edge_count; i++) {
		check_not_over_source(L, &study->edges[i], &study->edges[i].outputs);
		check_not_over_source(L, &study->edges[i], &study->edges[i].implicit_outputs);
	}
}

static bool
is_target(const struct study *study, const char *name)
{
	size_t i;

	for (i = 0; i < study->target_count; i++)
		if (strcmp(study->targets[i].name, name) == 0)
			return true;
	return false;
}

/* Targets may also need what the tool's own part of the graph makes: those lie in build/. */
static void
check_targets(lua_State *L)
{
	struct study *study = &host_of(L)->study;
	size_t i, k;

	for (i = 0; i < study->target_count; i++) {
		const struct graph_target *target = &study->targets[i];

		if (graph_makes(L, target->name))
			fail_here(L, "target \"%s\": a build makes a file of this name; call the target "
				  "something else", target->name);
		for (k = 0; k < target->needs.count; k++) {
			const char *need = target->needs.items[k];

			if (!host_of(L)->for_text && !is_target(study, need) && !graph_makes(L, need) &&
			    !file_exists(need) &&
			    strncmp(need, "build/", 6) != 0 && strchr(need, '/') != NULL)
				fail_here(L, "target \"%s\": there is no file or target \"%.300s\", and no build "
					  "makes it", target->name, need);
		}
	}
}

struct figure_file {
	char *name;
	struct place place;
};

static int
by_file_name(const void *a, const void *b)
{
	return strcmp(((const struct figure_file *)a)->name, ((const struct figure_file *)b)->name);
}

/* A figure's file is called <experiment>-<label>. */
static void
check_figure_files(lua_State *L)
{
	struct host *host = host_of(L);
	struct study *study = &host->study;
	struct figure_file *files;
	size_t count = 0, i, k;

	for (i = 0; i < study->experiment_count; i++)
		count += study->experiments[i].figure_count;
	files = arena_alloc(host->arena, count, sizeof *files);
	for (count = 0, i = 0; i < study->experiment_count; i++)
		for (k = 0; k < study->experiments[i].figure_count; k++, count++) {
			const struct figure *figure = &study->experiments[i].figures[k];

			files[count].name = arena_printf(host->arena, "%s-%s", study->experiments[i].name,
							 figure->label);
			files[count].place = figure->place;
		}
	if (count > 0)
		qsort(files, count, sizeof *files, by_file_name);
	for (i = 1; i < count; i++)
		if (strcmp(files[i].name, files[i - 1].name) == 0)
			fail_at(L, files[i].place, "this figure and that at %s:%d would both be the file %s; give "
				"one another label", files[i - 1].place.file, files[i - 1].place.line,
				files[i].name);
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
finish_study(lua_State *L)
{
	struct host *host = host_of(L);
	struct study *study = &host->study;
	size_t i;

	if (!host->said_study)
		fail_at(L, (struct place){host->entry, 1}, "study{ name = \"…\" } is missing");
	if (study->experiment_count == 0)
		fail_at(L, (struct place){host->entry, 1}, "the study has no experiment; write experiment "
			"\"name\" { … }, or name spec files with experiments \"experiments/*\"");
	for (i = 0; i < host->needed_count; i++)
		check_needed(L, &host->needed[i]);
	check_programs(L);
	check_rules(L);
	check_outputs(L);
	check_targets(L);
	check_figure_files(L);
	rooflines_resolve(L);
	if (study->read_files.count > 0)
		qsort(study->read_files.items, study->read_files.count, sizeof(char *), by_bytes);
}

#ifndef TEST_GRAPH_FIXTURE_H
#define TEST_GRAPH_FIXTURE_H

#include <stdbool.h>

#include "graph/graph.h"
#include "spec/study.h"

/*
 * For test_graph.c: a study made by hand, and a program that stands in for the generator when
 * Ninja runs the graph of that study. stand_in_tool.sh stands in for the tool.
 */

#define SPECS 3
extern char *const spec_names[SPECS];

/* All that the study points at, so that it can be made on the stack. */
struct made {
	struct study study;
	struct program program;
	struct experiment experiments[SPECS];
	struct study_case cases[SPECS][2];
	struct treatment treatments[SPECS][2][2];
	struct figure figures[SPECS];
	struct graph_rule rules[2];
	struct setting rule_variables[2][2];
	struct graph_edge edges[2];
	struct graph_target targets[1];
	char case_ids[SPECS][2][32];
	char specs[SPECS][32];
	char *texts[12];
};

/* A runner copied from runner.c, and one experiment of two cases for each of the names that
 * `has` tells. */
void make_study(struct made *made, bool (*has)(const char *spec));
/* Is there a file specs/NAME? */
bool has_spec(const char *spec);
/* The text of build.ninja, or NULL with *error. */
char *write_graph(const struct study *study, const struct graph_options *options,
		  struct error *error);

/* This program's own path. */
const char *self_path(void);
/* Answers "--generate", which Ninja calls this program with; -1 for all else. */
int stand_in(int argc, char **argv);
/* Writes the graph of a study with an experiment for each file specs/NAME, and what else
 * `assay generate` writes. 4 when there is a file specs/wrong. */
int generate(void);

/* Writes a file when it changed; failing to ends the program. */
void put(const char *path, const char *text);
/* A text that lasts until the sixteenth call after. */
const char *name(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

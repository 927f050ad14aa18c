#ifndef ASSAY_GRAPH_H
#define ASSAY_GRAPH_H

#include "base/buffer.h"
#include "base/error.h"
#include "spec/study.h"

/*
 * The study as a Ninja graph: the text of build.ninja. A pure function of its arguments; the
 * edges are those of docs/formats.md, DESIGN 4.2 says why they are so.
 */

/*
 * Where a form of an experiment, which is left out of the report, has its own: with the same names
 * below that build/ has, study.json, stats.json, report/. Plans, sessions and statistics of its
 * cases lie beside those of the others.
 */
#define FORM_FOLDER "build/form/%s"

struct graph_options {
	const char *generator;   /* the shell command that writes build.ninja again */
	const char *locker;      /* the program whose `lock` wraps the study's own commands: never a
	                            product of the graph, which cannot wrap the making of itself */
	const char *tool;        /* the program that runs the steps; may be a product of the graph */
	struct texts inputs;     /* what the generator reads besides the specs: its own sources */
	struct texts templates;  /* figures/…gnuplot */
};

/* Appends the text of build.ninja. -1 with *error for what cannot be a graph. */
int graph_write(const struct study *study, const struct graph_options *options,
		struct buffer *out, struct error *error);

/* Appends what `ninja help` prints: the targets with what they are about. */
void graph_help(const struct study *study, struct buffer *out);

#endif

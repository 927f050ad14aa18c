#ifndef ASSAY_STEPS_H
#define ASSAY_STEPS_H

#include "graph/graph.h"
#include "graph/ninja.h"

/*
 * The edges that are our own commands: check, measure, analyse, judge, plot, report, gate,
 * bundle. Put after the study's own statements, so that it is known which files the graph makes.
 */
int steps_put(struct ninja *ninja, const struct study *study, const struct graph_options *options,
	      struct error *error);

/* The names one asks for them by: report, bundle, experiments, forms, cases. Put when all files are
 * known, so that a name that is a file's is refused. */
int steps_put_names(struct ninja *ninja, const struct study *study, struct error *error);

#endif

#ifndef ASSAY_CLI_FORM_H
#define ASSAY_CLI_FORM_H

/*
 * The folder that holds study.json, stats.json and report/: "build", or with the name of a form of
 * an experiment its own (graph/graph.h). The caller frees.
 */
char *form_base(const char *form);

#endif

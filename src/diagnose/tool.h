#ifndef ASSAY_DIAGNOSE_TOOL_H
#define ASSAY_DIAGNOSE_TOOL_H

#include <stdbool.h>

#include "diagnose/reading.h"

/*
 * A tool that a program can be run under. In its words "{}" stands for the folder of the run, where
 * it leaves its files; stdout and stderr of the run lie there, too.
 */
struct tool {
	const char *name;      /* as a spec asks for it */
	const char *program;   /* looked for in PATH */
	const char *version;   /* the argument that makes it tell its version */
	const char *words[12]; /* before the program that is diagnosed; NULL at the end */
	const char *after[12]; /* what the tool is asked when the run is over, its stdout goes to
				  after.txt; none: not asked */
	bool slows;            /* by so much that one sample must do */
	const char *look_at;   /* a file of the kernel whose content or absence decides whether it works */
	diagnose_reader *read;
};

/* NULL: no such tool. */
const struct tool *tool_find(const char *name);
/* Absolute path of a program in PATH; NULL when it is not there. The caller frees. */
char *tool_program(const char *name);

#endif

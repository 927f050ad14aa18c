#ifndef ASSAY_RUNNER_H
#define ASSAY_RUNNER_H

#include "spec/fields.h"

/* What `runner` says, and how it is built: one object a source, one link. */
struct runner {
	const char *name;
	struct texts sources; /* .c and C++ are compiled, .o and .a are linked as they are */
	const struct toolchain *toolchain;
	struct texts cflags, cxxflags, ldflags, libs; /* after the toolchain's */
	bool harness;
	struct requirement needs;
	char *declared; /* all of it as one text */
};

const struct toolchain *runner_default_toolchain(struct host *host);
/* Adds rules, edges and the program; the program's index. */
size_t runner_lower(const struct fields *fields, const struct runner *runner);

#endif

#ifndef ASSAY_WATCH_H
#define ASSAY_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buffer.h"

/*
 * Notes the files a program has mapped at its end: a tracer stops it once, on its way out, when
 * all it loaded (dlopen too) is still there. Exact however short it runs; for untimed groups.
 */
struct watch {
	struct buffer *files; /* paths of regular files, one a line, sorted, each once */
	bool begun;           /* starts false */
};

/* In the child, before exec. False where the kernel forbids tracing: run untraced. */
bool watch_ask(void);
/* In the parent, after each stop of the child that waitpid tells: lets it go on. */
void watch_step(struct watch *watch, pid_t pid, int status);

#endif

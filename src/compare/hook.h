#ifndef ASSAY_COMPARE_HOOK_H
#define ASSAY_COMPARE_HOOK_H

#include "base/error.h"
#include "spec/study.h"

/*
 * --setup and --cleanup: one untimed command in `folder`, with our own environment and under the
 * shared lock, so that it spoils nobody's measurement. No words: nothing to do. -1 with the end of
 * what it wrote on stderr when it fails; EXIT_INTERRUPTED when *interrupted becomes true, with all
 * its processes ended.
 */
int hook_run(const char *option, const struct texts *words, const char *folder,
	     const volatile int *interrupted, struct error *error);

#endif

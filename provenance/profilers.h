#ifndef ASSAY_PROFILERS_H
#define ASSAY_PROFILERS_H

#include <jansson.h>

/*
 * Profilers, tracers and debuggers that run on the machine now, each by its name once, and whoever
 * traces this process (and so all that it starts) as "NAME traces the session". Read from
 * /proc (below $ASSAY_SYSROOT). A new array of texts; of processes of other users only the name is asked.
 */
json_t *profilers_fact(void);

#endif

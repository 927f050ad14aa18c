#ifndef ASSAY_PATHS_H
#define ASSAY_PATHS_H

#include <stdbool.h>

#include "spec/study.h"

/* Lists of paths that are built up: struct texts that own their items. Start as {0}. */

void paths_add(struct texts *paths, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool paths_have(const struct texts *paths, const char *path);
void paths_free(struct texts *paths);

#endif

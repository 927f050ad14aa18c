#ifndef ASSAY_PLACEHOLDER_H
#define ASSAY_PLACEHOLDER_H

#include <stdbool.h>

#include "base/buffer.h"
#include "spec/study.h"

/*
 * Appends `template` with each {name} replaced by the point's text, {{ and }} by one brace.
 * False with the reason in *problem: an unknown name (and the valid ones), a lone brace.
 */
bool placeholder_fill(const char *template, const struct point *point, struct buffer *out,
		      struct buffer *problem);

#endif

#ifndef ASSAY_WARNING_H
#define ASSAY_WARNING_H

#include <jansson.h>

/* Adds a warning, layout "warnings" in docs/formats.md; severity is held to 0 to 1. */
void warning_add(json_t *warnings, const char *code, double severity, double value,
		 const char *advice, const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif

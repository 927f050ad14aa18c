/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "assay_harness.h"

int
assay_fail(struct assay_error *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->message, sizeof error->message, format, args);
	va_end(args);
	return -1;
}

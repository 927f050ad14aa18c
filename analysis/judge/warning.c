#include "analysis/judge/warning.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"

void
warning_add(json_t *warnings, const char *code, double severity, double value, const char *advice,
	    const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		abort();
	va_end(arguments);
	json_array_append_new(warnings, json_pack("{s:s, s:s, s:s, s:f, s:o}", "code", code, "text", text,
						  "advice", advice, "severity",
						  fmin(1, fmax(0, severity)), "value",
						  json_number_or_null(value)));
	free(text);
}

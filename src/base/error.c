#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void
fill(struct error *error, enum exit_code code, const char *file, int line,
     const char *format, va_list arguments)
{
	error->code = code;
	error->line = line;
	snprintf(error->file, sizeof error->file, "%s", file);
	vsnprintf(error->message, sizeof error->message, format, arguments);
}

int
error_set(struct error *error, enum exit_code code, const char *format, ...)
{
	va_list arguments;

	if (error == NULL)
		return -1;
	va_start(arguments, format);
	fill(error, code, "", 0, format, arguments);
	va_end(arguments);
	return -1;
}

int
error_set_at(struct error *error, enum exit_code code, const char *file, int line,
	     const char *format, ...)
{
	va_list arguments;

	if (error == NULL)
		return -1;
	va_start(arguments, format);
	fill(error, code, file, line, format, arguments);
	va_end(arguments);
	return -1;
}

int
error_set_errno(struct error *error, const char *format, ...)
{
	int saved = errno;
	va_list arguments;
	size_t used;

	if (error == NULL)
		return -1;
	va_start(arguments, format);
	fill(error, EXIT_FAILED, "", 0, format, arguments);
	va_end(arguments);
	used = strlen(error->message);
	snprintf(error->message + used, sizeof error->message - used, ": %s", strerror(saved));
	return -1;
}

void
error_prefix(struct error *error, const char *format, ...)
{
	char old[sizeof error->message];
	va_list arguments;
	size_t used;

	if (error == NULL)
		return;
	memcpy(old, error->message, sizeof old);
	va_start(arguments, format);
	vsnprintf(error->message, sizeof error->message, format, arguments);
	va_end(arguments);
	used = strlen(error->message);
	snprintf(error->message + used, sizeof error->message - used, ": %s", old);
}

int
error_print(const struct error *error)
{
	if (error->file[0] != '\0' && error->line > 0)
		fprintf(stderr, "assay: %s:%d: %s\n", error->file, error->line, error->message);
	else if (error->file[0] != '\0')
		fprintf(stderr, "assay: %s: %s\n", error->file, error->message);
	else
		fprintf(stderr, "assay: %s\n", error->message);
	return error->code == EXIT_DONE ? EXIT_FAILED : (int)error->code;
}

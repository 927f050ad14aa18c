/* Studies made by hand: commands, and files written and read, that must succeed. After cmocka.h. */
#ifndef HAND_MADE_H
#define HAND_MADE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"

static inline void __attribute__((format(printf, 1, 2)))
shell(const char *format, ...)
{
	va_list arguments;
	char command[8192];

	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	if (system(command) != 0)
		fail_msg("this failed: %s", command);
}

static inline void
put(const char *path, const char *text)
{
	struct error error = {0};

	if (file_write(path, text, strlen(text), 0, &error) != 0)
		fail_msg("%s", error.message);
}

static inline char *
read_all(const char *path)
{
	struct buffer bytes = BUFFER_EMPTY;
	struct error error = {0};

	if (file_read(path, 0, &bytes, &error) != 0)
		fail_msg("%s", error.message);
	return buffer_detach(&bytes);
}

#endif

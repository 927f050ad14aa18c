#include "tests/unit/identity_folder.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

int
enter_folder(void **state)
{
	static char folder[64];

	strcpy(folder, "/tmp/assay-identity-XXXXXX");
	*state = folder;
	return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

int
leave_folder(void **state)
{
	return chdir("/") != 0 || file_remove_tree(*state, NULL) != 0;
}

void
put_file(const char *path, const char *text)
{
	assert_int_equal(file_write(path, text, strlen(text), 0, NULL), 0);
}

void
put_executable(const char *path, const char *text)
{
	assert_int_equal(file_write(path, text, strlen(text), FILE_EXECUTABLE, NULL), 0);
}

void
run(const char *format, ...)
{
	char command[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

void
compile(const char *output, const char *source, const char *flags)
{
	put_file("x.c", source);
	run("gcc -O1 -fdebug-prefix-map=\"$PWD\"=. x.c %s -o %s", flags, output);
}

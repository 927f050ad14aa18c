/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All unit tests as one program (unit.h). build/tests/test_x is a further name of it, a hard link, so that
 * /proc/self/exe, by which some tests start themselves, says which one it is. The doctor measures copies of
 * the running program, whose names are its own: they are known by their first argument.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef int unit(int, char **);

static unit *
find(const char *name)
{
	char symbol[PATH_MAX + 8];
	void *found;
	unit *result;

	snprintf(symbol, sizeof symbol, "main_of_%s", name);
	found = dlsym(RTLD_DEFAULT, symbol);
	memcpy(&result, &found, sizeof result);
	return result;
}

int
main(int argc, char **argv)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	const char *name;
	unit *asked;

	path[length > 0 ? length : 0] = '\0';
	name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
	asked = find(name);
	if (asked == NULL && argc > 1 && strcmp(argv[1], "doctor") == 0)
		asked = find("test_doctor");
	if (asked == NULL) {
		fprintf(stderr, "units: no test '%s' in this program; start it as build/tests/test_x\n", name);
		return 2;
	}
	return asked(argc, argv);
}

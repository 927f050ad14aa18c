/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All unit tests as one program (unit.h). build/tests/test_x is a further name of it, a hard link, so that
 * /proc/self/exe, by which some tests start themselves, says which one it is.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	char path[PATH_MAX], symbol[PATH_MAX + 8];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	const char *name;
	int (*unit)(int, char **);
	void *found;

	path[length > 0 ? length : 0] = '\0';
	name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
	snprintf(symbol, sizeof symbol, "main_of_%s", name);
	found = dlsym(RTLD_DEFAULT, symbol);
	if (found == NULL) {
		fprintf(stderr, "units: no test '%s' in this program; start it as build/tests/test_x\n", name);
		return 2;
	}
	memcpy(&unit, &found, sizeof unit);
	return unit(argc, argv);
}

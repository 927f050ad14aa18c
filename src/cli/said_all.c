#include "cli/said_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

int
said_all(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	fprintf(stderr, "assay: cannot write the output: %s\n", strerror(errno));
	return code != EXIT_DONE ? code : EXIT_FAILED;
}

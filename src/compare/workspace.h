#ifndef ASSAY_COMPARE_WORKSPACE_H
#define ASSAY_COMPARE_WORKSPACE_H

#include <stdbool.h>

#include "base/error.h"

/* The folder that a command works in: a temporary one, or the one to keep. */
struct workspace {
	char *origin;  /* the folder that we came from */
	char *folder;  /* absolute; NULL: none was made */
	bool kept;
};

/* Makes the folder (`keep` NULL: a temporary one for `purpose`; else it must be empty or not be
 * there) and goes there. Call workspace_close also after -1. */
int workspace_open(const char *purpose, const char *keep, struct workspace *workspace,
		   struct error *error);
/* Goes back, and removes a temporary folder. */
void workspace_close(struct workspace *workspace);

#endif

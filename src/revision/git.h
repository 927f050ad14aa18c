#ifndef ASSAY_REVISION_GIT_H
#define ASSAY_REVISION_GIT_H

#include "base/buffer.h"
#include "base/error.h"

/*
 * Questions to git that it answers at once, of the repository around `folder`. Nothing in the
 * repository is written: no optional lock is taken, no hook and no monitor of files started.
 * `words` ends with NULL.
 */

/* Appends what it printed; -1 with *error, whose message is git's own first complaint. */
int git_ask(const char *folder, const char *const *words, struct buffer *out,
	    struct error *error);
/* The same without the last line's end; the caller frees, NULL with *error. */
char *git_ask_line(const char *folder, const char *const *words, struct error *error);

/* Of a list that is ended by NULs: the next text, NULL at the end. Start with *at = 0. */
const char *git_next(const struct buffer *list, size_t *at);

/* Settings that each git command of ours is given, ended by NULL. */
extern const char *const git_settings[];

#endif

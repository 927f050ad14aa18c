#ifndef ASSAY_PAST_H
#define ASSAY_PAST_H

#include "base/error.h"
#include "cli/stored_case.h"
#include "identity/recorded.h"

/*
 * The identities of a case: those that the store has results under, and the current one, which
 * `assay check` wrote for the present plan and which may have no results yet.
 */
struct past {
	char *case_id;
	struct recorded *list; /* newest first */
	size_t count;
	struct identity current; /* text NULL: the case is in no present plan, or was not looked at */
	json_t *left_out;        /* paths of folders of the store whose identity.txt is damaged or lost */
};

/*
 * `asked` is a case of the study (cli/case_name.h) or, when it is none any more, the name of its
 * folder in results/. *past is always past_free-able.
 */
int past_read(const char *asked, struct past *past, struct error *error);
void past_free(struct past *past);

/* "current", or the beginning of an identity's hex that no other one of the case has. Borrowed;
 * NULL with *error, which lists those there are. */
const struct identity *past_find(const struct past *past, const char *asked, struct error *error);
bool past_is_current(const struct past *past, const struct identity *identity);
/* "" when there are no results under it. Borrowed. */
const char *past_measured_at(const struct past *past, const struct identity *identity);

/*
 * The results under an identity, the current one's by the present plan (cli/stored_case.h). NULL, or
 * why they cannot be analysed, which the caller frees; then the sessions may be there all the same.
 * *one is always stored_case_free-able.
 */
char *past_results(const struct past *past, const struct identity *identity, struct stored_case *one);

#endif

#include "cli/declared_stop.h"

#include <stdlib.h>

#include "analysis/judge/stop.h"
#include "base/memory.h"
#include "cli/stored_case.h"
#include "schedule/growth.h"

static int
note_look(const struct stored_case *one, struct error *error)
{
	char *rule = growth_rule(&one->plan.design);
	int pairs = case_complete_pairs(&one->observations);
	int result = store_add_look(&one->store, pairs, rule, error);

	free(rule);
	return result;
}

/* The logs on disk are what counts, so they are read again: a look is rare. */
static int
has_enough(void *context, const struct plan *plan, int pairs, char **why, struct error *error)
{
	struct stored_case one;
	struct stop_answer answer;
	int result;

	(void)context;
	if (!stop_is_look(plan, pairs))
		return 0;
	result = stored_case_read(plan->case_id, NULL, &one, error);
	if (result == 0) {
		stop_decide(&one.plan, &one.observations, &answer);
		if (answer.looked)
			result = note_look(&one, error);
	}
	if (result == 0 && answer.enough) {
		*why = memory_copy_text(answer.reason);
		result = 1;
	}
	stored_case_free(&one);
	return result;
}

const struct stop_rule declared_stop = {has_enough, NULL};

#include "store/whole.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "identity/recorded.h"
#include "store/store.h"

static bool
starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a >= b && strcmp(text + a - b, end) == 0;
}

/* A line of identity_diff that skipped treatments alone can have led to: their number, their own
 * lines, and inputs that nobody else has. */
static bool
concerns_skipped(const struct plan *plan, const char *line)
{
	size_t i;

	if (starts_with(line, "treatments: "))
		return true;
	if (starts_with(line, "input "))
		return ends_with(line, " -> none");
	for (i = 0; i < plan->treatment_count; i++) {
		char mark[48];

		snprintf(mark, sizeof mark, "treatment %zu ", i);
		if (plan->treatments[i].skipped != NULL && starts_with(line, mark))
			return true;
	}
	return false;
}

static bool
holds_more(const struct plan *plan, const struct identity *stored, const struct identity *present)
{
	struct buffer changes = BUFFER_EMPTY;
	char *rest, *line;
	bool result = true;

	identity_diff(stored->text, present->text, &changes);
	for (rest = changes.bytes; rest != NULL && (line = strsep(&rest, "\n")) != NULL;)
		if (line[0] != '\0' && !concerns_skipped(plan, line))
			result = false;
	buffer_free(&changes);
	return result;
}

/* Settles the plan by the identity. */
static int
is_complete(struct plan *plan, const struct identity *identity, bool *complete, struct error *error)
{
	identity_settle(identity, plan);
	return store_complete(plan->case_id, identity->hex, plan, complete, error);
}

static int
choose_among(struct plan *plan, struct identity *identity, const struct recorded *list, size_t count,
	     struct error *error)
{
	bool complete = false;
	size_t i;

	if (is_complete(plan, identity, &complete, error) != 0)
		return -1;
	for (i = 0; !complete && i < count; i++) {
		if (!holds_more(plan, &list[i].identity, identity))
			continue;
		if (is_complete(plan, &list[i].identity, &complete, error) != 0)
			return -1;
		if (complete) {
			identity_free(identity);
			identity_from_text(list[i].identity.text, identity);
			identity->whole = true;
		}
	}
	identity_settle(identity, plan);
	return 0;
}

int
whole_choose(struct plan *plan, struct identity *identity, struct error *error)
{
	struct recorded *list;
	size_t count;
	int result;

	if (plan_measured(plan, NULL) == plan->treatment_count)
		return 0;
	list = recorded_list(plan->case_id, &count);
	result = choose_among(plan, identity, list, count, error);
	recorded_free(list, count);
	return result;
}

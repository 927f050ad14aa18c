#include "session/ending.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "schedule/growth.h"
#include "store/store.h"

char *
ending_why_invalid(const struct plan *plan, const struct identity *began, const struct regime *regime)
{
	struct buffer changes = BUFFER_EMPTY;
	struct identity now = {0};
	struct error error = {0};
	char *reason = NULL;

	if (identity_verify(plan, &now, &error) != 0) {
		reason = memory_format("a program or input could not be verified at the session's end: %s",
				       error.message);
	} else if (strcmp(now.hex, began->hex) != 0) {
		identity_diff(began->text, now.text, &changes);
		reason = memory_format("changed while it was measured: %s (what a program writes itself must be no "
				       "input of it: it would be measured again for ever)", buffer_text(&changes));
	} else if (regime_changed(regime, &changes)) {
		reason = memory_format("the machine's state changed while it was measured: %s",
				       buffer_text(&changes));
	}
	identity_free(&now);
	buffer_free(&changes);
	return reason;
}

int
ending_write(const struct ending *ending, struct error *error)
{
	char now[CLOCK_TEXT], *rule = growth_rule(&ending->plan->design);
	json_t *end;
	int result;

	clock_text(clock_realtime_ns(), now);
	end = json_pack("{s:s, s:b, s:s, s:b, s:s, s:o, s:s, s:i}", "ended", now, "finished", 1, "how",
			ending->how, "invalid", ending->invalid != NULL, "reason",
			ending->invalid != NULL ? ending->invalid : "", "libraries",
			regime_libraries(ending->regime), "rule", rule, "last_block", ending->last_block);
	free(rule);
	if (end == NULL)
		return error_set(error, EXIT_FAILED, "cannot write down in %s how the session ended",
				 ending->folder);
	result = store_end_session(ending->folder, end, error);
	json_decref(end);
	return result;
}

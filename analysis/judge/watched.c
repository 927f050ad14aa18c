#include "analysis/judge/watched.h"

#include <string.h>

#include "analysis/judge/warning.h"
#include "base/buffer.h"
#include "base/json.h"

static void
warn_profilers(const json_t *sessions, json_t *warnings)
{
	const json_t *session, *name;
	size_t s, p;

	json_array_foreach((json_t *)sessions, s, session) {
		struct buffer names = BUFFER_EMPTY;

		json_array_foreach(json_object_get(session, "profilers"), p, name)
			buffer_printf(&names, "%s%s", p > 0 ? ", " : "", json_string_value(name));
		if (names.length > 0 && !json_is_true(json_object_get(session, "invalid")))
			warning_add(warnings, "profiler", 0.8, (double)json_array_size(json_object_get(session, "profilers")),
				    "end it and measure again; what it tells belongs into `diagnose`",
				    "while session %lld measured, a profiler or debugger was on: %s",
				    json_get_integer(session, "session", 0), buffer_text(&names));
		buffer_free(&names);
	}
}

static void
warn_traced(const struct observations *all, json_t *warnings)
{
	size_t i, groups = 0, traced = 0;
	const char *reason = "";

	for (i = 0; i < all->count; i++) {
		const struct observation *one = &all->items[i];

		if (!one->used || !one->ok || !observation_starts_group(all, i))
			continue;
		groups++;
		if (strstr(one->reason, "traced by ") != NULL) {
			traced++;
			reason = strstr(one->reason, "traced by ");
		}
	}
	if (traced > 0)
		warning_add(warnings, "traced", 0.95, (double)traced, "end the tracer and measure again",
			    "%zu of %zu groups were %s while they were timed", traced, groups, reason);
}

void
watched_warn(const struct case_input *input, json_t *warnings)
{
	warn_profilers(input->sessions, warnings);
	warn_traced(input->observations, warnings);
}

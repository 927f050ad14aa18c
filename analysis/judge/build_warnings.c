#include "analysis/judge/build_warnings.h"

#include <string.h>

#include "analysis/judge/warning.h"
#include "base/buffer.h"
#include "base/json.h"

/* The builds that count: of the last session that is not invalid. */
static const json_t *
last_valid(const json_t *sessions)
{
	const json_t *session, *last = NULL;
	size_t i;

	json_array_foreach((json_t *)sessions, i, session)
		if (!json_is_true(json_object_get(session, "invalid")))
			last = session;
	return last;
}

static bool
is_debug(const char *kind)
{
	return strcmp(kind, "-O0") == 0;
}

/* "a (AddressSanitizer), b (gprof)" of those that are built so; returns how many treatments. */
static size_t
list_builds(const json_t *builds, bool debug, struct buffer *names)
{
	const json_t *one, *kind;
	size_t b, k, count = 0;

	json_array_foreach((json_t *)builds, b, one) {
		const char *before = "";
		bool any = false;

		json_array_foreach(json_object_get(one, "kinds"), k, kind) {
			if (is_debug(json_string_value(kind)) != debug)
				continue;
			if (!any)
				buffer_printf(names, "%s%s (", count > 0 ? ", " : "", json_get_text(one, "name"));
			buffer_printf(names, "%s%s", before, json_string_value(kind));
			before = ", ";
			any = true;
		}
		if (any)
			buffer_puts(names, ")");
		count += any;
	}
	return count;
}

/* Worst where only some are: then the comparison is of two builds. */
static void
warn_builds(const json_t *builds, size_t treatments, json_t *warnings)
{
	struct buffer names = BUFFER_EMPTY;
	size_t count = list_builds(builds, true, &names);

	if (count > 0)
		warning_add(warnings, "debug_build", count < treatments ? 0.9 : 0.6, (double)count,
			    "build all of them with the optimisation that users get",
			    "compiled without optimisation: %s%s", buffer_text(&names),
			    count < treatments ? ", and the others are not" : "");
	buffer_clear(&names);
	count = list_builds(builds, false, &names);
	if (count > 0)
		warning_add(warnings, "instrumented_build", count < treatments ? 0.95 : 0.7, (double)count,
			    "time an ordinary build; sanitizers, gprof and coverage are for runs of their own",
			    "built with instrumentation that takes time itself: %s%s", buffer_text(&names),
			    count < treatments ? ", and the others are not" : "");
	buffer_free(&names);
}

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
build_warnings(const json_t *sessions, const struct observations *observations, size_t treatments,
	       json_t *warnings)
{
	warn_builds(json_object_get(last_valid(sessions), "builds"), treatments, warnings);
	warn_profilers(sessions, warnings);
	warn_traced(observations, warnings);
}

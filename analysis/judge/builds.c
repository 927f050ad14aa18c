#include "analysis/judge/builds.h"

#include <stdbool.h>
#include <string.h>

#include "analysis/judge/warning.h"
#include "base/buffer.h"
#include "base/json.h"

static const json_t *
list_of(const struct case_input *input, size_t treatment, const char *key)
{
	return json_object_get(json_array_get(input->builds, treatment), key);
}

/* "a, b and c" */
static void
put_joined(struct buffer *out, const json_t *list)
{
	size_t count = json_array_size(list), i;

	for (i = 0; i < count; i++)
		buffer_printf(out, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ",
			      json_string_value(json_array_get(list, i)));
}

static void
warn_instrumented(const struct case_input *input, json_t *warnings)
{
	struct buffer text = BUFFER_EMPTY;
	size_t t, count = 0;

	for (t = 0; t < input->plan->treatment_count; t++) {
		const json_t *kinds = list_of(input, t, "instrumented");

		if (json_array_size(kinds) == 0)
			continue;
		buffer_printf(&text, "%s%s is built with ", count++ > 0 ? ", " : "", input->plan->treatments[t].name);
		put_joined(&text, kinds);
	}
	if (count > 0)
		warning_add(warnings, "instrumented_build", 0.9, (double)count,
		    "time a build without it; what it adds grows with the number of calls and accesses, not with the time, so "
		    "that it cannot be subtracted",
		    "%s: what that adds is in the time", buffer_text(&text));
	buffer_free(&text);
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool
is_profiler(const char *path)
{
	static const char *const known[] = {"strace", "ltrace", "perf",	 "gdb",	 "lldb", "valgrind", "rr",
					    "nsys",   "ncu",	"vtune", "uftrace", "heaptrack", "bpftrace"};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(base_name(path), known[i]) == 0)
			return true;
	return false;
}

static void
warn_profiler(const struct case_input *input, json_t *warnings)
{
	struct buffer text = BUFFER_EMPTY;
	size_t t, count = 0;

	for (t = 0; t < input->plan->treatment_count; t++) {
		const struct plan_treatment *one = &input->plan->treatments[t];

		if (one->skipped == NULL && one->program.path != NULL && is_profiler(one->program.path))
			buffer_printf(&text, "%s%s by %s", count++ > 0 ? ", " : "", one->name,
				      base_name(one->program.path));
	}
	if (count > 0)
		warning_add(warnings, "started_by_profiler", 0.9, (double)count,
		    "time the program alone; run the profiler apart from any timing, for where the time goes and not for how "
		    "much it is",
		    "started under a profiler or tracer: %s; its cost is in the time", buffer_text(&text));
	buffer_free(&text);
}

static bool
is_unoptimised(const json_t *levels)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)levels, i, one)
		if (strcmp(json_string_value(one), "-O0") == 0)
			return true;
	return false;
}

static void
warn_unoptimised(const struct case_input *input, json_t *warnings)
{
	struct buffer without = BUFFER_EMPTY, with = BUFFER_EMPTY;
	size_t t, count = 0, others = 0;

	for (t = 0; t < input->plan->treatment_count; t++) {
		const json_t *levels = list_of(input, t, "optimise");
		const char *name = input->plan->treatments[t].name;
		bool plain = is_unoptimised(levels);

		if (plain)
			buffer_printf(&without, "%s%s", count++ > 0 ? ", " : "", name);
		if (plain || json_array_size(levels) == 0)
			continue;
		buffer_printf(&with, "%s%s with ", others++ > 0 ? ", " : "", name);
		put_joined(&with, levels);
	}
	if (count > 0)
		warning_add(warnings, "unoptimised_build", others > 0 ? 0.85 : 0.6, (double)count,
		    "compare builds of one kind, as they will be used (cflags = { \"-O2\" })",
		    "compiled without optimisation (-O0): %s%s%s", buffer_text(&without),
		    others > 0 ? "; " : "", buffer_text(&with));
	buffer_free(&without);
	buffer_free(&with);
}

/* Treatments of one program share its sources: each place is told once. */
static void
warn_volatile(const struct case_input *input, json_t *warnings)
{
	json_t *places = json_array(), *one, *other;
	const char *name;
	size_t t, i, k;

	for (t = 0; t < input->plan->treatment_count; t++)
		json_array_foreach(list_of(input, t, "volatile_loops"), i, one) {
			for (k = 0; (other = json_array_get(places, k)) != NULL && !json_equal(one, other); k++)
				;
			if (other == NULL)
				json_array_append(places, one);
		}
	one = json_array_get(places, 0);
	name = json_get_text(one, "name");
	if (one != NULL)
		warning_add(warnings, "volatile_loop", 0.45, (double)json_array_size(places),
		    "keep the result once, behind the loop (assay_keep, or one write to a volatile); inside it each access is "
		    "made one by one, which no program does that is not being timed",
		    "a loop of %s goes through volatile%s%s (%s:%lld%s)", json_get_text(one, "function"),
		    name[0] != '\0' ? " " : "", name, json_get_text(one, "file"),
		    json_get_integer(one, "line", 0), json_array_size(places) > 1 ? ", and there are more such" : "");
	json_decref(places);
}

void
builds_warn(const struct case_input *input, json_t *warnings)
{
	warn_instrumented(input, warnings);
	warn_unoptimised(input, warnings);
	warn_profiler(input, warnings);
	warn_volatile(input, warnings);
}

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/power.h"
#include "base/json.h"
#include "base/memory.h"
#include "diagnose/reading.h"
#include "diagnose/result.h"

/* What perf prints. */

/* ---- perf stat ---- */

static const char *const events[][2] = {
	{"task-clock", "task_clock_ms"}, {"context-switches", "context_switches"},
	{"cpu-migrations", "migrations"}, {"page-faults", "page_faults"}, {"cycles", "cycles"},
	{"instructions", "instructions"}, {"branches", "branches"}, {"branch-misses", "branch_misses"},
	{"cache-references", "cache_references"}, {"cache-misses", "cache_misses"},
};

/* "cycles:u" and "cpu_core/cycles/" are cycles. */
static const char *
event_name(const char *said)
{
	const char *slash = strchr(said, '/'), *begin = slash != NULL ? slash + 1 : said;
	size_t length = strcspn(begin, ":/"), i;

	for (i = 0; i < sizeof events / sizeof *events; i++)
		if (strlen(events[i][0]) == length && strncmp(begin, events[i][0], length) == 0)
			return events[i][1];
	return NULL;
}

/* Two kinds of cores count apart. */
static void
add_event(json_t *result, const json_t *line, struct buffer *missing)
{
	const char *name = event_name(json_get_text(line, "event")), *text = json_get_text(line, "counter-value");
	double before, value;
	char *end;

	if (name == NULL)
		return;
	value = strtod(text, &end);
	if (end == text) {
		buffer_printf(missing, "%s%s", missing->length > 0 ? ", " : "", name);
		return;
	}
	before = result_value(result, name);
	result_put(result, name, isfinite(before) ? before + value : value);
	if (strcmp(name, "task_clock_ms") == 0)
		result_put(result, "cpus_used", json_get_number(line, "metric-value"));
}

json_t *
read_perf_stat(const char *folder, struct error *error)
{
	struct buffer text = BUFFER_EMPTY, missing = BUFFER_EMPTY;
	json_t *result = result_new(), *object;
	size_t lines = 0;
	char *at, *line;

	if (result_read(folder, "perf.json", &text, error) != 0) {
		json_decref(result);
		return NULL;
	}
	at = text.bytes;
	while ((line = result_line(&at)) != NULL) {
		object = json_loads(line, 0, NULL);
		if (object == NULL)
			continue; /* "# started on …" */
		add_event(result, object, &missing);
		json_decref(object);
		lines++;
	}
	if (lines == 0) {
		json_decref(result);
		result = NULL;
		error_set(error, EXIT_BAD_INPUT, "perf stat told nothing that is JSON; an older perf has no -j");
	} else {
		result_say(result, "%.4g ms on a CPU, %.0f page faults, %.0f context switches%s%s",
			   result_value(result, "task_clock_ms"), result_value(result, "page_faults"),
			   result_value(result, "context_switches"),
			   missing.length > 0 ? "; not counted here: " : "", buffer_text(&missing));
	}
	buffer_free(&text);
	buffer_free(&missing);
	return result;
}

/* ---- perf record ---- */

/* The text between two bars, without the spaces around it; cut in place. */
static char *
next_column(char **at)
{
	char *begin = *at, *end;

	if (begin == NULL)
		return NULL;
	end = strchr(begin, '|');
	*at = end != NULL ? end + 1 : NULL;
	if (end == NULL)
		end = begin + strlen(begin);
	while (end > begin && end[-1] == ' ')
		end--;
	*end = '\0';
	return begin + strspn(begin, " ");
}

struct sampled {
	char *name, *object;
	double samples;
};

/* "86.06% | 778 |[.] fused_pass |vl" */
static bool
read_sampled(char *line, struct sampled *sampled)
{
	char *overhead = next_column(&line), *samples = next_column(&line), *symbol = next_column(&line);
	char *object = next_column(&line), *end;

	if (overhead == NULL || object == NULL || symbol == NULL || strchr(overhead, '%') == NULL)
		return false;
	sampled->samples = strtod(samples, &end);
	if (end == samples || !(sampled->samples > 0))
		return false;
	if (symbol[0] == '[' && strlen(symbol) > 4 && symbol[2] == ']')
		symbol += 4;
	sampled->name = symbol;
	sampled->object = object;
	return true;
}

static void
say_sampled(json_t *result, double all)
{
	const json_t *first = json_array_get(json_object_get(result, "functions"), 0);

	result_put(result, "samples", all);
	result_put(result, "hottest_error", json_get_number(first, "margin"));
	result_put(result, "hottest_samples", json_get_number(first, "samples"));
	result_say(result, "%.0f samples; %s has %.1f %% of them, known to %.1f points either way (95 %%)", all,
		   json_get_text(first, "name"), 100 * json_get_number(first, "share"),
		   100 * json_get_number(first, "margin"));
}

json_t *
read_perf_record(const char *folder, struct error *error)
{
	struct buffer text = BUFFER_EMPTY;
	json_t *result = result_new();
	struct sampled *list = NULL, one;
	size_t count = 0, capacity = 0, i;
	double all = 0;
	char *at, *line;

	if (result_read(folder, "after.txt", &text, error) == 0) {
		at = text.bytes;
		while ((line = result_line(&at)) != NULL)
			if (line[0] != '#' && read_sampled(line, &one)) {
				list = memory_grow(list, count, &capacity, sizeof one);
				list[count++] = one;
				all += one.samples;
			}
		for (i = 0; i < count; i++)
			result_add_function(result, list[i].name, list[i].object, list[i].samples / all,
					    list[i].samples, all);
		result_end_functions(result);
		if (count == 0)
			error_set(error, EXIT_BAD_INPUT, "perf took no samples: the run is too short for them");
	}
	if (count > 0) {
		say_sampled(result, all);
	} else {
		json_decref(result);
		result = NULL;
	}
	free(list);
	buffer_free(&text);
	return result;
}

/* ---- perf c2c ---- */

/* "  Load Local HITM                   :        123" */
static double
counted(const char *text, const char *what)
{
	const char *at = text, *colon;
	size_t length = strlen(what);

	while ((at = strstr(at, what)) != NULL) {
		colon = at + length + strspn(at + length, " ");
		/* "Locked Load/Store Operations" are no store operations */
		if (*colon == ':' && at > text && at[-1] == ' ')
			return strtod(colon + 1, NULL);
		at += length;
	}
	return NAN;
}

json_t *
read_perf_c2c(const char *folder, struct error *error)
{
	struct buffer text = BUFFER_EMPTY;
	json_t *result = NULL;
	double loads, hitm, share, margin = NAN;

	if (result_read(folder, "after.txt", &text, error) != 0)
		return NULL;
	loads = counted(buffer_text(&text), "Load Operations");
	hitm = counted(buffer_text(&text), "Load Local HITM") + counted(buffer_text(&text), "Load Remote HITM");
	if (!isfinite(loads) || !isfinite(hitm)) {
		error_set(error, EXIT_BAD_INPUT, "perf c2c report tells of no load operations");
	} else {
		share = loads > 0 ? hitm / loads : NAN;
		if (loads > 0)
			power_binomial_margin(1.96, share, loads, &margin);
		result = result_new();
		result_put(result, "loads", loads);
		result_put(result, "stores", counted(buffer_text(&text), "Store Operations"));
		result_put(result, "hitm", hitm);
		result_put(result, "hitm_share", share);
		result_put(result, "hitm_error", margin);
		result_put(result, "shared_lines", counted(buffer_text(&text), "Total Shared Cache Lines"));
		result_say(result, "%.0f of %.0f sampled loads (%.1f %%) found the line modified in another core's cache, "
			   "on %.0f shared lines", hitm, loads, 100 * share, result_value(result, "shared_lines"));
	}
	buffer_free(&text);
	return result;
}

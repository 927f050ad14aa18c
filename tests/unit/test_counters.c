#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/counters.h"
#include "analysis/judge/counters_document.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "spec/counter_names.h"

/* Counting: scaling of events that take turns, ratios, and recorded counters.csv. No machine that
 * runs the tests need have counters. */

static void
test_scaling(void **state)
{
	/* Counted for 31 % of one sample and for all of another that took as long: 1.31 of 2. */
	static const struct counter_count turns[] = {{100, 310, 0.31}, {100, 1000, 1}};
	static const struct counter_count never[] = {{100, 0, 0}, {90, 0, 0}};
	/* The first sample had no turn; the second's rate holds for both. */
	static const struct counter_count once[] = {{100, 0, 0}, {300, 600, 0.5}};
	struct counter_scaled scaled;

	(void)state;
	assert_int_equal(counters_scale(turns, 2, &scaled), STAT_OK);
	assert_float_equal(scaled.count, 1000, 1e-9);
	assert_float_equal(scaled.fraction, 0.655, 1e-12);
	assert_int_equal(counters_scale(once, 2, &scaled), STAT_OK);
	assert_float_equal(scaled.count, 800, 1e-9);
	assert_float_equal(scaled.fraction, 0.375, 1e-12);
	assert_int_equal(counters_scale(never, 2, &scaled), STAT_TOO_FEW);
	assert_true(isnan(scaled.count) && scaled.fraction == 0);
	assert_int_equal(counters_scale(NULL, 0, &scaled), STAT_TOO_FEW);
	assert_int_equal(counters_scale(&(struct counter_count){100, 1, 1.5}, 1, &scaled),
			 STAT_BAD_ARGUMENT);
	assert_int_equal(counters_scale(&(struct counter_count){0, 1, 1}, 1, &scaled), STAT_NOT_POSITIVE);
	assert_int_equal(counters_scale(&(struct counter_count){1, NAN, 1}, 1, &scaled), STAT_NOT_FINITE);
}

static double
ratio(const char *name, const struct counter_sample *sample)
{
	size_t i;

	for (i = 0; counter_ratios[i].name != NULL; i++)
		if (strcmp(counter_ratios[i].name, name) == 0)
			return counter_ratios[i].value(sample);
	fail_msg("no ratio %s", name);
	return NAN;
}

static struct counter_sample
nothing_counted(void)
{
	struct counter_sample sample = {.wall_us = 1000, .cpu_us = 900};
	size_t i;

	for (i = 0; i < COUNTER_EVENTS; i++)
		sample.counts[i] = NAN;
	return sample;
}

static void
test_ratios(void **state)
{
	struct counter_sample sample = nothing_counted();

	(void)state;
	assert_true(isnan(ratio("ipc", &sample)) && isnan(ratio("effective_hz", &sample)));
	sample.counts[COUNTER_CYCLES] = 2.7e6;
	sample.counts[COUNTER_INSTRUCTIONS] = 5.4e6;
	assert_float_equal(ratio("ipc", &sample), 2, 1e-12);
	assert_float_equal(ratio("effective_hz", &sample), 3e9, 1); /* over the 900 us on a CPU */
	sample.counts[COUNTER_TASK_CLOCK_NS] = 1.8e6;               /* of two threads */
	assert_float_equal(ratio("effective_hz", &sample), 1.5e9, 1);
	assert_float_equal(ratio("cpus_used", &sample), 1.8, 1e-12);
	sample.counts[COUNTER_MEMORY_READ_BYTES] = 16e6;
	assert_true(isnan(ratio("memory_bytes_per_s", &sample))); /* half of it is no rate */
	sample.counts[COUNTER_MEMORY_WRITE_BYTES] = 8e6;
	assert_float_equal(ratio("memory_bytes_per_s", &sample), 24e9, 1);
	sample.counts[COUNTER_CACHE_MISSES] = 1e5;
	assert_float_equal(ratio("missed_bytes_per_s", &sample), 6.4e9, 1);
	sample.counts[COUNTER_CACHE_REFERENCES] = 0;
	assert_true(isnan(ratio("cache_miss_rate", &sample)));
	sample.counts[COUNTER_ENERGY_PACKAGE_UJ] = 45000;
	assert_float_equal(ratio("package_watts", &sample), 45, 1e-12);
}

/* ---- recorded ---- */

#define HEADER "run_id,session,treatment,variant,item,phase,block,pair,order,sample,timed,wall_us,cpu_us,event,count,fraction,reason,used\n"
#define ROW(run, treatment, phase, sample, event, count, fraction, used) \
	run ",1," treatment ",x,," phase ",1,1,1," sample ",0,1000,1000," event "," count "," fraction ",," used "\n"

static const char recorded[] = HEADER
	ROW("w", "0", "warmup", "1", "cycles", "9e9", "1", "0")
	ROW("a", "0", "ab", "1", "cycles", "1000", "0.25", "1")
	ROW("a", "0", "ab", "1", "instructions", "3000", "0.25", "1")
	ROW("a", "0", "ab", "2", "cycles", "1000", "0.25", "1")
	ROW("a", "0", "ab", "2", "instructions", "3000", "0.25", "1")
	"a,1,0,x,,ab,1,1,1,0,0,,,llc_misses,,,\"perf_event_open: No such file, or so\",1\n"
	ROW("b", "1", "ab", "1", "cycles", "5000", "1", "1")
	ROW("b", "1", "ab", "1", "instructions", "5000", "1", "1")
	ROW("c", "0", "ab", "1", "cycles", "1500", "0.25", "1")
	ROW("c", "0", "ab", "1", "instructions", "3000", "0.25", "1")
	ROW("d", "0", "ab", "1", "cycles", "9e9", "1", "0");

static const json_t *
named(const json_t *list, const char *key, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (strcmp(json_get_text(one, key), name) == 0)
			return one;
	fail_msg("no %s %s", key, name);
	return NULL;
}

static void
test_recorded(void **state)
{
	static char *events[] = {(char *)"cycles", (char *)"instructions", (char *)"llc_misses"};
	struct plan_treatment treatments[] = {{.name = (char *)"one"}, {.name = (char *)"two"}};
	struct plan plan = {.treatments = treatments, .treatment_count = 2, .counters = {events, 3}};
	char path[] = "/tmp/assay-counters-XXXXXX";
	struct error error = {0};
	json_t *document, *warnings = json_array();
	const json_t *one, *event;

	(void)state;
	close(mkstemp(path));
	assert_int_equal(file_write(path, recorded, sizeof recorded - 1, 0, &error), 0);
	document = counters_document(path, &plan, &error);
	assert_non_null(document);
	assert_int_equal(json_array_size(document), 2);
	one = json_array_get(document, 0);
	assert_int_equal(json_get_integer(one, "groups", 0), 2);
	event = named(json_object_get(one, "events"), "event", "cycles");
	assert_float_equal(json_get_number(event, "value"), 5000, 1e-9); /* of 4000 and 6000 */
	assert_float_equal(json_get_number(event, "max"), 6000, 1e-9);
	assert_float_equal(json_get_number(event, "fraction"), 0.25, 1e-12);
	event = named(json_object_get(one, "events"), "event", "llc_misses");
	assert_true(json_is_null(json_object_get(event, "value")));
	assert_string_equal(json_get_text(event, "reason"), "perf_event_open: No such file, or so");
	event = named(json_object_get(one, "ratios"), "ratio", "ipc");
	assert_float_equal(json_get_number(event, "value"), 2.5, 1e-9); /* of 3 and 2 */
	counters_warnings(document, warnings);
	assert_int_equal(json_array_size(warnings), 1);
	assert_string_equal(json_get_text(json_array_get(warnings, 0), "code"), "multiplexed");
	assert_non_null(strstr(json_get_text(json_array_get(warnings, 0), "text"), "25 %"));
	json_decref(warnings);
	json_decref(document);
	unlink(path);
}

/* The names are in two places that cannot include each other. */
static void
test_names_agree(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; counter_ratios[i].name != NULL; i++)
		assert_string_equal(counter_ratios[i].name, counter_ratio_names[i]);
	assert_null(counter_ratio_names[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scaling),
		cmocka_unit_test(test_ratios),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_names_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "session/protocol.h"

static void
parse_in_chunks(const char *bytes, size_t length, size_t chunk, struct protocol_output *output)
{
	struct protocol *parser = protocol_begin();
	size_t at, part;

	for (at = 0; at < length; at += part) {
		part = length - at < chunk ? length - at : chunk;
		protocol_feed(parser, bytes + at, part);
	}
	protocol_finish(parser, output);
}

static void
parse(const char *text, struct protocol_output *output)
{
	parse_in_chunks(text, strlen(text), strlen(text) + 1, output);
}

/* Everything in an output as text, so that two can be compared. */
static char *
print(const struct protocol_output *output)
{
	struct buffer text = BUFFER_EMPTY;
	size_t i, k;

	buffer_printf(&text, "%s|%lld|%lld|%s|%d|%.17g|%s|%zu|%s\n",
		      output->mode != NULL ? output->mode : "-", output->len, output->iters,
		      output->cpus != NULL ? output->cpus : "-", output->has_affinity, output->tsc_hz,
		      output->check != NULL ? output->check : "-", output->unknown_lines,
		      output->problem != NULL ? output->problem : "-");
	for (i = 0; i < output->sample_count; i++) {
		const struct protocol_sample *sample = &output->samples[i];

		buffer_printf(&text, "%s %.17g %.17g %.17g", sample->item, sample->wall_us,
			      sample->cpu_us, sample->flops);
		for (k = 0; k < sample->metric_count; k++)
			buffer_printf(&text, " %s=%.17g %s", sample->metrics[k].name,
				      sample->metrics[k].value, sample->metrics[k].unit);
		buffer_putc(&text, '\n');
	}
	return buffer_detach(&text);
}

static void
assert_problem(const char *text, const char *problem)
{
	struct protocol_output output;

	parse(text, &output);
	if (problem == NULL) {
		assert_null(output.problem);
	} else {
		assert_non_null(output.problem);
		assert_string_equal(output.problem, problem);
	}
	protocol_output_free(&output);
}

static void
test_reads_what_the_harness_writes(void **state)
{
	struct protocol_output output;

	(void)state;
	parse("starting\nCFG 16384 1024\nMODE fused\nAFFINITY 3\nTSC 2400000000\n"
	      "RESULT 12.5 12.25 2.5e9\nMETRIC bytes_per_s 1.5e10 B/s\nMETRIC rows 3\n"
	      "RESULT 13 12 2e9\nCOUNTER cycles 31000 0.5\nCHECK 0x00ff\n", &output);
	assert_null(output.problem);
	assert_int_equal(output.len, 16384);
	assert_int_equal(output.iters, 1024);
	assert_string_equal(output.mode, "fused");
	assert_true(output.has_affinity);
	assert_string_equal(output.cpus, "3");
	assert_true(output.tsc_hz == 2.4e9);
	assert_string_equal(output.check, "0x00ff");
	assert_int_equal(output.unknown_lines, 1);
	assert_int_equal(output.sample_count, 2);
	assert_true(output.samples[0].wall_us == 12.5 && output.samples[0].cpu_us == 12.25 &&
		    output.samples[0].flops == 2.5e9);
	assert_int_equal(output.samples[0].metric_count, 2);
	assert_string_equal(output.samples[0].metrics[0].name, "bytes_per_s");
	assert_string_equal(output.samples[0].metrics[0].unit, "B/s");
	assert_string_equal(output.samples[0].metrics[1].unit, "");
	assert_string_equal(output.samples[1].metrics[0].name, "counter_cycles");
	assert_true(output.samples[1].metrics[1].value == 0.5);
	assert_string_equal(output.samples[1].metrics[1].name, "fraction_cycles");
	protocol_output_free(&output);
}

static void
test_counted_samples(void **state)
{
	struct protocol_output output;

	(void)state;
	parse("TRACED strace\nRESULT 13 12 2e9\nCOUNTER cycles 31000 0.5\nCOUNTED 14 13\nCOUNTER cycles 30000 1\n"
	      "COUNTER page_faults 0 1\nNOCOUNTER llc_misses perf_event_open:  No such file\n"
	      "NOCOUNTER llc_misses later\nCHECK 0\n", &output);
	assert_null(output.problem);
	assert_string_equal(output.tracer, "strace");
	assert_int_equal(output.sample_count, 1);
	assert_string_equal(output.samples[0].metrics[0].name, "counter_cycles");
	assert_int_equal(output.counted_count, 2);
	assert_true(output.counted[0].timed && output.counted[0].wall_us == 13);
	assert_true(output.counted[0].counts[0].fraction == 0.5);
	assert_false(output.counted[1].timed);
	assert_int_equal(output.counted[1].count, 2);
	assert_true(output.counted[1].wall_us == 14 && output.counted[1].cpu_us == 13 &&
		    output.counted[1].counts[0].count == 30000);
	assert_int_equal(output.missing_count, 1);
	assert_string_equal(output.missing[0].reason, "perf_event_open:  No such file");
	protocol_output_free(&output);
}

static void
test_counted_lines_that_are_wrong(void **state)
{
	(void)state;
	assert_problem("COUNTED 1 1\nMETRIC m 1\n", "line 2: METRIC before the RESULT it belongs to");
	assert_problem("COUNTED 1 1\nCOUNTER c 1 1\nCOUNTER c 1 1\n",
		       "line 3: COUNTER 'c' a second time for one sample");
	assert_problem("COUNTED 1\n", "line 1: COUNTED with too few values");
	assert_problem("COUNTED -1 1\n", "line 1: COUNTED wall_us '-1' is negative");
	assert_problem("NOCOUNTER c\n", "line 1: NOCOUNTER with too few values");
	assert_problem("NOCOUNTER c!d why\n",
		       "line 1: NOCOUNTER event 'c!d' is not a name: up to 64 of A-Z a-z 0-9 _ . : / + -");
	assert_problem("CHECK a\nCOUNTED 1 1\n",
		       "line 2: COUNTED after CHECK, which comes after all samples");
}

static void
test_silence_is_no_problem(void **state)
{
	struct protocol_output output;

	(void)state;
	parse("", &output);
	assert_null(output.problem);
	assert_null(output.mode);
	assert_null(output.check);
	assert_int_equal(output.len, -1);
	assert_null(output.cpus);
	assert_false(output.has_affinity);
	assert_int_equal(output.sample_count + output.unknown_lines, 0);
	protocol_output_free(&output);
}

static void
test_samples_belong_to_the_latest_item(void **state)
{
	struct protocol_output output;

	(void)state;
	parse("RESULT 1 1 0\nITEM BM_copy/8\nRESULT 2 1 0\nMETRIC x 1 s\nITEM b\nRESULT 3 1 0\n"
	      "RESULT 4 1 0\nITEM BM_copy/8\nRESULT 5 1 0\n", &output);
	assert_null(output.problem);
	assert_int_equal(output.sample_count, 5);
	assert_string_equal(output.samples[0].item, "");
	assert_string_equal(output.samples[1].item, "BM_copy/8");
	assert_string_equal(output.samples[3].item, "b");
	assert_string_equal(output.samples[4].item, "BM_copy/8");
	protocol_output_free(&output);
}

static void
test_numbers_that_are_none(void **state)
{
	(void)state;
	assert_problem("ok\nRESULT nan 1 1\n", "line 2: RESULT wall_us 'nan' is not a finite number");
	assert_problem("RESULT 1 inf 1\n", "line 1: RESULT cpu_us 'inf' is not a finite number");
	assert_problem("RESULT 1 1 1e999\n", "line 1: RESULT flops '1e999' is not a finite number");
	assert_problem("RESULT -1 1 1\n", "line 1: RESULT wall_us '-1' is not above 0");
	assert_problem("RESULT 0 1 1\n", "line 1: RESULT wall_us '0' is not above 0");
	assert_problem("RESULT 1 -1 1\n", "line 1: RESULT cpu_us '-1' is negative");
	assert_problem("RESULT 1x 1 1\n", "line 1: RESULT wall_us '1x' is not a finite number");
	assert_problem("RESULT 1,5 1 1\n", "line 1: RESULT wall_us '1,5' is not a finite number");
	assert_problem("RESULT \f1 1 1\n", "line 1: RESULT wall_us '?1' is not a finite number");
	assert_problem("RESULT 1 1 1\r\n", "line 1: RESULT flops '1?' is not a finite number");
	assert_problem("CFG 1.5 1\n", "line 1: CFG len '1.5' is not an integer from 0");
	assert_problem("CFG 1 99999999999999999999\n",
		       "line 1: CFG iters '99999999999999999999' is not an integer from 0");
	assert_problem("AFFINITY -2\n", "line 1: AFFINITY '-2' is no CPU, no list of CPUs such as 0,1, and not -1");
	assert_problem("AFFINITY -1\nTSC 0\n", NULL);
	assert_problem("AFFINITY 0,1,12\n", NULL);
	assert_problem("AFFINITY 0,,1\n", "line 1: AFFINITY '0,,1' is no CPU, no list of CPUs such as 0,1, and not -1");
	assert_problem("AFFINITY 0,\n", "line 1: AFFINITY '0,' is no CPU, no list of CPUs such as 0,1, and not -1");
	assert_problem("TSC -1\n", "line 1: TSC '-1' is negative");
	assert_problem("RESULT 1 0 0\nCOUNTER c 1 1.5\n", "line 2: COUNTER fraction '1.5' is above 1");
	assert_problem("RESULT 1 0 0\nMETRIC m -1e-3\n", NULL);
}

static void
test_fields_missing_or_left_over(void **state)
{
	(void)state;
	assert_problem("RESULT 1 1\n", "line 1: RESULT with too few values");
	assert_problem("RESULT\n", "line 1: RESULT with too few values");
	assert_problem("RESULT 1 1 1 1\n", "line 1: RESULT with too many values");
	assert_problem("RESULT 1 1 1 1 1 1 1 1\n", "line 1: RESULT with too many values");
	assert_problem("MODE a b\n", "line 1: MODE with too many values");
	assert_problem("CHECK \n", "line 1: CHECK with too few values");
	assert_problem("CFG  1\t 2 \n", NULL);
}

static void
test_what_may_come_once(void **state)
{
	(void)state;
	assert_problem("CHECK a\nCHECK a\n", "line 2: CHECK a second time");
	assert_problem("MODE a\nMODE a\n", "line 2: MODE a second time");
	assert_problem("CFG 1 1\nCFG 1 1\n", "line 2: CFG a second time");
	assert_problem("RESULT 1 1 1\nMETRIC m 1\nMETRIC m 1\n",
		       "line 3: 'm' a second time for one sample");
	assert_problem("RESULT 1 1 1\nMETRIC m 1\nRESULT 1 1 1\nMETRIC m 1\n", NULL);
}

static void
test_order_of_lines(void **state)
{
	(void)state;
	assert_problem("METRIC m 1\n", "line 1: METRIC before the RESULT it belongs to");
	assert_problem("COUNTER m 1 1\n", "line 1: COUNTER before the RESULT or COUNTED it belongs to");
	assert_problem("ITEM a\nRESULT 1 1 1\nITEM b\nMETRIC m 1\n",
		       "line 4: METRIC before the RESULT it belongs to");
	assert_problem("CHECK a\nRESULT 1 1 1\n",
		       "line 2: RESULT after CHECK, which comes after all samples");
}

static void
test_names(void **state)
{
	char text[256];

	(void)state;
	assert_problem("MODE a\\b\n",
		       "line 1: MODE 'a\\b' is not a name: up to 64 of A-Z a-z 0-9 _ . : / + -");
	assert_problem("MODE \033[31m\n",
		       "line 1: MODE '?[31m' is not a name: up to 64 of A-Z a-z 0-9 _ . : / + -");
	assert_problem("RESULT 1 1 1\nMETRIC wall_us 1\n",
		       "line 2: METRIC name 'wall_us' is taken by a column of ours");
	snprintf(text, sizeof text, "ITEM %064d\n", 0);
	assert_problem(text, NULL);
	snprintf(text, sizeof text, "ITEM %065d\n", 0);
	assert_problem(text, "line 1: ITEM '0000000000000000000000000000000000000000...' is not a "
			     "name: up to 64 of A-Z a-z 0-9 _ . : / + -");
}

static void
test_a_line_cut_off_is_a_problem(void **state)
{
	(void)state;
	assert_problem("RESULT 1 1 1\nRESULT 2 2 2", "line 2: the output ends in the middle of a "
						     "RESULT line");
	assert_problem("RESULT 1 1 1\nRESULT", "line 2: the output ends in the middle of a RESULT line");
	assert_problem("RESULT 1 1 1\nRESU", "line 2: the output ends in the middle of a line, 'RESU'");
	assert_problem("RESULT 1 1 1\nbye", NULL);
	assert_problem("RESULT 1 1 1\nRE", NULL);
}

static void
test_words_that_only_look_known(void **state)
{
	struct protocol_output output;

	(void)state;
	parse("RESULTS 1 1 1\nresult 1 1 1\n RESULT 1 1 1\nRESULT: 1\n\nexit_code=0\n", &output);
	assert_null(output.problem);
	assert_int_equal(output.sample_count, 0);
	assert_int_equal(output.unknown_lines, 6);
	protocol_output_free(&output);
}

static void
test_the_first_problem_is_told_and_the_rest_read(void **state)
{
	struct protocol_output output;

	(void)state;
	parse("RESULT 1 1 1\nRESULT x 1 1\nMETRIC m 1\nCHECK\nRESULT 2 1 1\n", &output);
	assert_string_equal(output.problem, "line 2: RESULT wall_us 'x' is not a finite number");
	assert_int_equal(output.sample_count, 2);
	assert_int_equal(output.samples[0].metric_count, 0);
	protocol_output_free(&output);
}

/* `length` bytes in one line: word, a space, zeros. */
static void
append_line(struct buffer *text, const char *word, size_t length)
{
	size_t i;

	buffer_printf(text, "%s ", word);
	for (i = strlen(word) + 1; i < length; i++)
		buffer_putc(text, '0');
	buffer_putc(text, '\n');
}

static void
test_long_lines(void **state)
{
	struct buffer text = BUFFER_EMPTY;
	struct protocol_output output;

	(void)state;
	append_line(&text, "TSC", PROTOCOL_LINE);
	append_line(&text, "noise", 10 * PROTOCOL_LINE);
	buffer_puts(&text, "CHECK a\n");
	parse(text.bytes, &output);
	assert_null(output.problem);
	assert_int_equal(output.unknown_lines, 1);
	protocol_output_free(&output);
	append_line(&text, "CFG", PROTOCOL_LINE + 1);
	assert_problem(text.bytes, "line 4: CFG line longer than 4096 bytes");
	buffer_free(&text);
}

static void
test_bounds_on_samples_and_metrics(void **state)
{
	struct protocol *parser = protocol_begin();
	struct protocol_output output;
	char line[64];
	int i;

	(void)state;
	for (i = 0; i <= PROTOCOL_SAMPLES; i++)
		protocol_feed(parser, "RESULT 1 1 1\n", 13);
	protocol_finish(parser, &output);
	assert_int_equal(output.sample_count, PROTOCOL_SAMPLES);
	assert_string_equal(output.problem, "line 1000001: more than 1000000 RESULT lines");
	protocol_output_free(&output);

	parser = protocol_begin();
	protocol_feed(parser, "RESULT 1 1 1\n", 13);
	for (i = 0; i < 1000; i++)
		protocol_feed(parser, line, (size_t)snprintf(line, sizeof line, "METRIC m%d 1\n", i));
	protocol_finish(parser, &output);
	assert_string_equal(output.problem, "line 257: more than 256 metrics of one sample");
	assert_true(output.samples[0].metric_count <= PROTOCOL_METRICS);
	protocol_output_free(&output);
}

static void
test_bytes_that_are_no_text(void **state)
{
	static const char bytes[] = "RESULT 1\0 1 1\n\0\0\n\xff\xfe\nCHECK a\0b\n";
	struct protocol_output output;

	(void)state;
	parse_in_chunks(bytes, sizeof bytes - 1, sizeof bytes, &output);
	assert_string_equal(output.problem, "line 1: RESULT wall_us '1' is not a finite number");
	assert_null(output.check);
	assert_int_equal(output.sample_count, 0);
	assert_int_equal(output.unknown_lines, 2);
	protocol_output_free(&output);
}

static void
test_every_chunk_size_gives_the_same(void **state)
{
	static const char *const inputs[] = {
		"", "\n", "\n\n\n", "RESULT 1 1 1\n", "RESULT 1 1 1", "RESU", "x\nRESULT 1 1 1\n\nCHEC",
		"CFG 16384 1024\nMODE fused\nAFFINITY 1\nTSC 2.4e9\nRESULT 12.5 12.4 2.5e9\nCHECK 0x1f\n",
		"RESULT 1 1 1\nMETRIC bytes_per_s 1.5e10 B/s\nRESULT 1 1 1\nCOUNTER c 1 1\nCHECK 0\n",
		"ITEM a\nRESULT 1 1 1\nITEM b\nRESULT 2 2 2\nMETRIC m 1 s\nnoise noise\n",
		"COUNTED 1 1\nCOUNTER c 1 1\nNOCOUNTER d for  a reason\nCOUNTED 1 1\n",
		"RESULT nan 1 1\nRESULT 1 1 1\nMETRIC x 1\nMETRIC x 1\n",
		"MODE a\r\nMODE b\n  \t\nCHECK a b\n", "AFFINITY -1\nAFFINITY 2\nTSC x\n",
		"RESULT  1\t1   1  \nCHECK a\nRESULT 1 1 1\nCHECK b",
	};
	struct buffer longest = BUFFER_EMPTY;
	size_t i, chunk;

	(void)state;
	append_line(&longest, "noise", PROTOCOL_LINE + 300);
	append_line(&longest, "CFG", PROTOCOL_LINE + 1);
	buffer_puts(&longest, "RESULT 1 1 1\n");
	for (i = 0; i <= sizeof inputs / sizeof *inputs; i++) {
		const char *text = i == 0 ? longest.bytes : inputs[i - 1];
		size_t length = strlen(text);
		struct protocol_output output;
		char *expected, *got;

		parse(text, &output);
		expected = print(&output);
		protocol_output_free(&output);
		for (chunk = 1; chunk <= length; chunk += i == 0 ? 97 : 1) {
			parse_in_chunks(text, length, chunk, &output);
			got = print(&output);
			assert_string_equal(got, expected);
			free(got);
			protocol_output_free(&output);
		}
		free(expected);
	}
	buffer_free(&longest);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_what_the_harness_writes),
		cmocka_unit_test(test_counted_samples),
		cmocka_unit_test(test_counted_lines_that_are_wrong),
		cmocka_unit_test(test_silence_is_no_problem),
		cmocka_unit_test(test_samples_belong_to_the_latest_item),
		cmocka_unit_test(test_numbers_that_are_none),
		cmocka_unit_test(test_fields_missing_or_left_over),
		cmocka_unit_test(test_what_may_come_once),
		cmocka_unit_test(test_order_of_lines),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_a_line_cut_off_is_a_problem),
		cmocka_unit_test(test_words_that_only_look_known),
		cmocka_unit_test(test_the_first_problem_is_told_and_the_rest_read),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_bounds_on_samples_and_metrics),
		cmocka_unit_test(test_bytes_that_are_no_text),
		cmocka_unit_test(test_every_chunk_size_gives_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/power.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "diagnose/reading.h"
#include "diagnose/tool.h"
#include "spec/diagnosis.h"

/* What tools wrote, recorded: the tools need not be here, nor what they need. */

static char folder[] = "/tmp/assay-diagnose-XXXXXX";

static void
put(const char *name, const char *text)
{
	char *path = memory_format("%s/%s", folder, name);

	assert_int_equal(file_write(path, text, strlen(text), 0, NULL), 0);
	free(path);
}

static json_t *
read_with(const char *tool)
{
	struct error error = {0};
	json_t *result = tool_find(tool)->read(folder, &error);

	if (result == NULL)
		print_error("%s\n", error.message);
	assert_non_null(result);
	return result;
}

/* Reads what cannot be read; the message. */
static char *
refusal(const char *tool)
{
	struct error error = {0};

	assert_null(tool_find(tool)->read(folder, &error));
	return memory_copy_text(error.message);
}

static double
value(const json_t *result, const char *name)
{
	return json_get_number(json_object_get(result, "values"), name);
}

static const json_t *
function_at(const json_t *result, size_t index)
{
	return json_array_get(json_object_get(result, "functions"), index);
}

/* ---- callgrind ---- */

/* Names once in full, then by number; lines relative and absolute; what follows calls= is the
 * callee's cost once more; f calls itself. */
static const char callgrind[] =
	"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir Dr\nsummary: 1000 9\n\n"
	"fl=(1) a.c\nfn=(1) main'(below main)\n16 40 3\n+2 10\ncfn=(2) f'main'(below main)\ncalls=2 7\n18 900\n"
	"* 50\n\nfn=(2)\n7 300\n-1 400\ncfi=(2) b.c\ncfn=(3) f'2'f'main'(below main)\ncalls=1 1\n7 100\n"
	"fn=(3)\n1 100\n\nfn=(4) exit'(below main)\n0x1f 100\n\ntotals: 1000\n";

static void
test_callgrind(void **state)
{
	json_t *result, *stacks;

	(void)state;
	put("callgrind.out", callgrind);
	result = read_with("callgrind");
	assert_true(value(result, "instructions") == 1000);
	assert_true(value(result, "functions") == 3);
	assert_string_equal(json_get_text(result, "hottest"), "f");
	assert_float_equal(value(result, "hottest_share"), 0.8, 1e-12); /* 700 and 100 deeper */
	stacks = json_object_get(result, "stacks");
	assert_int_equal(json_get_integer(stacks, "(below main);main", 0), 100);
	assert_int_equal(json_get_integer(stacks, "(below main);main;f", 0), 700);
	assert_int_equal(json_get_integer(stacks, "(below main);main;f;f", 0), 100);
	assert_non_null(strstr(json_get_text(result, "summary"), "80.0 % of them in f"));
	json_decref(result);
	put("callgrind.out", "# callgrind format\nevents: Ir\n");
	free(refusal("callgrind"));
}

/* ---- perf ---- */

static void
test_perf_stat(void **state)
{
	json_t *result;
	char *why;

	(void)state;
	put("perf.json",
	    "# started on Tue\n\n"
	    "{\"counter-value\" : \"37.097422\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : 37097422, "
	    "\"pcnt-running\" : 100.00, \"metric-value\" : 0.25, \"metric-unit\" : \"CPUs utilized\"}\n"
	    "{\"counter-value\" : \"68.000000\", \"unit\" : \"\", \"event\" : \"page-faults\", \"pcnt-running\" : 100.00}\n"
	    "{\"counter-value\" : \"12.000000\", \"unit\" : \"\", \"event\" : \"context-switches:u\"}\n"
	    "{\"counter-value\" : \"700.000000\", \"unit\" : \"\", \"event\" : \"cpu_core/cycles/\"}\n"
	    "{\"counter-value\" : \"300.000000\", \"unit\" : \"\", \"event\" : \"cpu_atom/cycles/\"}\n"
	    "{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : \"instructions\"}\n");
	result = read_with("perf_stat");
	assert_float_equal(value(result, "task_clock_ms"), 37.097422, 1e-12);
	assert_true(value(result, "cpus_used") == 0.25 && value(result, "context_switches") == 12);
	assert_true(value(result, "cycles") == 1000 && isnan(value(result, "instructions")));
	assert_non_null(strstr(json_get_text(result, "summary"), "not counted here: instructions"));
	json_decref(result);
	put("perf.json", "usage: perf stat\n");
	why = refusal("perf_stat");
	assert_non_null(strstr(why, "no -j"));
	free(why);
}

/* The lecture's arithmetic: shares carry their samples and their error. */
static void
test_perf_record(void **state)
{
	json_t *result;
	static const struct {
		double margin, samples;
	} wanted[] = {{0.05, 385}, {0.01, 9604}, {0.001, 960400}};
	struct power_count count;
	size_t i;

	(void)state;
	put("after.txt",
	    "# Samples: 1K of event 'cpu-clock:u'\n#\n# Overhead|     Samples|Symbol |Shared Object\n"
	    " 49.85% | 500        |[.] fused_pass     |vl\n 49.85% | 497        |[.] check |vl\n"
	    "  0.30% | 3          |[k] do_page_fault  |[kernel.kallsyms]\n\n");
	result = read_with("perf_record");
	assert_true(value(result, "samples") == 1000 && value(result, "hottest_samples") == 500);
	assert_string_equal(json_get_text(result, "hottest"), "fused_pass");
	assert_float_equal(value(result, "hottest_error"), 0.031, 1e-4);
	assert_float_equal(json_get_number(function_at(result, 2), "share"), 0.003, 1e-12);
	assert_float_equal(json_get_number(function_at(result, 2), "relative"), 0.577, 1e-3); /* 3 samples: 58 % */
	assert_string_equal(json_get_text(function_at(result, 2), "name"), "do_page_fault");
	json_decref(result);
	for (i = 0; i < 3; i++) {
		assert_int_equal(power_binomial(1.96, 0.5, wanted[i].margin, &count), STAT_OK);
		assert_true(count.ceil == wanted[i].samples);
	}
	put("after.txt", "# Samples: 0\n");
	free(refusal("perf_record"));
}

static void
test_perf_c2c(void **state)
{
	json_t *result;

	(void)state;
	put("after.txt",
	    "  Total records                     :      54321\n  Locked Load/Store Operations      :       4000\n"
	    "  Load Operations                   :      10000\n  Load Local HITM                   :       2400\n"
	    "  Load Remote HITM                  :        100\n  Store Operations                  :       7000\n"
	    "  Total Shared Cache Lines          :          3\n");
	result = read_with("perf_c2c");
	assert_true(value(result, "loads") == 10000 && value(result, "stores") == 7000);
	assert_float_equal(value(result, "hitm_share"), 0.25, 1e-12);
	assert_float_equal(value(result, "hitm_error"), 0.0085, 1e-4);
	assert_true(value(result, "shared_lines") == 3);
	json_decref(result);
}

/* ---- time ---- */

static void
test_gnu_time(void **state)
{
	json_t *result;

	(void)state;
	put("time.txt",
	    "\tCommand being timed: \"x: y\"\n\tUser time (seconds): 0.25\n\tSystem time (seconds): 0.01\n"
	    "\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:00.26\n\tMaximum resident set size (kbytes): 4096\n"
	    "\tAverage resident set size (kbytes): 0\n\tMajor (requiring I/O) page faults: 2\n"
	    "\tMinor (reclaiming a frame) page faults: 71\n\tVoluntary context switches: 1\n"
	    "\tInvoluntary context switches: 9\n\tExit status: 0\n");
	result = read_with("gnu_time");
	assert_true(value(result, "max_rss_kib") == 4096 && value(result, "minor_faults") == 71);
	assert_true(value(result, "involuntary_switches") == 9 && value(result, "voluntary_switches") == 1);
	json_decref(result);
	put("time.txt", "real 0.1\n");
	free(refusal("gnu_time"));
}

/* ---- a device ---- */

#define NCU(metric, unit, value) \
	"\"0\",\"7\",\"saxpy\",\"127.0.0.1\",\"saxpy(int, float, const float *)\",\"1\",\"7\",\"(256, 1, 1)\",\"(65536, 1, 1)\",\"0\"," \
	"\"9.0\",\"Command line profiler metrics\",\"" metric "\",\"" unit "\",\"" value "\"\n"

static void
put_ncu(const char *sm, const char *dram, const char *l2)
{
	char *text = memory_format("==PROF== Connected to process 7 (/x/saxpy)\n==PROF== Profiling \"saxpy\" - 0: 0%%....100%% - 1 "
				   "pass\n\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
				   "Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
				   NCU("dram__throughput.avg.pct_of_peak_sustained_elapsed", "%%", "%s")
				   NCU("lts__t_sector_hit_rate.pct", "%%", "%s")
				   NCU("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%%", "%s"), dram, l2, sm);

	put("ncu.csv", text);
	free(text);
}

static void
test_ncu(void **state)
{
	json_t *result;
	char *why;

	(void)state;
	put_ncu("42", "89", "68");
	result = read_with("ncu");
	assert_true(value(result, "sm_percent") == 42 && value(result, "l2_hit_percent") == 68);
	assert_float_equal(value(result, "ceiling"), 1.802, 5e-4);
	assert_float_equal(32 / value(result, "ceiling"), 17.8, 0.05); /* ms, the lecture's example */
	assert_non_null(strstr(json_get_text(result, "summary"), "bound by memory"));
	assert_non_null(strstr(json_get_text(result, "summary"), "32 % of the L2 requests go on"));
	json_decref(result);
	put_ncu("91.5", "20", "97");
	result = read_with("ncu");
	assert_non_null(strstr(json_get_text(result, "summary"), "bound by arithmetic"));
	json_decref(result);
	put_ncu("12", "31", "50"); /* neither is busy, whatever the traffic */
	result = read_with("ncu");
	assert_non_null(strstr(json_get_text(result, "summary"), "latency-bound"));
	assert_true(isnan(value(result, "ceiling")));
	json_decref(result);
	put("ncu.csv", "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n");
	why = refusal("ncu");
	assert_non_null(strstr(why, "no table"));
	free(why);
}

static void
test_nsys(void **state)
{
	json_t *result;

	(void)state;
	put("after.txt",
	    "Processing [timeline.sqlite] with [cuda_gpu_kern_sum.py]...\n\n"
	    "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
	    "75.0,3000,30,100.0,100.0,90,110,1.0,\"saxpy(int, float)\"\n25.0,1000,10,100.0,100.0,90,110,1.0,scale\n");
	result = read_with("nsys");
	assert_true(value(result, "kernels") == 2 && value(result, "launches") == 40);
	assert_true(value(result, "kernel_ns") == 4000);
	assert_string_equal(json_get_text(result, "hottest"), "saxpy(int, float)");
	json_decref(result);
}

static void
test_compute_sanitizer(void **state)
{
	json_t *result;

	(void)state;
	put("stdout", "========= COMPUTE-SANITIZER\nRESULT 1 1 1\n========= ERROR SUMMARY: 2 errors\n");
	result = read_with("compute_sanitizer");
	assert_true(value(result, "errors") == 2);
	json_decref(result);
	put("stdout", "RESULT 1 1 1\n");
	free(refusal("compute_sanitizer"));
}

/* ---- all of them ---- */

/* A spec may ask for each of them, and prose knows every value that a reader puts. */
static void
test_tools_agree(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; diagnosis_tools[i].name != NULL; i++)
		assert_non_null(tool_find(diagnosis_tools[i].name));
	assert_int_equal(i, 8);
	assert_null(tool_find("gdb"));
}

static int
make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) != NULL ? 0 : -1;
}

static int
remove_folder(void **state)
{
	(void)state;
	return file_remove_tree(folder, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callgrind),	  cmocka_unit_test(test_perf_stat),
		cmocka_unit_test(test_perf_record),	  cmocka_unit_test(test_perf_c2c),
		cmocka_unit_test(test_gnu_time),	  cmocka_unit_test(test_ncu),
		cmocka_unit_test(test_nsys),		  cmocka_unit_test(test_compute_sanitizer),
		cmocka_unit_test(test_tools_agree),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "spec/host.h"
#include "spec/host_state.h"
#include "spec/prose.h"
#include "spec/study_json.h"
#include "spec_study.h"

/* The Lua host as a whole: what is wrong with a spec is tested by test_spec.c. */

static const char article[] =
	"# Title\n\n{{ fixed(at{ n = 4 }:compare(\"b\").speedup, 2) }} {{ N }}\n\n"
	"```lua\n"
	"N = 5\n"
	"function double(x) return 2 * x end\n"
	"experiment \"e\" {\n"
	"    variants = {\n"
	"        variant \"a\" { \"lab\", args = { \"--n={n}\", input \"data/1.txt\" } },\n"
	"        variant \"b\" { \"run\", env = { X = \"{twice}\" } },\n"
	"    },\n"
	"    sweep = { n = { 2, 4 } },\n"
	"    derive = { twice = function(p) return 2 * p.n end },\n"
	"    claims = { faster(\"b\", \"a\", { by = 1.1, where = { n = 4 } }) },\n"
	"    figures = { figure \"speedup\" {}, figure \"runs\" { log = true } },\n"
	"}\n"
	"```\n\n![x](figure:runs)\n";

static int
enter(void **state)
{
	(void)state;
	spec_study_enter();
	spec_study_write("build.ninja.lua", spec_study_entry);
	spec_study_write("experiments/e.md", article);
	return 0;
}

static int
leave(void **state)
{
	(void)state;
	spec_study_leave();
	return 0;
}

static const struct study *
load(struct host *host)
{
	struct error error = {0};
	const struct study *study = host_load(host, "build.ninja.lua", &error);

	if (study == NULL)
		error_print(&error);
	assert_non_null(study);
	return study;
}

/* Every allocation of Lua fails once at some limit: always an error, never a crash or a leak. */
static void
test_any_memory_limit(void **state)
{
	const struct study *study = NULL;
	size_t limit, failed = 0;

	(void)state;
	for (limit = 512; study == NULL; limit += 509) {
		struct host *host = host_new();
		struct error error = {0};

		host_limit(host, limit, 1000000, 60);
		study = host_load(host, "build.ninja.lua", &error);
		if (study == NULL) {
			failed++;
			assert_int_equal(error.code, EXIT_BAD_INPUT);
			assert_non_null(strstr(error.message, "memory"));
		} else {
			assert_int_equal(study->experiments[0].case_count, 2);
		}
		host_free(host);
		assert_true(limit < ((size_t)4 << 20));
	}
	assert_true(failed > 10);
}

/* A call that runs for ever inside C, where Lua counts no instructions. */
static void
test_a_hopeless_pattern_ends(void **state)
{
	static const char spec[] = "\nlocal t = (\"a\"):rep(40):find((\"a*\"):rep(30) .. \"b\")\n";
	struct error error = {0};
	int pipes[2], status;
	char said[800] = "";
	pid_t child;

	(void)state;
	assert_int_equal(file_write("hopeless.lua", spec, strlen(spec), 0, &error), 0);
	assert_int_equal(pipe(pipes), 0);
	child = fork();
	if (child == 0) {
		struct host *host = host_new();

		dup2(pipes[1], STDERR_FILENO);
		host_limit(host, (size_t)64 << 20, 1000000, 1);
		host_load(host, "hopeless.lua", &error);
		_exit(99);
	}
	close(pipes[1]);
	assert_true(read(pipes[0], said, sizeof said - 1) > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_BAD_INPUT);
	assert_non_null(strstr(said, "hopeless.lua:"));
	assert_non_null(strstr(said, "pattern"));
	close(pipes[0]);
}

/* Lua's hash is seeded anew in every state. */
static void
test_same_specs_same_bytes(void **state)
{
	char *first = NULL;
	int i;

	(void)state;
	for (i = 0; i < 20; i++) {
		struct host *host = host_new();
		json_t *document = study_json(load(host), NULL);
		char *text = json_dumps(document, JSON_SORT_KEYS);

		if (first == NULL)
			first = text;
		assert_string_equal(text, first);
		if (text != first)
			free(text);
		json_decref(document);
		host_free(host);
	}
	free(first);
}

static bool
holds(const struct texts *texts, const char *text)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		if (strcmp(texts->items[i], text) == 0)
			return true;
	return false;
}

static void
test_inputs_of_the_graph(void **state)
{
	struct host *host = host_new();
	const struct study *study;

	(void)state;
	spec_study_write("build.ninja.lua",
			 "study{ name = \"s\" }\nrunner \"lab\" { \"kernels/lab.c\" }\n"
			 "program \"run\" { \"tools/run\" }\nlocal a = glob \"*/1.txt\"\n"
			 "local t = read_file \"data/2.txt\"\nlocal e = env \"ASSAY_TEST_X\"\n"
			 "assert(e == \"yes\" and a[1] == \"data/1.txt\")\nexperiments \"experiments/*\"\n"
			 "program \"shell\" { \"sh\" }\n");
	setenv("ASSAY_TEST_X", "yes", 1);
	study = load(host);
	assert_true(holds(&study->lua_files, "build.ninja.lua") &&
		    holds(&study->lua_files, "experiments/e.md"));
	assert_true(holds(&study->read_files, "experiments/") && holds(&study->read_files, "./"));
	assert_true(holds(&study->read_files, "data/2.txt"));
	assert_int_equal(study->environment.count, 2);
	assert_string_equal(study->environment.items[0].name, "ASSAY_TEST_X");
	assert_string_equal(study->environment.items[0].value, "yes");
	assert_string_equal(study->environment.items[1].name, "PATH");
	assert_true(study->programs[2].path[0] == '/' && holds(&study->read_files, study->programs[2].path));
	host_free(host);
}

static const struct graph_edge *
edge_of(const struct study *study, const char *output)
{
	size_t i;

	for (i = 0; i < study->edge_count; i++)
		if (holds(&study->edges[i].outputs, output))
			return &study->edges[i];
	fail_msg("no edge makes %s", output);
	return NULL;
}

static const char *
variable_of(const struct graph_edge *edge, const char *name)
{
	size_t i;

	for (i = 0; i < edge->variables.count; i++)
		if (strcmp(edge->variables.items[i].name, name) == 0)
			return edge->variables.items[i].value;
	return "";
}

/* The object of the harness's main.c that a runner links. */
static const char *
harness_of(const struct study *study, const char *runner)
{
	const struct graph_edge *edge = edge_of(study, runner);
	size_t i;

	for (i = 0; i < edge->inputs.count; i++)
		if (strncmp(edge->inputs.items[i], "build/obj/harness/", 18) == 0 &&
		    strstr(edge->inputs.items[i], "/main.c.o") != NULL)
			return edge->inputs.items[i];
	fail_msg("%s has no harness", runner);
	return NULL;
}

/* In the tool's own repository no path of this machine may get into build.ninja. */
static void
test_runner_in_the_repository(void **state)
{
	struct host *host = host_new();
	const struct study *study;
	const struct graph_edge *edge;
	size_t i;

	(void)state;
	spec_study_write("build.ninja.lua",
			 "study{ name = \"s\" }\ntoolchain \"default\" { cc = \"gcc\", cflags = { \"-O3\", \"-DA=b c$d\" } }\n"
			 "runner \"lab\" { \"kernels/lab.c\", cflags = { \"-Wall\" } }\n"
			 "runner \"likewise\" { \"kernels/lab.c\", cflags = { \"-O1\" } }\n"
			 "toolchain \"plain\" { cc = \"gcc\", cflags = { \"-O0\" } }\n"
			 "runner \"other\" { \"kernels/lab.c\", toolchain = \"plain\" }\n"
			 "program \"run\" { \"tools/run\" }\nexperiments \"experiments/*\"\n");
	spec_study_write("kernels/harness/main.c", "\n");
	spec_study_write("figures/speedup.gnuplot", "\n");
	spec_study_write("figures/runs.gnuplot", "\n");
	setenv("ASSAY_HOME", ".", 1);
	study = load(host);
	edge = edge_of(study, "build/obj/lab/kernels/lab.c.o");
	assert_string_equal(variable_of(edge, "cflags"), "-O3 '-DA=b c$$d' -Wall -Ikernels");
	assert_string_equal(variable_of(edge, "cc"), "gcc");
	/* The harness is compiled once for a toolchain, and not by the runners' own flags. */
	assert_string_equal(harness_of(study, "build/runners/lab"), harness_of(study, "build/runners/likewise"));
	assert_string_not_equal(harness_of(study, "build/runners/lab"), harness_of(study, "build/runners/other"));
	edge = edge_of(study, harness_of(study, "build/runners/lab"));
	assert_string_equal(variable_of(edge, "cflags"), "-O3 '-DA=b c$$d' -Ikernels");
	edge = edge_of(study, harness_of(study, "build/runners/other"));
	assert_string_equal(variable_of(edge, "cflags"), "-O0 -Ikernels");
	for (i = 0; i < study->edge_count; i++)
		assert_true(study->edges[i].inputs.items[0][0] != '/');
	for (i = 0; i < study->read_files.count; i++)
		assert_true(study->read_files.items[i][0] != '/');
	assert_true(study->programs[0].built);
	assert_false(study->programs[3].built);
	host_free(host);
}

struct expected {
	const char *expression, *text; /* text NULL: refused */
	int status;
};

static void
check_expressions(struct host *host, const struct experiment *e, const json_t *results,
		  const struct expected *cases, size_t count)
{
	struct place place = {(char *)"experiments/e.md", 3};
	size_t i;

	for (i = 0; i < count; i++) {
		struct buffer out = BUFFER_EMPTY;
		struct error error = {0};
		int status = host_eval(host, e, &place, cases[i].expression, results, &out, &error);

		if (status != cases[i].status)
			print_error("%s: %s\n", cases[i].expression, error.message);
		assert_int_equal(status, cases[i].status);
		if (status < 0) {
			assert_int_equal(error.line, 3);
			assert_string_equal(error.file, "experiments/e.md");
		} else {
			assert_string_equal(buffer_text(&out), cases[i].text);
		}
		buffer_free(&out);
	}
}

static void
test_expressions(void **state)
{
	static const struct expected cases[] = {
		{"1 + 1", "2", 0}, {"2.0^10", "1024", 0}, {"0.1", "0.1", 0}, {"\"a\" .. 1", "a1", 0},
		{"1 < 2", "true", 0}, {"N", "5", 0}, {"double(N)", "10", 0}, {"#cases", "2", 0},
		{"study.name", "s", 0}, {"experiment.title", "Title", 0}, {"at{ n = 4 }.point.n", "4", 0},
		{"at{ n = 4.0 }.verdict", "faster", 0}, {"at{ n = 2 }.variants.a.median", "1000.5", 0},
		{"cases[2].point.n", "4", 0}, {"cases[1]:compare(\"b\", \"a\").speedup", "1.25", 0},
		{"cases[1]:compare(\"b\").verdict", "faster", 0}, {"fixed(1.005, 1)", "1.0", 0},
		{"fixed(-0.001, 2)", "0.00", 0}, {"percent(0.0125)", "1.2 %", 0}, {"percent(0.5, 0)", "50 %", 0},
		{"si(4194304, \"B\")", "4.19 MB", 0}, {"si(0.00001234, \"s\")", "12.3 \xc2\xb5s", 0},
		{"si(999.6)", "1.00 k", 0}, {"si(0, \"s\")", "0 s", 0}, {"si(12, \"\")", "12", 0},
		{"si(-1500, \"B\")", "-1.50 kB", 0}, {"integer(2.5)", "2", 0}, {"integer(1e6)", "1000000", 0},
		{"math.max(1, 2)", "2", 0}, {"(\"x\"):rep(3)", "xxx", 0}, {"tostring(3.0)", "3", 0},
		{"nil", NULL, -1}, {"cases", NULL, -1}, {"{}", NULL, -1}, {"1 +", NULL, -1}, {"1/0", NULL, -1},
		{"x", NULL, -1}, {"os", NULL, -1}, {"print", NULL, -1}, {"study.nmae", NULL, -1},
		{"at()", NULL, -1}, {"at{ n = 3 }.pairs", NULL, -1}, {"at{ m = 3 }.pairs", NULL, -1},
		{"cases[3].pairs", NULL, -1}, {"cases.x", NULL, -1}, {"study:compare(\"b\")", NULL, -1},
		{"cases[1]:compare(\"a\").speedup", NULL, -1}, {"fixed(\"1\")", NULL, -1}, {"fixed(1, 99)", NULL, -1},
		{"(function() N = 6 return 1 end)()", NULL, -1},
		{"(function() study.name = 1 return 1 end)()", NULL, -1}, {"tostring(cases)", NULL, -1}, {"math.random()", NULL, -1},
		{"1; os.exit()", NULL, -1}, {"error()", NULL, -1}, {"error(cases)", NULL, -1},
	};
	struct host *host = host_new();
	const struct study *study;
	json_t *results;

	(void)state;
	study = load(host);
	results = prose_dummy(study, &study->experiments[0]);
	check_expressions(host, &study->experiments[0], results, cases, sizeof cases / sizeof *cases);
	json_decref(results);
	host_free(host);
}

static void
test_unavailable(void **state)
{
	static const struct expected cases[] = {
		{"cases[1].noise_floor_percent", "unavailable", 1},
		{"fixed(cases[1].noise_floor_percent, 1)", "unavailable", 1},
		{"cases[1]:compare(\"b\").speedup", "unavailable", 1},
		{"cases[1].variants.a.median", "1000.5", 0}, /* nothing of the last call is left */
	};
	struct host *host = host_new();
	const struct study *study;
	json_t *results, *one;

	(void)state;
	study = load(host);
	results = prose_dummy(study, &study->experiments[0]);
	one = json_array_get(json_object_get(results, "cases"), 0);
	json_object_set_new(one, "noise_floor_percent", json_null());
	json_object_set_new(json_object_get(json_object_get(one, "comparisons"), "b/a"), "speedup", json_null());
	check_expressions(host, &study->experiments[0], results, cases, sizeof cases / sizeof *cases);
	json_decref(results);
	host_free(host);
}

/* A result kept beyond its expression stays readable, whatever became of the document. */
static void
test_results_outlive_their_document(void **state)
{
	static const struct expected keep[] = {{"keep(cases[1].variants)", "kept", 0}};
	static const struct expected use[] = {{"kept().a.median", "1000.5", 0}};
	struct host *host = host_new();
	const struct study *study;
	json_t *results;

	(void)state;
	spec_study_write("experiments/e.md",
		"# T\n\n```lua\nlocal value\nfunction keep(x) value = x return \"kept\" end\n"
		"function kept() return value end\nexperiment \"e\" { variants = { variant \"a\" { \"lab\" }, "
		"variant \"b\" { \"lab\" } } }\n```\n");
	study = load(host);
	results = prose_dummy(study, &study->experiments[0]);
	check_expressions(host, &study->experiments[0], results, keep, 1);
	json_decref(results);
	results = prose_dummy(study, &study->experiments[0]);
	check_expressions(host, &study->experiments[0], results, use, 1);
	json_decref(results);
	host_free(host);
}

static void
test_study_json(void **state)
{
	struct host *host = host_new();
	struct error error = {0};
	struct stat before, after;
	const struct study *study;
	json_t *read, *e;

	(void)state;
	study = load(host);
	assert_int_equal(study_json_write(study, "build/study.json", &error), 0);
	assert_int_equal(stat("build/study.json", &before), 0);
	assert_int_equal(study_json_write(study, "build/study.json", &error), 0);
	assert_int_equal(stat("build/study.json", &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	read = json_read_file("build/study.json", &error);
	assert_string_equal(json_get_text(read, "format"), "assay-study-1");
	e = json_array_get(json_object_get(read, "experiments"), 0);
	assert_string_equal(json_get_text(json_array_get(json_object_get(e, "claims"), 0), "text"),
			    "b is at least 1.1 times as fast as a at n=4");
	assert_string_equal(json_get_text(json_array_get(json_object_get(e, "claims"), 0), "id"), "C1");
	assert_int_equal(json_array_size(json_object_get(e, "prose")), 8);
	assert_int_equal(json_get_integer(json_object_get(e, "design"), "pairs", 0), 16);
	json_decref(read);
	host_free(host);
}

static void
test_errors_of_the_caller(void **state)
{
	struct host *host = host_new();
	struct error error = {0};

	(void)state;
	assert_null(host_load(host, "absent.lua", &error));
	assert_non_null(strstr(error.message, "absent.lua"));
	assert_null(host_load(host, "build.ninja.lua", &error)); /* once only */
	host_free(host);
	host_free(NULL);
}

static void
test_many_cases(void **state)
{
	struct host *host = host_new();
	const struct study *study;

	(void)state;
	spec_study_write("experiments/e.md",
		"# T\n\n```lua\nlocal list = {}\nfor i = 1, 1000 do list[i] = i end\n"
		"experiment \"e\" { variants = { variant \"a\" { \"lab\", args = { \"{n}\", \"{m}\" } }, "
		"variant \"b\" { \"lab\" } }, sweep = { n = list, m = { 1, 2 } },\n"
		"when = function(p) return p.n ~= 7 end }\n```\n");
	study = load(host);
	assert_int_equal(study->experiments[0].case_count, 1998);
	assert_string_equal(study->experiments[0].cases[1].treatments[0].args.items[1], "1");
	assert_string_equal(study->experiments[0].cases[1].treatments[0].args.items[0], "2");
	host_free(host);
}

/* A reviewer's machine: the report's text is read where nothing of the study can run. */
static void
test_for_text_nothing_need_be_there(void **state)
{
	static const char spec[] =
		"# T\n\n```lua\nlocal there = program \"there\" { \"a-tool-of-the-author\" }\n"
		"local old = program \"old\" { source = git { \"elsewhere\", rev = \"v1\" }, output = \"x\" }\n"
		"experiment \"e\" { variants = {\n"
		"variant \"a\" { there, stdin = input \"private/data\", cwd = \"gone\" },\n"
		"variant \"b\" { old } } }\n```\n\n{{ experiment.name }}\n";
	struct host *host = host_new();
	struct error error = {0};
	const struct study *study;

	(void)state;
	spec_study_write("experiments/e.md", spec);
	assert_null(host_load(host, "build.ninja.lua", &error));
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	host_free(host);
	host = host_new();
	host_for_text(host);
	study = load(host);
	assert_string_equal(study->experiments[0].name, "e");
	assert_true(study->experiments[0].prose_count > 0);
	host_free(host);
}

int
main(void)
{
#define IN_STUDY(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		IN_STUDY(test_any_memory_limit),
		IN_STUDY(test_a_hopeless_pattern_ends),
		IN_STUDY(test_same_specs_same_bytes),
		IN_STUDY(test_inputs_of_the_graph),
		IN_STUDY(test_runner_in_the_repository),
		IN_STUDY(test_expressions),
		IN_STUDY(test_unavailable),
		IN_STUDY(test_results_outlive_their_document),
		IN_STUDY(test_study_json),
		IN_STUDY(test_errors_of_the_caller),
		IN_STUDY(test_many_cases),
		IN_STUDY(test_for_text_nothing_need_be_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

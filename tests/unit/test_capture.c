/* What a session records of programs and of the machine. */
#include "capture_fixture.h"

/* ---- programs ---- */

static void
test_elf_program(void **state)
{
	json_t *provenance = capture();
	char hex[DIGEST_SHA256_HEX];

	(void)state;
	digest_file(DIGEST_SHA256, "/bin/sh", hex, NULL);
	assert_string_equal(json_string_value(at(provenance, "programs.0.sha256")), hex);
	assert_true(json_string_length(at(provenance, "programs.0.build_id")) >= 16);
	assert_non_null(strstr(json_string_value(at(provenance, "programs.0.libraries.0.path")), ".so"));
	assert_int_equal(json_string_length(at(provenance, "programs.0.libraries.0.sha256")), 64);
	json_decref(provenance);
}

static void
test_program_in_the_study(void **state)
{
	char *self = realpath("/proc/self/exe", NULL);
	json_t *provenance;
	struct error error = {0};

	(void)state;
	assert_int_equal(file_copy(self, "build/bin/k", &error), 0);
	put("build.ninja", "rule cc\n  command = cc -O2 $in -o $out\nbuild build/bin/k: cc k.c\n");
	provenance = capture_program("build/bin/k");
	assert_string_equal(json_string_value(at(provenance, "programs.0.path")), "build/bin/k");
	assert_non_null(strpbrk(json_string_value(at(provenance, "programs.0.compiler")),
				"0123456789"));
	assert_true(json_string_length(at(provenance, "toolchain.version")) > 0);
	assert_string_equal(reason(provenance, "toolchain.command"),
			    "the graph builds none of the programs");
	json_decref(provenance);
	free(self);
}

static void
test_whole_command_line(void **state)
{
	struct plan_treatment treatment = {.name = (char *)"a", .variant = (char *)"a"};
	struct plan plan = {.case_id = (char *)"C", .treatments = &treatment, .treatment_count = 1};
	json_t *provenance;

	(void)state;
	put("build/bin/k", "");
	put("build.ninja", "rule cc\n  command = cc -O2 $in -o $out\nbuild build/bin/k: cc k.c\n");
	treatment.program.path = (char *)"build/bin/k";
	treatment.program.built = true;
	provenance = capture_session(&plan, SESSION, NULL);
	if (json_is_array(at(provenance, "toolchain.command")))
		assert_string_equal(json_string_value(at(provenance, "toolchain.command.0")),
				    "cc -O2 k.c -o build/bin/k");
	else
		assert_string_equal(reason(provenance, "toolchain.command"), "ninja is not installed");
	json_decref(provenance);
}

static void
test_script(void **state)
{
	json_t *provenance;

	(void)state;
	put("k.sh", "#!/usr/bin/env bash\n");
	shell("chmod +x k.sh");
	provenance = capture_program("k.sh");
	assert_non_null(strstr(json_string_value(at(provenance, "interpreters.0.path")), "/bash"));
	assert_non_null(strstr(json_string_value(at(provenance, "interpreters.0.version")), "bash"));
	assert_string_equal(reason(provenance, "programs.0.build_id"), "the file has none");
	json_decref(provenance);
}

static void
test_missing_program(void **state)
{
	json_t *provenance = capture_program("build/bin/gone");

	(void)state;
	assert_non_null(strstr(reason(provenance, "programs.0.sha256"), "No such file"));
	json_decref(provenance);
}

static bool
lists_text(const json_t *list, const char *text)
{
	size_t i;

	for (i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), text) == 0)
			return true;
	return false;
}

/* ---- machine ---- */

static void
test_planted_machine(void **state)
{
	char *root = memory_format("%s/root", folder);
	json_t *provenance;

	(void)state;
	setenv("ASSAY_SYSROOT", root, 1);
	put("../root/proc/cpuinfo", "processor\t: 0\nmodel name\t: Planted 9000\nmicrocode\t: 0x42\n"
				    "flags\t\t: fpu hypervisor sse\n\n");
	put("../root/proc/loadavg", "1.50 0.25 0.10 1/100 7\n");
	put("../root/proc/meminfo", "MemTotal:       1024 kB\n");
	put("../root/proc/sys/kernel/osrelease", "6.6.6\n");
	put("../root/proc/sys/kernel/randomize_va_space", "2\n");
	put("../root/sys/class/thermal/thermal_zone0/temp", "45000\n");
	put("../root/sys/class/thermal/thermal_zone0/type", "x86_pkg_temp\n");
	put("../root/.dockerenv", "");
	put("../root/proc/self/status", "Name:\tassay\nTracerPid:\t77\n");
	put("../root/proc/77/comm", "strace\n");
	put("../root/proc/78/comm", "perf\n");
	put("../root/proc/79/comm", "perf\n");
	put("../root/proc/80/comm", "perfect\n"); /* is no profiler */
	put("../root/proc/81/comm", "callgrind-amd64\n");
	provenance = capture();
	unsetenv("ASSAY_SYSROOT");
	assert_int_equal(json_array_size(at(provenance, "profilers")), 4);
	assert_true(lists_text(at(provenance, "profilers"), "strace traces the session"));
	assert_true(lists_text(at(provenance, "profilers"), "perf"));
	assert_true(lists_text(at(provenance, "profilers"), "callgrind-amd64"));
	assert_string_equal(json_string_value(at(provenance, "cpu.model")), "Planted 9000");
	assert_string_equal(json_string_value(at(provenance, "cpu.microcode")), "0x42");
	assert_string_equal(json_string_value(at(provenance, "kernel.release")), "6.6.6");
	assert_int_equal(json_integer_value(at(provenance, "aslr")), 2);
	assert_string_equal(json_string_value(at(provenance, "memory.MemTotal")), "1024 kB");
	assert_true(json_number_value(at(provenance, "load.1_min")) == 1.5);
	assert_int_equal(json_integer_value(
				 at(provenance, "temperature.thermal_zone0.millidegrees")), 45000);
	assert_string_equal(json_string_value(at(provenance, "virtualisation.container")), "docker");
	assert_true(json_is_true(at(provenance, "virtualisation.hypervisor")));
	assert_non_null(strstr(reason(provenance, "cpu.governor"), "cpufreq"));
	assert_non_null(strstr(reason(provenance, "cpu.isolated"), "No such file"));
	assert_true(json_array_size(at(provenance, "numa")) >= 1);
	assert_true(json_integer_value(at(provenance, "cpu.threads")) >= 1);
	json_decref(provenance);
	free(root);
}

/* Nothing that tells who measured and where, and no variable that was not asked for. */
static void
test_no_secrets(void **state)
{
	char *home = memory_format("%s/home-of-somebody", folder), *text, host[256] = "";
	char *list = memory_format("%s/lib:/opt/lib", home);
	char *tool = memory_format("%s/study/lib/tool.so", folder);
	json_t *provenance;

	(void)state;
	gethostname(host, sizeof host - 1);
	shell("git init -q .");
	setenv("HOME", home, 1);
	setenv("API_TOKEN", "planted-secret", 1);
	setenv("OMP_NUM_THREADS", "3", 1);
	setenv("OMP_TOOL_LIBRARIES", tool, 1);
	setenv("LD_LIBRARY_PATH", list, 1);
	provenance = capture();
	unsetenv("LD_LIBRARY_PATH");
	unsetenv("API_TOKEN");
	text = json_dumps(provenance, 0);
	assert_null(strstr(text, "planted-secret"));
	assert_null(strstr(text, "API_TOKEN"));
	assert_null(strstr(text, folder));
	if (strlen(host) > 8) /* a shorter one may be a word */
		assert_null(strstr(text, host));
	assert_string_equal(json_string_value(at(provenance, "environment.OMP_NUM_THREADS")), "3");
	assert_string_equal(json_string_value(at(provenance, "environment.LD_LIBRARY_PATH")),
			    "~/lib:/opt/lib");
	assert_string_equal(json_string_value(at(provenance, "environment.OMP_TOOL_LIBRARIES")),
			    "lib/tool.so");
	assert_true(json_is_null(at(provenance, "hostname")));
	assert_string_equal(json_string_value(at(provenance, "format")), "assay-provenance-1");
	assert_int_equal(json_string_length(at(provenance, "tool.sha256")), 64);
	json_decref(provenance);
	free(text);
	free(tool);
	free(list);
	free(home);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_elf_program),
		TEST(test_program_in_the_study),
		TEST(test_whole_command_line),
		TEST(test_script),
		TEST(test_missing_program),
		TEST(test_planted_machine),
		TEST(test_no_secrets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

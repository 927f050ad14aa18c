#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/memory.h"
#include "identity/identity.h"
#include "identity/machine.h"
#include "session/regime.h"

/* A machine is a tree of files below a fresh folder. */
static int
make_machine(void **state)
{
	static char folder[64];

	strcpy(folder, "/tmp/assay-machine-XXXXXX");
	*state = folder;
	return mkdtemp(folder) == NULL || setenv("ASSAY_SYSROOT", folder, 1) != 0;
}

static int
remove_machine(void **state)
{
	unsetenv("ASSAY_SYSROOT");
	return file_remove_tree(*state, NULL);
}

static void
put(void **state, const char *path, const char *text)
{
	char *full = memory_format("%s%s", (char *)*state, path);

	assert_int_equal(file_write(full, text, strlen(text), 0, NULL), 0);
	free(full);
}

static void
assert_text(void (*describe)(struct buffer *), const char *expected)
{
	struct buffer out = BUFFER_EMPTY;

	describe(&out);
	assert_string_equal(buffer_text(&out), expected);
	buffer_free(&out);
}

static void
assert_has(void (*describe)(struct buffer *), const char *line)
{
	struct buffer out = BUFFER_EMPTY;

	describe(&out);
	if (strstr(buffer_text(&out), line) == NULL)
		fail_msg("no \"%s\" in:\n%s", line, buffer_text(&out));
	buffer_free(&out);
}

static void
put_server(void **state)
{
	put(state, "/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\n"
				    "model name\t: Intel(R) Xeon(R)  Gold 6248\nmicrocode\t: 0x5003604\n\n"
				    "processor\t: 1\nmodel name\t: another\nmicrocode\t: 0x1\n");
	put(state, "/etc/machine-id", "0123456789abcdef0123456789abcdef\n");
	put(state, "/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
	put(state, "/proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1\n");
	put(state, "/proc/cmdline", "BOOT_IMAGE=/vmlinuz  quiet\n");
	put(state, "/sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI\n");
	put(state, "/sys/devices/system/cpu/vulnerabilities/l1tf", "Not affected\n");
	put(state, "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n");
	put(state, "/sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
	put(state, "/sys/devices/system/cpu/cpufreq/policy2/scaling_governor", "powersave\n");
	put(state, "/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	put(state, "/sys/devices/system/cpu/smt/control", "on\n");
	put(state, "/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
}

static void
server_is_described(void **state)
{
	put_server(state);
	assert_text(machine_identity, "cpu microcode = 0x5003604\n"
				      "cpu model = Intel(R) Xeon(R) Gold 6248\n"
				      "machine id = 34db88756736731ea5b266c4b928cfb2\n");
	assert_text(machine_regime, "boost = on\n"
				    "governor = performance powersave\n"
				    "kernel = 6.1.0-18-amd64\n"
				    "kernel build = #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1\n"
				    "kernel command line = BOOT_IMAGE=/vmlinuz quiet\n"
				    "mitigation l1tf = Not affected\n"
				    "mitigation meltdown = Mitigation: PTI\n"
				    "smt = on\n"
				    "transparent huge pages = madvise\n");
}

/* machine-id(5) asks not to show it; two machines must still differ. */
static void
machine_id_is_salted(void **state)
{
	struct buffer first = BUFFER_EMPTY, second = BUFFER_EMPTY;

	put_server(state);
	machine_identity(&first);
	assert_null(strstr(first.bytes, "0123456789abcdef"));
	put(state, "/etc/machine-id", "0123456789abcdef0123456789abcdee\n");
	machine_identity(&second);
	assert_string_not_equal(first.bytes, second.bytes);
	buffer_free(&first);
	buffer_free(&second);
}

static void
what_cannot_be_read_is_said_with_the_reason(void **state)
{
	(void)state;
	assert_text(machine_identity,
		    "cpu microcode = unavailable: /proc/cpuinfo: No such file or directory\n"
		    "cpu model = unavailable: /proc/cpuinfo: No such file or directory\n"
		    "machine id = unavailable: /etc/machine-id: No such file or directory\n");
	assert_has(machine_regime, "boost = unavailable: /sys/devices/system/cpu/cpufreq/boost: ");
	assert_has(machine_regime, "governor = unavailable: ");
	assert_has(machine_regime, "mitigations = unavailable: ");
	assert_has(machine_regime, "smt = unavailable: ");
}

static void
virtual_machine_without_microcode(void **state)
{
	put(state, "/proc/cpuinfo", "model name\t: AMD EPYC\n");
	put(state, "/etc/machine-id", "\n");
	assert_has(machine_identity, "cpu microcode = unavailable: /proc/cpuinfo: does not say\n");
	assert_has(machine_identity, "machine id = unavailable: /etc/machine-id: is empty\n");
}

static void
arm_core_is_named_by_its_numbers(void **state)
{
	put(state, "/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
				    "CPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n");
	assert_has(machine_identity, "cpu model = 0x41 0xd0c 0x3 1\n");
}

static void
boost_is_read_where_there_is_no_pstate(void **state)
{
	put(state, "/sys/devices/system/cpu/cpufreq/boost", "0\n");
	assert_has(machine_regime, "boost = off\n");
	put(state, "/sys/devices/system/cpu/cpufreq/boost", "1\n");
	assert_has(machine_regime, "boost = on\n");
}

/* What makes another regime, and how a session that it happens to says so. */
static const struct {
	const char *path, *text, *told;
} changes[] = {
	{"/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n", "boost: on -> off\n"},
	{"/sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave\n",
	 "governor: performance powersave -> powersave\n"},
	{"/proc/sys/kernel/osrelease", "6.1.0-19-amd64\n", "kernel: 6.1.0-18-amd64 -> 6.1.0-19-amd64\n"},
	{"/proc/sys/kernel/version", "#2 SMP\n",
	 "kernel build: #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 -> #2 SMP\n"},
	{"/proc/cmdline", "quiet mitigations=off\n",
	 "kernel command line: BOOT_IMAGE=/vmlinuz quiet -> quiet mitigations=off\n"},
	{"/sys/devices/system/cpu/vulnerabilities/l1tf", "Vulnerable\n",
	 "mitigation l1tf: Not affected -> Vulnerable\n"},
	{"/sys/devices/system/cpu/vulnerabilities/meltdown", "Vulnerable\n",
	 "mitigation meltdown: Mitigation: PTI -> Vulnerable\n"},
	{"/sys/devices/system/cpu/vulnerabilities/retbleed", "Vulnerable\n",
	 "mitigation retbleed: none -> Vulnerable\n"},
	{"/sys/devices/system/cpu/smt/control", "off\n", "smt: on -> off\n"},
	{"/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n",
	 "transparent huge pages: madvise -> always\n"},
};
#define CHANGES (sizeof changes / sizeof *changes)

static void
every_change_shows(void **state)
{
	size_t i;

	put_server(state);
	for (i = 0; i < CHANGES; i++) {
		struct buffer told = BUFFER_EMPTY;
		struct regime regime;

		regime_begin(&regime);
		assert_false(regime_changed(&regime, &told));
		put(state, changes[i].path, changes[i].text);
		assert_true(regime_changed(&regime, &told));
		assert_string_equal(buffer_text(&told), changes[i].told);
		regime_end(&regime);
		buffer_free(&told);
	}
}

static void
no_line_of_the_regime_is_without_a_change(void **state)
{
	struct buffer out = BUFFER_EMPTY;
	const char *line;

	put_server(state);
	machine_regime(&out);
	for (line = buffer_text(&out); *line != '\0'; line = strchr(line, '\n') + 1) {
		size_t length = (size_t)(strstr(line, " = ") - line), i = 0;

		while (i < CHANGES && (strncmp(changes[i].told, line, length) != 0 ||
				       changes[i].told[length] != ':'))
			i++;
		if (i == CHANGES)
			fail_msg("no change is tried of '%.*s'", (int)length, line);
	}
	buffer_free(&out);
}

/* What a program loads as it runs is of the regime too, by its content. */
static void
library_of_another_content_shows(void **state)
{
	char *path = memory_format("%s/lib/libx.so.1", (char *)*state);
	struct buffer told = BUFFER_EMPTY;
	struct regime regime;
	char *before;

	put_server(state);
	put(state, "/lib/libx.so.1", "one");
	regime_begin(&regime);
	regime_add_libraries(&regime, path);
	regime_add_libraries(&regime, "/proc/cpuinfo\n/tmp/data.bin\n");
	assert_int_equal(regime.library_count, 1);
	before = memory_copy_text(regime_text(&regime));
	put(state, "/lib/libx.so.1", "two");
	identity_diff(before, regime_text(&regime), &told);
	assert_non_null(strstr(buffer_text(&told), "lib/libx.so.1: "));
	assert_int_equal(strncmp(buffer_text(&told), "library ", 8), 0);
	assert_ptr_equal(strchr(buffer_text(&told), '\n') + 1, buffer_text(&told) + told.length);
	regime_end(&regime);
	buffer_free(&told);
	free(before);
	free(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(server_is_described, make_machine, remove_machine),
		cmocka_unit_test_setup_teardown(machine_id_is_salted, make_machine, remove_machine),
		cmocka_unit_test_setup_teardown(what_cannot_be_read_is_said_with_the_reason,
						make_machine, remove_machine),
		cmocka_unit_test_setup_teardown(virtual_machine_without_microcode, make_machine,
						remove_machine),
		cmocka_unit_test_setup_teardown(arm_core_is_named_by_its_numbers, make_machine,
						remove_machine),
		cmocka_unit_test_setup_teardown(boost_is_read_where_there_is_no_pstate,
						make_machine, remove_machine),
		cmocka_unit_test_setup_teardown(every_change_shows, make_machine, remove_machine),
		cmocka_unit_test_setup_teardown(no_line_of_the_regime_is_without_a_change, make_machine,
						remove_machine),
		cmocka_unit_test_setup_teardown(library_of_another_content_shows, make_machine,
						remove_machine),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}

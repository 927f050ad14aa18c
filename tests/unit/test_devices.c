/*
 * What a session records of CUDA devices, asked of stand-ins for nvidia-smi and nvcc.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "provenance/capture_parts.h"

static char *folder, *path_before;

static int
set_up(void **state)
{
	char name[] = "/tmp/assay-devices-XXXXXX";
	char *path;

	(void)state;
	folder = memory_copy_text(mkdtemp(name));
	path_before = memory_copy_text(getenv("PATH"));
	path = memory_format("%s:/usr/bin:/bin", folder);
	setenv("PATH", path, 1);
	setenv("CUDA_PATH", folder, 1);
	free(path);
	path = memory_format("%s/bin", folder);
	mkdir(path, 0777);
	free(path);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	setenv("PATH", path_before, 1);
	unsetenv("CUDA_PATH");
	file_remove_tree(folder, NULL);
	free(path_before);
	free(folder);
	return 0;
}

static void
stand_in(const char *name, const char *script)
{
	char *path = memory_format("%s/%s", folder, name);
	char *text = memory_format("#!/bin/sh\n%s\n", script);

	assert_int_equal(file_write(path, text, strlen(text), 0, NULL), 0);
	assert_int_equal(chmod(path, 0755), 0);
	free(text);
	free(path);
}

static json_t *
capture(void)
{
	json_t *provenance = json_object();

	capture_devices(provenance);
	return provenance;
}

static const char *
reason(const json_t *provenance, const char *name)
{
	return json_get_text(json_object_get(provenance, name), "unavailable");
}

static void
test_no_driver_and_no_compiler(void **state)
{
	json_t *provenance = capture();

	(void)state;
	assert_non_null(strstr(reason(provenance, "devices"), "nvidia-smi: "));
	assert_non_null(strstr(reason(provenance, "device_toolkit"), "nvcc: "));
	json_decref(provenance);
}

static void
test_devices_and_toolkit(void **state)
{
	json_t *provenance, *devices;

	(void)state;
	stand_in("nvidia-smi",
		 "test \"$*\" = '--query-gpu=name,uuid,driver_version,memory.total,compute_cap --format=csv,noheader' || exit 2\n"
		 "echo 'NVIDIA H200, GPU-01234567-89ab-cdef-0123-456789abcdef, 570.86.15, 143771 MiB, 9.0'\n"
		 "echo 'NVIDIA T4, GPU-1, 570.86.15'");
	stand_in("bin/nvcc", "echo 'nvcc: NVIDIA (R) Cuda compiler driver'\n"
			 "echo 'Cuda compilation tools, release 13.0, V13.0.88'\necho 'Build x'");
	provenance = capture();
	devices = json_object_get(provenance, "devices");
	assert_int_equal(json_array_size(devices), 2);
	assert_string_equal(json_get_text(json_array_get(devices, 0), "name"), "NVIDIA H200");
	assert_string_equal(json_get_text(json_array_get(devices, 0), "uuid"),
			    "GPU-01234567-89ab-cdef-0123-456789abcdef");
	assert_string_equal(json_get_text(json_array_get(devices, 0), "driver"), "570.86.15");
	assert_string_equal(json_get_text(json_array_get(devices, 0), "memory"), "143771 MiB");
	assert_string_equal(json_get_text(json_array_get(devices, 0), "compute_capability"), "9.0");
	assert_string_equal(json_get_text(json_array_get(devices, 1), "driver"), "570.86.15");
	assert_string_equal(reason(json_array_get(devices, 1), "memory"), "nvidia-smi does not tell");
	assert_string_equal(json_get_text(provenance, "device_toolkit"), "13.0, V13.0.88");
	json_decref(provenance);
}

/* Its words for a driver that is not loaded go to stdout. */
static void
test_a_refusal_is_told_in_its_words(void **state)
{
	json_t *provenance;

	(void)state;
	stand_in("nvidia-smi", "echo \"NVIDIA-SMI has failed because it couldn't communicate with the "
			       "NVIDIA driver.\"; echo; exit 9");
	stand_in("nvcc", "echo something else");
	provenance = capture();
	assert_non_null(strstr(reason(provenance, "devices"), "couldn't communicate with the NVIDIA driver."));
	assert_string_equal(reason(provenance, "device_toolkit"), "nvcc --version names no release");
	json_decref(provenance);
	stand_in("nvidia-smi", "exit 0");
	provenance = capture();
	assert_string_equal(reason(provenance, "devices"), "nvidia-smi lists no device");
	json_decref(provenance);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_no_driver_and_no_compiler),
		TEST(test_devices_and_toolkit),
		TEST(test_a_refusal_is_told_in_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a program brings into memory: what counts in the digest of an executable, and what does not. */
#include <fcntl.h>
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

#include "base/digest.h"
#include "base/file.h"
#include "identity/elf_content.h"
#include "tests/unit/identity_folder.h"

static void
content(const char *path, char hex[DIGEST_SHA256_HEX])
{
	struct error error = {0};

	if (elf_content_digest(path, hex, &error) != 0)
		fail_msg("%s", error.message);
}

static void
assert_same_content(const char *a, const char *b)
{
	char first[DIGEST_SHA256_HEX], second[DIGEST_SHA256_HEX];

	content(a, first);
	content(b, second);
	assert_string_equal(first, second);
}

static void
assert_other_content(const char *a, const char *b)
{
	char first[DIGEST_SHA256_HEX], second[DIGEST_SHA256_HEX];

	content(a, first);
	content(b, second);
	assert_string_not_equal(first, second);
}

static void
assert_other_bytes(const char *a, const char *b)
{
	char first[DIGEST_SHA256_HEX], second[DIGEST_SHA256_HEX];

	digest_file(DIGEST_SHA256, a, first, NULL);
	digest_file(DIGEST_SHA256, b, second, NULL);
	assert_string_not_equal(first, second);
}

static void
comment_does_not_count(void **state)
{
	static const char *const flags[] = {"", "-g", "-g -static"};
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		compile("a", SOURCE, flags[i]);
		compile("b", "/* a comment at the top */\n" SOURCE "/* and one at the end */\n",
			flags[i]);
		assert_same_content("a", "b");
		if (i > 0)
			assert_other_bytes("a", "b");
	}
}

static void
edit_and_flag_count(void **state)
{
	(void)state;
	compile("a", SOURCE, "-g");
	compile("b", "int main(void)\n{\n\treturn 43;\n}\n", "-g");
	compile("c", SOURCE, "-g -O0");
	assert_other_content("a", "b");
	assert_other_content("a", "c");
}

static void
build_id_and_debug_sections_do_not_count(void **state)
{
	(void)state;
	compile("a", SOURCE, "-g -Wl,--build-id=0x0123456789abcdef");
	compile("b", SOURCE, "-g -Wl,--build-id=0xfedcba9876543210");
	assert_other_bytes("a", "b");
	assert_same_content("a", "b");
	run("strip --strip-debug a -o c");
	assert_other_bytes("a", "c");
	assert_same_content("a", "c");
	run("strip a -o d");
	assert_same_content("a", "d");
}

static void
data_and_stack_flags_count(void **state)
{
	(void)state;
	compile("a", "int x = 1;\n" SOURCE, "");
	compile("b", "int x = 2;\n" SOURCE, "");
	compile("c", "int x = 1;\n" SOURCE, "-Wl,-z,execstack");
	compile("d", "int x = 1;\nchar more[4096];\n" SOURCE, "");
	assert_other_content("a", "b");
	assert_other_content("a", "c");
	assert_other_content("a", "d");
}

static void
appended_bytes_count(void **state)
{
	(void)state;
	compile("a", SOURCE, "");
	run("cp a b; echo payload >>b");
	run("cp a c; echo PAYLOAD >>c");
	assert_other_content("a", "b");
	assert_other_content("b", "c");
}

static void
damaged_and_foreign_files_count_whole(void **state)
{
	(void)state;
	compile("a", SOURCE, "");
	run("head -c 3000 a >b; head -c 3001 a >c");
	assert_other_content("b", "c");
	put_file("d", "no ELF");
	put_file("e", "no elf");
	put_file("f", "no ELF");
	assert_other_content("d", "e");
	assert_same_content("d", "f");
	assert_int_equal(elf_content_digest("none", (char[DIGEST_SHA256_HEX]){0}, NULL), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(comment_does_not_count),
		IN_FOLDER(edit_and_flag_count),
		IN_FOLDER(build_id_and_debug_sections_do_not_count),
		IN_FOLDER(data_and_stack_flags_count),
		IN_FOLDER(appended_bytes_count),
		IN_FOLDER(damaged_and_foreign_files_count_whole),
	};

	return cmocka_run_group_tests_name("elf_content", tests, NULL, NULL);
}

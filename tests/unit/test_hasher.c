/* Digests over runs: a file is not hashed again, and never believed when it may have changed. */
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

#include "base/buffer.h"
#include "base/file.h"
#include "identity/escape.h"
#include "identity/hasher.h"
#include "tests/unit/identity_folder.h"

/* As if the cache had been written ten seconds later, when nothing in it was fresh any more. */
static void
age_cache(void)
{
	struct buffer old = BUFFER_EMPTY, out = BUFFER_EMPTY;
	char *rest, *line;

	assert_int_equal(file_read("cache", 0, &old, NULL), 0);
	for (rest = old.bytes; (line = strsep(&rest, "\n")) != NULL && rest != NULL;) {
		char kind[4], hex[DIGEST_SHA256_HEX];
		long long hashed;
		int used = 0;

		assert_int_equal(sscanf(line, "%3s %64s %lld%n", kind, hex, &hashed, &used), 3);
		buffer_printf(&out, "%s %s %lld%s\n", kind, hex, hashed + 10000000000LL, line + used);
	}
	put_file("cache", out.bytes);
	buffer_free(&old);
	buffer_free(&out);
}

/* Makes the cache lie, so that an answer from it can be told from one of the file. */
static void
forge_cache(void)
{
	run("sed -i -E 's/^([01]) [0-9a-f]{4}/\\1 0000/' cache");
}

static void
digest_of(const char *path, char hex[DIGEST_SHA256_HEX])
{
	struct hasher *hasher = hasher_open("cache");

	assert_int_equal(hasher_digest(hasher, HASH_ALL, path, hex, NULL), 0);
	hasher_close(hasher);
}

static bool
is_forged(const char *path)
{
	char hex[DIGEST_SHA256_HEX];

	digest_of(path, hex);
	return strncmp(hex, "0000", 4) == 0;
}

static void
make_forged_cache(bool aged)
{
	unlink("cache");
	put_file("file", "abc");
	assert_false(is_forged("file"));
	if (aged)
		age_cache();
	forge_cache();
}

static void
unchanged_file_is_not_hashed_again(void **state)
{
	(void)state;
	make_forged_cache(true);
	assert_true(is_forged("file"));
}

static void
fresh_digest_is_not_trusted(void **state)
{
	(void)state;
	make_forged_cache(false);
	assert_false(is_forged("file"));
}

static void
any_change_is_noticed(void **state)
{
	static const char *const changes[] = {
		"echo abcd >file",                                     /* another size */
		"cp -p file other && printf abd >file && touch -r other file", /* rewritten in place */
		"printf abd >other && touch -r file other && mv other file", /* replaced, same times */
		"printf abd >other && touch -d 2001-01-01 other && mv other file", /* an older one */
		"touch file",
		"ln -sf /etc/passwd file",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		make_forged_cache(true);
		run("%s", changes[i]);
		assert_false(is_forged("file"));
	}
}

static void
damaged_cache_is_no_cache(void **state)
{
#define ZEROS "00000000000000000000000000000000"
	static const char *const texts[] = {"", "\n\n", "0 00 1 2 3 4 5 6 file\n", "rubbish",
					    ("9 " ZEROS ZEROS " 1 2 3 4 5 6 file\n")};
	char good[DIGEST_SHA256_HEX], hex[DIGEST_SHA256_HEX];
	size_t i;

	(void)state;
	put_file("file", "abc");
	digest_file(DIGEST_SHA256, "file", good, NULL);
	for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		put_file("cache", texts[i]);
		digest_of("file", hex);
		assert_string_equal(hex, good);
	}
}

static void
odd_file_names_survive_the_cache(void **state)
{
	static const char name[] = "a b\n%41=\xc3\xa4";
	char hex[DIGEST_SHA256_HEX];
	struct hasher *hasher;

	(void)state;
	put_file(name, "abc");
	digest_of(name, hex);
	age_cache();
	forge_cache();
	hasher = hasher_open("cache");
	hasher_digest(hasher, HASH_ALL, name, hex, NULL);
	assert_memory_equal(hex, "0000", 4);
	hasher_close(hasher);
}

static void
escaping_goes_both_ways(void **state)
{
	struct buffer out = BUFFER_EMPTY;

	(void)state;
	escape_put(&out, "a=b c%\n\x7f\xc3\xa4", "=");
	assert_string_equal(out.bytes, "a%3Db c%25%0A%7F\xc3\xa4");
	escape_undo(out.bytes);
	assert_string_equal(out.bytes, "a=b c%\n\x7f\xc3\xa4");
	buffer_free(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(unchanged_file_is_not_hashed_again),
		IN_FOLDER(fresh_digest_is_not_trusted),
		IN_FOLDER(any_change_is_noticed),
		IN_FOLDER(damaged_cache_is_no_cache),
		IN_FOLDER(odd_file_names_survive_the_cache),
		cmocka_unit_test(escaping_goes_both_ways),
	};

	return cmocka_run_group_tests_name("hasher", tests, NULL, NULL);
}

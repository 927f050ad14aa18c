/* Where writing a file ends up: what is replaced, and what must not be. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/digest.h"
#include "base/file.h"

static char folder[] = "/tmp/assay-test-XXXXXX";

static int
set_up(void **state)
{
	(void)state;
	return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int
tear_down(void **state)
{
	(void)state;
	return chdir("/") != 0 || file_remove_tree(folder, NULL) != 0;
}

static void
put(const char *path, const char *text, unsigned flags)
{
	struct error error = {0};

	if (file_write(path, text, strlen(text), flags, &error) != 0)
		fail_msg("%s", error.message);
}

static void
assert_holds(const char *path, const char *text)
{
	struct buffer content = BUFFER_EMPTY;

	assert_int_equal(file_read(path, 0, &content, NULL), 0);
	assert_string_equal(buffer_text(&content), text);
	buffer_free(&content);
}

static mode_t
kind(const char *path)
{
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	return status.st_mode & S_IFMT;
}

static void
a_file_is_replaced_whole(void **state)
{
	struct stat before, after;

	(void)state;
	put("a/b/file", "one", 0);
	assert_int_equal(stat("a/b/file", &before), 0);
	put("a/b/file", "one", FILE_IF_CHANGED);
	assert_int_equal(stat("a/b/file", &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	put("a/b/file", "two", FILE_IF_CHANGED);
	assert_int_equal(stat("a/b/file", &after), 0);
	assert_int_not_equal(before.st_ino, after.st_ino);
	assert_holds("a/b/file", "two");
}

static void
a_record_is_never_replaced(void **state)
{
	struct error error = {0};

	(void)state;
	put("record", "one", FILE_NO_REPLACE | FILE_SYNC);
	assert_int_equal(file_write("record", "two", 3, FILE_NO_REPLACE | FILE_SYNC, &error), -1);
	assert_holds("record", "one");
	assert_int_equal(mkfifo("pipe as record", 0600), 0);
	assert_int_equal(file_write("pipe as record", "two", 3, FILE_NO_REPLACE, &error), -1);
}

/* A rename over /dev/null would take it from everybody. */
static void
a_device_or_a_pipe_is_written_into(void **state)
{
	char got[8] = "";
	int pipe;

	(void)state;
	assert_int_equal(mkfifo("pipe", 0600), 0);
	pipe = open("pipe", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	put("pipe", "one", FILE_IF_CHANGED);
	assert_int_equal(read(pipe, got, sizeof got), 3);
	assert_string_equal(got, "one");
	assert_int_equal(kind("pipe"), S_IFIFO);
	assert_int_equal(symlink("pipe", "link to a pipe"), 0);
	put("link to a pipe", "two", 0);
	assert_int_equal(read(pipe, got, sizeof got), 3);
	assert_int_equal(kind("link to a pipe"), S_IFLNK);
	close(pipe);
}

static void
what_a_link_leads_to_is_replaced(void **state)
{
	(void)state;
	put("target", "one", 0);
	assert_int_equal(symlink("target", "link"), 0);
	put("link", "two", 0);
	assert_int_equal(kind("link"), S_IFLNK);
	assert_holds("target", "two");
}

static void
a_pipe_is_refused_and_not_waited_for(void **state)
{
	struct buffer text = BUFFER_EMPTY;
	struct error error = {0};
	char hex[DIGEST_SHA256_HEX];

	(void)state;
	assert_int_equal(mkfifo("a pipe", 0600), 0);
	assert_int_equal(file_read("a pipe", 0, &text, &error), -1);
	assert_non_null(strstr(error.message, "pipe"));
	assert_int_equal(digest_file(DIGEST_SHA256, "a pipe", hex, NULL), -1);
	assert_int_equal(file_read("/dev/zero", 10, &text, NULL), -1);
	assert_int_equal(file_read("/dev/null", 10, &text, NULL), 0);
	assert_int_equal(text.length, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_replaced_whole),
		cmocka_unit_test(a_record_is_never_replaced),
		cmocka_unit_test(a_device_or_a_pipe_is_written_into),
		cmocka_unit_test(what_a_link_leads_to_is_replaced),
		cmocka_unit_test(a_pipe_is_refused_and_not_waited_for),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

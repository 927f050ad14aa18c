#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/file.h"
#include "cli/commands.h"

struct scene {
	char base[64], folder[80];
	int said[2]; /* what commands print */
	struct buffer text;
};

static int
set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof *scene);

	strcpy(scene->base, "/tmp/assay-test-XXXXXX");
	if (mkdtemp(scene->base) == NULL || pipe(scene->said) != 0)
		return -1;
	snprintf(scene->folder, sizeof scene->folder, "%s/lock", scene->base);
	setenv("ASSAY_LOCK_DIR", scene->folder, 1);
	*state = scene;
	return 0;
}

static int
tear_down(void **state)
{
	struct scene *scene = *state;

	file_remove_tree(scene->base, NULL);
	close(scene->said[0]);
	if (scene->said[1] >= 0)
		close(scene->said[1]);
	buffer_free(&scene->text);
	free(scene);
	return 0;
}

/* Runs "assay lock …" in a child; the arguments end with NULL. */
static pid_t
begin(struct scene *scene, char *first, ...)
{
	char *argv[16] = {(char *)"lock", first};
	int argc = 2;
	va_list more;
	pid_t pid;

	va_start(more, first);
	while ((argv[argc] = va_arg(more, char *)) != NULL)
		argc++;
	va_end(more);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid != 0)
		return pid;
	alarm(60);
	dup2(scene->said[1], 1);
	dup2(scene->said[1], 2);
	close(scene->said[0]);
	close(scene->said[1]);
	argc = command_lock.run(argc, argv);
	fflush(NULL);
	_exit(argc);
}

static int
end(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* All that was printed; call it once, at the end. */
static const char *
printed(struct scene *scene)
{
	char bytes[1024];
	ssize_t got;

	close(scene->said[1]);
	scene->said[1] = -1;
	while ((got = read(scene->said[0], bytes, sizeof bytes)) > 0)
		buffer_append(&scene->text, bytes, (size_t)got);
	return buffer_text(&scene->text);
}

#define BEGIN(...) begin(*state, (char *)__VA_ARGS__, NULL)

static void
test_the_commands_exit_code_is_ours(void **state)
{
	assert_int_equal(end(BEGIN("shared", "--", "sh", "-c", "exit 7")), 7);
	assert_int_equal(end(BEGIN("exclusive", "--who", "me", "--", "true")), 0);
	assert_int_equal(end(BEGIN("--who", "me", "shared", "true")), 0);
	assert_int_equal(end(BEGIN("shared", "--", "sh", "-c", "kill -9 $$")), -SIGKILL);
	assert_int_equal(end(BEGIN("shared", "--", "no-such-command")), 127);
	assert_int_equal(end(BEGIN("shared", "--", "/etc/passwd")), 126);
}

static void
test_misuse(void **state)
{
	assert_int_equal(end(BEGIN("alone", "--", "true")), 2);
	assert_int_equal(end(BEGIN("shared", "--")), 2);
	assert_int_equal(end(BEGIN("--who", "me")), 2);
}

static void
test_the_hold_lasts_as_long_as_the_command(void **state)
{
	struct scene *scene = *state;
	char log[120], what[64];
	struct buffer text = BUFFER_EMPTY;

	/* the log holds the acquire and no release while the command runs */
	snprintf(log, sizeof log, "%s/log-%d", scene->folder, (int)geteuid());
	snprintf(what, sizeof what, "cat \"$ASSAY_LOCK_DIR/log-%d\"", (int)geteuid());
	assert_int_equal(end(BEGIN("exclusive", "--who", "me", "--", "sh", "-c", what)), 0);
	assert_non_null(strstr(printed(scene), " exclusive acquire me\n"));
	assert_null(strstr(buffer_text(&scene->text), "release"));
	assert_int_equal(file_read(log, 0, &text, NULL), 0);
	assert_non_null(strstr(text.bytes, " exclusive release me\n"));
	buffer_free(&text);
}

static void
test_who_defaults_to_the_command(void **state)
{
	struct scene *scene = *state;
	char what[64];

	snprintf(what, sizeof what, "tail -n 1 \"$ASSAY_LOCK_DIR/log-%d\"", (int)geteuid());
	assert_int_equal(end(BEGIN("shared", "--", "sh", "-c", what)), 0);
	assert_non_null(strstr(printed(scene), "shared acquire sh -c tail -n 1 "));
}

static void
test_status(void **state)
{
	struct scene *scene = *state;

	assert_int_equal(end(BEGIN("--status")), 0);
	assert_non_null(strstr(printed(scene), "nobody holds the lock"));
}

static void
test_signals_are_passed_on(void **state)
{
	struct scene *scene = *state;
	char ready[6];
	pid_t pid = BEGIN("shared", "--", "sh", "-c",
			  "sleep 60 & trap \"kill $!; exit 9\" TERM; echo ready; wait");

	assert_int_equal(read(scene->said[0], ready, sizeof ready), sizeof ready);
	kill(pid, SIGTERM);
	assert_int_equal(end(pid), 9);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_the_commands_exit_code_is_ours),
		TEST(test_misuse),
		TEST(test_the_hold_lasts_as_long_as_the_command),
		TEST(test_who_defaults_to_the_command),
		TEST(test_status),
		TEST(test_signals_are_passed_on),
	};

	unsetenv("ASSAY_LOCK_TOKEN"); /* of the hold that the tests themselves run under */
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/file.h"
#include "launch_acts.h"
#include "session/launch.h"

/* A group to be launched, and what became of it. */
struct scene {
	char folder[64], out[80], err[80];
	char *argv[8], *envp[4];
	struct launch_request request;
	struct launch_result result;
	struct error error;
	struct buffer text;
};

static int
set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof *scene);

	strcpy(scene->folder, "/tmp/assay-test-XXXXXX");
	if (mkdtemp(scene->folder) == NULL)
		return -1;
	snprintf(scene->out, sizeof scene->out, "%s/out", scene->folder);
	snprintf(scene->err, sizeof scene->err, "%s/err", scene->folder);
	scene->request = (struct launch_request){
		.program = act_program(), .argv = scene->argv, .envp = scene->envp,
		.stdout_path = scene->out, .stderr_path = scene->err, .timeout_s = 60,
		.output_limit_bytes = 1 << 20,
	};
	*state = scene;
	return launch_prepare(NULL);
}

static int
tear_down(void **state)
{
	struct scene *scene = *state;

	launch_result_free(&scene->result);
	buffer_free(&scene->text);
	file_remove_tree(scene->folder, NULL);
	free(scene);
	return 0;
}

static void
set_act(struct scene *scene, const char *name, const char *first, const char *second)
{
	scene->argv[0] = (char *)"program";
	scene->argv[1] = (char *)name;
	scene->argv[2] = (char *)first;
	scene->argv[3] = (char *)second;
}

static void
launch(struct scene *scene, const char *name, const char *first)
{
	set_act(scene, name, first, NULL);
	if (launch_run(&scene->request, NULL, &scene->result, &scene->error) != 0)
		fail_msg("%s", scene->error.message);
}

static const char *
written(struct scene *scene, const char *path)
{
	buffer_clear(&scene->text);
	assert_int_equal(file_read(path, 0, &scene->text, NULL), 0);
	return buffer_text(&scene->text);
}

static void
test_arguments_and_environment_exactly_as_given(void **state)
{
	struct scene *scene = *state;

	scene->envp[0] = (char *)"B=2";
	scene->envp[1] = (char *)"A=x y";
	launch(scene, "print-arguments", "$HOME *");
	assert_int_equal(scene->result.end, LAUNCH_EXITED);
	assert_int_equal(scene->result.exit_code, 0);
	assert_string_equal(written(scene, scene->out), "$HOME *\nenv B=2\nenv A=x y\n");
	assert_string_equal(written(scene, scene->err), "");
	assert_true(scene->result.wall_us > 0 && scene->result.max_rss_kib > 0);
	assert_true(scene->result.started_realtime_ns > 0 && scene->result.started_monotonic_ns > 0);
	assert_int_equal(scene->result.leftovers, 0);
	assert_false(scene->result.pinned);
}

static void
test_input_and_both_outputs(void **state)
{
	struct scene *scene = *state;
	char path[80];

	launch(scene, "copy-input", NULL); /* from /dev/null */
	assert_string_equal(written(scene, scene->out), "");
	assert_string_equal(written(scene, scene->err), "to stderr");
	launch_result_free(&scene->result);
	snprintf(path, sizeof path, "%s/in", scene->folder);
	assert_int_equal(file_write(path, "some input\n", 11, 0, NULL), 0);
	assert_int_equal(file_write(scene->out, "what an older group wrote", 25, 0, NULL), 0);
	scene->request.stdin_path = path;
	launch(scene, "copy-input", NULL);
	assert_string_equal(written(scene, scene->out), "some input\n");
	scene->request.stdin_path = "/nonexistent/input";
	assert_int_equal(launch_run(&scene->request, NULL, &scene->result, &scene->error), -1);
	assert_non_null(strstr(scene->error.message, "/nonexistent/input"));
}

static void
test_folder(void **state)
{
	struct scene *scene = *state;
	char expected[80];

	scene->request.cwd = scene->folder;
	launch(scene, "print-folder", NULL);
	snprintf(expected, sizeof expected, "%s\n", scene->folder);
	assert_string_equal(written(scene, scene->out), expected);
}

static void
test_exit_code_and_signal(void **state)
{
	struct scene *scene = *state;

	launch(scene, "end-with", "7");
	assert_int_equal(scene->result.end, LAUNCH_EXITED);
	assert_int_equal(scene->result.exit_code, 7);
	launch(scene, "crash", NULL);
	assert_int_equal(scene->result.end, LAUNCH_SIGNALLED);
	assert_int_equal(scene->result.signal_number, SIGSEGV);
}

static void
assert_not_started(struct scene *scene, const char *program, int number)
{
	scene->request.program = program;
	launch(scene, "end-with", "0");
	assert_int_equal(scene->result.end, LAUNCH_NOT_STARTED);
	assert_int_equal(scene->result.start_error, number);
}

static void
test_what_cannot_be_started_is_told(void **state)
{
	struct scene *scene = *state;
	char path[80];

	snprintf(path, sizeof path, "%s/program", scene->folder);
	assert_not_started(scene, path, ENOENT);
	assert_int_equal(file_write(path, "no program", 10, 0, NULL), 0);
	assert_not_started(scene, path, EACCES); /* no exec bit */
	assert_int_equal(file_write(path, "no program", 10, FILE_EXECUTABLE, NULL), 0);
	assert_not_started(scene, path, ENOEXEC);
	scene->request.cwd = "/nonexistent";
	assert_not_started(scene, act_program(), ENOENT);
}

static void
test_a_clean_state_whatever_ours_is(void **state)
{
	struct scene *scene = *state;
	sigset_t mask, before, after;
	const char *text;

	memset(&before, 0, sizeof before);
	memset(&after, 0, sizeof after);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(launch_prepare(NULL), 0);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR2);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	sigprocmask(SIG_BLOCK, NULL, &before);
	launch(scene, "print-state", NULL);
	sigprocmask(SIG_BLOCK, NULL, &after);
	assert_memory_equal(&before, &after, sizeof before);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
	signal(SIGUSR1, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	text = written(scene, scene->out);
	assert_null(strstr(text, "signal"));
	assert_non_null(strstr(text, "session own, core none\n"));
}

static void
test_no_other_descriptors(void **state)
{
	struct scene *scene = *state;
	int leaky = open("/dev/null", O_RDONLY), inherited = dup2(leaky, 77);

	launch(scene, "print-descriptors", NULL);
	assert_string_equal(written(scene, scene->out), "0\n1\n2\n");
	close(leaky);
	close(inherited);
}

static void
test_pinned_to_the_cpus_asked_for(void **state)
{
	struct scene *scene = *state;
	char expected[32];
	int cpus[16], count = launch_cpus("last", cpus, 16, NULL);

	assert_int_equal(count, 1);
	scene->request.cpus = cpus;
	scene->request.cpu_count = count;
	launch(scene, "print-state", NULL);
	assert_true(scene->result.pinned);
	snprintf(expected, sizeof expected, "none\ncpu %d\n", cpus[0]);
	assert_non_null(strstr(written(scene, scene->out), expected));
	cpus[0] = 65000; /* no machine of ours has it: told, and run all the same */
	launch(scene, "print-state", NULL);
	assert_int_equal(scene->result.end, LAUNCH_EXITED);
	assert_false(scene->result.pinned);
}

static void
test_timeout_ends_the_whole_group(void **state)
{
	struct scene *scene = *state;

	scene->request.timeout_s = 0.1;
	launch(scene, "hang", NULL);
	assert_int_equal(scene->result.end, LAUNCH_TIMED_OUT);
	assert_int_equal(scene->result.exit_code, 124);
	assert_true(scene->result.wall_us >= 1e5);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child of any kind is left */
	assert_int_equal(errno, ECHILD);
}

static void
test_output_limit(void **state)
{
	static const char *const ways[][2] = {{"1", NULL}, {"2", NULL}, {"1", "ignores SIGXFSZ"}};
	struct scene *scene = *state;
	struct stat status;
	size_t i;

	for (i = 0; i < 3; i++) {
		set_act(scene, "flood", ways[i][0], ways[i][1]);
		assert_int_equal(launch_run(&scene->request, NULL, &scene->result, NULL), 0);
		assert_int_equal(scene->result.end, LAUNCH_OUTPUT_LIMIT);
		assert_int_equal(stat(ways[i][0][0] == '1' ? scene->out : scene->err, &status), 0);
		assert_true(status.st_size <= (1 << 20) + 1);
	}
}

static void
test_a_file_of_its_own_over_the_limit_is_no_output(void **state)
{
	struct scene *scene = *state;
	char path[80];

	snprintf(path, sizeof path, "%s/own", scene->folder);
	launch(scene, "flood-own-file", path);
	assert_int_equal(scene->result.end, LAUNCH_SIGNALLED);
	assert_int_equal(scene->result.signal_number, SIGXFSZ);
}

static void
assert_gone(pid_t pid)
{
	assert_true(pid > 1);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void
test_a_setsid_grandchild_is_ended(void **state)
{
	struct scene *scene = *state;
	int first, second;

	launch(scene, "leave-behind", NULL);
	assert_int_equal(scene->result.end, LAUNCH_EXITED);
	assert_int_equal(scene->result.leftovers, 2);
	assert_int_equal(sscanf(written(scene, scene->out), "%d %d", &first, &second), 2);
	assert_gone(first);
	assert_gone(second);
	launch(scene, "leave-a-dead-one", NULL);
	assert_int_equal(scene->result.leftovers, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* reaped all the same */
	assert_int_equal(errno, ECHILD);
}

static void
test_processes_of_other_origin_are_left_alone(void **state)
{
	struct scene *scene = *state;
	pid_t other = fork();

	if (other == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	launch(scene, "leave-behind", NULL);
	assert_int_equal(scene->result.leftovers, 2);
	assert_int_equal(waitpid(other, NULL, WNOHANG), 0); /* still runs */
	kill(other, SIGKILL);
	assert_int_equal(waitpid(other, NULL, 0), other);
}

static volatile int interrupted;

static void
on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static void
test_an_interrupt_ends_the_group(void **state)
{
	struct scene *scene = *state;
	struct sigaction action = {.sa_handler = on_interrupt}, before;

	sigaction(SIGINT, &action, &before);
	interrupted = 0;
	set_act(scene, "interrupt-launcher", NULL, NULL);
	assert_int_equal(launch_run(&scene->request, &interrupted, &scene->result, NULL), 0);
	assert_int_equal(scene->result.end, LAUNCH_INTERRUPTED);
	/* it came before the launch: */
	set_act(scene, "hang", NULL, NULL);
	assert_int_equal(launch_run(&scene->request, &interrupted, &scene->result, NULL), 0);
	assert_int_equal(scene->result.end, LAUNCH_INTERRUPTED);
	sigaction(SIGINT, &before, NULL);
}

static bool
may_trace(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status == 0;
}

static void
assert_sorted(const char *lines)
{
	const char *next;

	for (; (next = strchr(lines, '\n') + 1)[0] != '\0'; lines = next)
		assert_true(strcmp(lines, next) < 0);
}

static void
test_libraries_loaded_while_it_ran(void **state)
{
	struct scene *scene = *state;
	char library[80], line[90], *paths;
	Dl_info found;

	if (!may_trace()) {
		print_message("the kernel forbids tracing here\n");
		skip();
	}
	/* a library that nothing but this program has */
	snprintf(library, sizeof library, "%s/plugin.so", scene->folder);
	assert_true(dladdr((void *)(uintptr_t)_cmocka_run_group_tests, &found) != 0);
	assert_int_equal(file_copy(found.dli_fname, library, NULL), 0);
	scene->request.watch_libraries = true;
	launch(scene, "load-library", library);
	assert_int_equal(scene->result.end, LAUNCH_EXITED);
	assert_int_equal(scene->result.exit_code, 0);
	assert_true(scene->result.libraries.length > 0);
	paths = scene->result.libraries.bytes;
	assert_sorted(paths);
	snprintf(line, sizeof line, "%s\n", library);
	assert_non_null(strstr(paths, line));
	assert_non_null(strstr(paths, act_program()));
	/* a crash is one under the tracer too */
	launch_result_free(&scene->result);
	launch(scene, "crash", NULL);
	assert_int_equal(scene->result.end, LAUNCH_SIGNALLED);
	assert_int_equal(scene->result.signal_number, SIGSEGV);
	launch_result_free(&scene->result);
	scene->request.timeout_s = 0.1;
	launch(scene, "hang", NULL);
	assert_int_equal(scene->result.end, LAUNCH_TIMED_OUT);
}

/* As root in a mount namespace of its own: a disk of 256 KiB. */
static void
test_a_full_disk_is_no_fault_of_the_group(void **state)
{
	struct scene *scene = *state;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
		    mount("none", scene->folder, "tmpfs", 0, "size=256k") != 0)
			_exit(99);
		launch_prepare(NULL);
		set_act(scene, "flood", "1", NULL);
		if (launch_run(&scene->request, NULL, &scene->result, &scene->error) != -1)
			_exit(1);
		_exit(strstr(scene->error.message, "No space left") != NULL ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 99) {
		print_message("needs root to make a small disk\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- CPUs ---- */

static void
test_wishes_for_cpus(void **state)
{
	struct error error = {0};
	int cpus[1024], last, first, count;

	(void)state;
	assert_int_equal(launch_cpus("none", cpus, 1024, &error), 0);
	assert_int_equal(launch_cpus("last", &last, 1, &error), 1);
	assert_int_equal(launch_cpus("first", &first, 1, &error), 1);
	assert_true(first <= last);
	assert_int_equal(launch_cpus("1 core", cpus, 1024, &error), 1);
	assert_int_equal(cpus[0], last);
	assert_int_equal(launch_cpus("100000 cores", cpus, 1024, &error), -1);
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	for (count = 2; launch_cpus("2 cores", cpus, 1024, NULL) == 2 && count < 3; count++) {
		assert_true(cpus[0] < cpus[1]);
		assert_int_equal(cpus[1], last);
		assert_int_equal(launch_cpus("2 cores", cpus, 1, NULL), -1); /* no room */
	}
}

static void
test_wishes_that_are_none(void **state)
{
	static const char *const wrong[] = {"", "all", "0 cores", "-1 cores", "2", "2cores",
					    "2 cores ", "+2 cores", "1.5 cores", "9999999999999 cores"};
	struct error error;
	int cpus[8];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		memset(&error, 0, sizeof error);
		assert_int_equal(launch_cpus(wrong[i], cpus, 8, &error), -1);
		assert_int_equal(error.code, EXIT_BAD_INPUT);
		assert_non_null(strstr(error.message, "\"last\", \"first\", \"none\" or \"N cores\""));
	}
}

static void
test_only_cpus_we_may_use(void **state)
{
	int status, first;
	pid_t pid;

	(void)state;
	assert_int_equal(launch_cpus("first", &first, 1, NULL), 1);
	pid = fork();
	if (pid == 0) {
		cpu_set_t one;
		int cpus[2];

		CPU_ZERO(&one);
		CPU_SET((size_t)first, &one);
		if (sched_setaffinity(0, sizeof one, &one) != 0)
			_exit(9);
		if (launch_cpus("last", cpus, 2, NULL) != 1 || cpus[0] != first)
			_exit(1);
		_exit(launch_cpus("2 cores", cpus, 2, NULL) == 1 && cpus[0] == first ? 0 : 2); /* all there are */
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_arguments_and_environment_exactly_as_given),
		TEST(test_input_and_both_outputs),
		TEST(test_folder),
		TEST(test_exit_code_and_signal),
		TEST(test_what_cannot_be_started_is_told),
		TEST(test_a_clean_state_whatever_ours_is),
		TEST(test_no_other_descriptors),
		TEST(test_pinned_to_the_cpus_asked_for),
		TEST(test_timeout_ends_the_whole_group),
		TEST(test_output_limit),
		TEST(test_a_file_of_its_own_over_the_limit_is_no_output),
		TEST(test_a_setsid_grandchild_is_ended),
		TEST(test_processes_of_other_origin_are_left_alone),
		TEST(test_an_interrupt_ends_the_group),
		TEST(test_libraries_loaded_while_it_ran),
		TEST(test_a_full_disk_is_no_fault_of_the_group),
		cmocka_unit_test(test_wishes_for_cpus),
		cmocka_unit_test(test_wishes_that_are_none),
		cmocka_unit_test(test_only_cpus_we_may_use),
	};

	act_if_asked(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

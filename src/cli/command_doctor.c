#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/number.h"
#include "compare/screen.h"
#include "doctor/finding.h"
#include "doctor/kernel.h"
#include "doctor/look.h"
#include "doctor/show.h"
#include "doctor/trial.h"
#include "provenance/capture_parts.h"
#include "provenance/fact.h"
#include "session/interrupt.h"
#include "session/launch.h"
#include "session/lock.h"

#define LEAST_SECONDS 0.1
#define MOST_SECONDS 3600

/* What the command line asks for. */
struct wish {
	double seconds;
	bool measure, json, all;
	const char *root;
};

/* What was found out; `problem` is why nothing was measured. */
struct visit {
	json_t *facts;
	char *lock_status;
	struct counters before, after;
	struct trial trial;
	bool measured;
	struct error problem;
	struct findings findings;
};

/* ---- looking and measuring ---- */

static char *
read_lock_status(void)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	struct error error = {0};
	int result;

	if (out == NULL)
		return NULL;
	result = lock_print_status(out, &error);
	fclose(out);
	if (result == 0)
		return text;
	free(text);
	return NULL;
}

/* The CPU that a session would pin to. */
static int
usual_cpu(void)
{
	struct error error = {0};
	int cpu;

	return launch_cpus("last", &cpu, 1, &error) == 1 ? cpu : -1;
}

static int
measure_locked(struct visit *visit)
{
	int result;

	counters_free(&visit->before);
	counters_read(&visit->before);
	result = trial_run(&visit->trial, interrupt_flag(), &visit->problem);
	counters_read(&visit->after);
	return result;
}

/* -1, and visit->problem tells why. */
static int
measure(struct visit *visit)
{
	struct lock *lock = lock_open("doctor", &visit->problem);
	int result;

	if (lock == NULL)
		return -1;
	interrupt_watch();
	lock_interrupted_by(lock, interrupt_flag());
	result = lock_acquire(lock, LOCK_EXCLUSIVE, &visit->problem);
	if (result == 0)
		result = measure_locked(visit);
	lock_close(lock);
	visit->measured = result == 0;
	return result;
}

static void
look(const struct wish *wish, struct visit *visit)
{
	visit->facts = json_object();
	capture_hardware(visit->facts);
	capture_system(visit->facts);
	counters_read(&visit->before);
	visit->trial = (struct trial){.asked_s = wish->seconds, .cpu = -1};
	if (wish->root == NULL) { /* all that no file tells is this machine's */
		visit->lock_status = read_lock_status();
		visit->trial.cpu = usual_cpu();
	}
	if (!wish->measure) {
		error_set(&visit->problem, EXIT_NOTHING, "not measured: %s",
			  wish->root != NULL ? "these are files of another machine" : "--no-measure");
		return;
	}
	fprintf(stderr, "assay: measuring for %.3g s\n", wish->seconds);
	measure(visit);
}

static void
judge(const struct wish *wish, struct visit *visit)
{
	struct scene scene = {
		.facts = visit->facts,
		.lock_status = visit->lock_status,
		.before = &visit->before,
		.after = visit->measured ? &visit->after : &visit->before,
		.seconds = visit->measured ? visit->trial.seconds : 0,
		.own_cpu_s = visit->trial.own_cpu_s,
		.clock_read_ns = visit->measured ? visit->trial.clock_read_ns : NAN,
		.cpu = visit->trial.cpu,
		.root = wish->root == NULL && geteuid() == 0,
	};

	if (visit->measured)
		trial_judge(&visit->trial, &visit->findings);
	else
		trial_not_run(visit->problem.message, &visit->findings);
	look_system(&scene, &visit->findings);
	look_cpu(&scene, &visit->findings);
}

static void
visit_free(struct visit *visit)
{
	json_decref(visit->facts);
	free(visit->lock_status);
	counters_free(&visit->before);
	counters_free(&visit->after);
	findings_free(&visit->findings);
}

/* ---- telling ---- */

static void
print_json(const struct visit *visit)
{
	json_t *object = json_object();

	json_object_set_new(object, "findings", findings_json(&visit->findings));
	json_object_set_new(object, "measured",
			    visit->measured ? trial_json(&visit->trial)
					    : fact_unavailable("%s", visit->problem.message));
	json_dumpf(object, stdout, JSON_INDENT(2) | JSON_SORT_KEYS);
	putchar('\n');
	json_decref(object);
}

static void
print_text(const struct wish *wish, const struct visit *visit)
{
	struct buffer out = BUFFER_EMPTY;
	struct screen screen;

	screen_of(stdout, &screen);
	show_findings(&screen, &visit->findings, wish->all, &out);
	fputs(buffer_text(&out), stdout);
	buffer_free(&out);
}

static int
examine(const struct wish *wish)
{
	struct visit visit = {.measured = false};
	int code = EXIT_DONE;

	if (wish->root != NULL && setenv("ASSAY_SYSROOT", wish->root, 1) != 0)
		return EXIT_FAILED;
	look(wish, &visit);
	if (visit.problem.code == EXIT_INTERRUPTED) {
		code = error_print(&visit.problem);
	} else {
		judge(wish, &visit);
		if (wish->json)
			print_json(&visit);
		else
			print_text(wish, &visit);
	}
	visit_free(&visit);
	return code;
}

/* The program that is measured: we ourselves, in another process. */
static int
run_kernel(const char *steps)
{
	uint64_t result = kernel_run(strtoull(steps, NULL, 10));

	return printf("%" PRIu64 "\n", result) > 0 ? EXIT_DONE : EXIT_FAILED;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {
		{"seconds", required_argument, NULL, 's'}, {"no-measure", no_argument, NULL, 'n'},
		{"json", no_argument, NULL, 'j'},          {"all", no_argument, NULL, 'a'},
		{"root", required_argument, NULL, 'r'},    {"kernel", required_argument, NULL, 'k'},
		{NULL, 0, NULL, 0},
	};
	struct wish wish = {.seconds = 10, .measure = true};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 's':
			if (!number_parse(optarg, &wish.seconds) || wish.seconds < LEAST_SECONDS ||
			    wish.seconds > MOST_SECONDS)
				return command_misuse(&command_doctor, "--seconds takes a number from 0.1 to "
						      "3600");
			break;
		case 'n':
			wish.measure = false;
			break;
		case 'j':
			wish.json = true;
			break;
		case 'a':
			wish.all = true;
			break;
		case 'r':
			wish.root = optarg;
			wish.measure = false;
			break;
		case 'k':
			return run_kernel(optarg);
		default:
			return command_misuse(&command_doctor, "unknown option");
		}
	}
	if (optind < argc)
		return command_misuse(&command_doctor, "no argument is expected, not '%s'", argv[optind]);
	return examine(&wish);
}

const struct command command_doctor = {
	"doctor",
	"tell what on this machine will spoil measurements",
	"usage: assay doctor [--seconds N] [--no-measure] [--all] [--json] [--root DIR]\n\n"
	"Looks at what makes times scatter or lie: the governor, boost, SMT, load, swap, huge pages, a\n"
	"virtual machine and its steal time, heat, the clock source and so on. For each: what was seen,\n"
	"how bad it is (ok, minor, serious), why it matters, and the command that changes it. It changes\n"
	"nothing itself.\n\n"
	"  --seconds N    measure for so long (10): a built-in program against its own copy. Its spread\n"
	"                 tells the smallest difference that 16 pairs see here\n"
	"  --no-measure   only look\n"
	"  --all          say why it matters also of what is well\n"
	"  --json         all of it for programs, on standard output\n"
	"  --root DIR     look at DIR/proc, DIR/sys and DIR/etc: files of another machine; implies\n"
	"                 --no-measure\n\n"
	"Exit code: 0 when it could look, whatever it saw.",
	run,
};

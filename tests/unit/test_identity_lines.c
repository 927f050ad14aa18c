/*
 * Each line of the identity changed once: the cases whose line it is become others, by that line
 * and no other; their neighbours stay. And no line is without such a change.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "identity/identity.h"
#include "tests/unit/identity_folder.h"

/* Two cases that have nothing in common but the machine. All lines are in the first one. */
struct world {
	struct plan plan, neighbour;
	struct plan_treatment treatments[2], other;
	char *args[1], *prepare[1], *inputs[1], *scripts[1], *sources[1];
	struct setting env[1], needs[1];
	struct setting library_folder[1];
	size_t candidate;
};

#define TEXT(value) ((char *)(value))
#define CPUINFO(model, microcode) "model name\t: " model "\nmicrocode\t: " microcode "\n"
#define LIBRARY "-shared -fPIC -Wl,-soname,libfoo.so.1"
#define ONE(list) ((struct texts){list, 1})

/* A script in a folder of its own, with all that can be asked for. */
static void
make_script(struct world *world)
{
	struct plan_treatment *one = &world->treatments[0];

	put_executable("interp", "#!/bin/sh\nexec /bin/sh \"$@\"\n");
	put_executable("script", "#!interp\nexit 0\n");
	put_file("part.sh", ":\n");
	put_file("stdin.txt", "text\n");
	put_file("data/x", "input\n");
	one->name = one->variant = TEXT("a");
	one->program.path = TEXT("script");
	one->program.scripts = ONE(world->scripts);
	one->args = ONE(world->args);
	one->env = (struct settings){world->env, 1};
	one->needs = (struct settings){world->needs, 1};
	one->stdin_path = TEXT("stdin.txt");
	one->cwd = TEXT("data");
	one->prepare = ONE(world->prepare);
	one->inputs = ONE(world->inputs);
}

/* A program known by what it is made of, with a library of ours. */
static void
make_program(struct world *world)
{
	struct plan_treatment *one = &world->treatments[1];

	run("mkdir lib");
	compile("lib/libfoo.so.1", "int foo(void) { return 1; }\n", LIBRARY);
	compile("made", "int foo(void);\nint main(void) { return foo(); }\n", "lib/libfoo.so.1");
	put_file("k.cu", "kernel\n");
	one->name = one->variant = TEXT("b");
	one->program.path = TEXT("made");
	one->program.by_inputs = true;
	one->program.identity_inputs = ONE(world->sources);
	one->program.identity_command = TEXT("nvcc -O3");
	one->env = (struct settings){world->library_folder, 1};
}

static void
make_world(struct world *world)
{
	memset(world, 0, sizeof *world);
	world->args[0] = TEXT("--n=1");
	world->prepare[0] = TEXT("warm-up");
	world->inputs[0] = TEXT("data/x");
	world->scripts[0] = TEXT("part.sh");
	world->sources[0] = TEXT("k.cu");
	world->env[0] = (struct setting){TEXT("OMP"), TEXT("1")};
	world->needs[0] = (struct setting){TEXT("gpu"), TEXT("driver 1")};
	world->library_folder[0] = (struct setting){TEXT("LD_LIBRARY_PATH"), TEXT("lib")};
	world->plan.case_id = TEXT("case-1");
	world->plan.cpus = TEXT("last");
	world->plan.treatments = world->treatments;
	world->plan.treatment_count = 2;
	world->plan.design = (struct design){.samples = 10, .warmups = 1};
	world->plan.load_above = world->plan.preempted_above = 0.5;
	world->plan.search = (struct best_search){TEXT("kernel"), 0.5, 0, &world->candidate, 1};
	world->neighbour = world->plan;
	world->neighbour.case_id = TEXT("case-2");
	world->neighbour.treatments = &world->other;
	world->neighbour.treatment_count = 1;
	world->other.name = world->other.variant = TEXT("other");
	world->other.program.path = TEXT("other");
	world->other.program.identity_command = TEXT("");
	world->treatments[0].program.identity_command = TEXT("");
	put_executable("other", "#!/bin/sh\nexit 0\n");
	make_script(world);
	make_program(world);
	put_file("root/proc/cpuinfo", CPUINFO("Planted 9000", "0x1"));
	put_file("root/etc/machine-id", "0123\n");
	setenv("ASSAY_SYSROOT", "root", 1);
}

/* ---- changes ---- */

enum how { PUT, PUT_EXECUTABLE, BUILD, SET_TEXT, SET_FLAG, SET_INT, SET_LIMIT, SET_COUNT };

#define FILE_OF(file, content) .path = file, .text = content
#define FIELD(member) .at = offsetof(struct world, member)

/* What changes, and the names of the lines that change with it. */
static const struct change {
	const char *names;
	enum how how;
	bool of_all;  /* the machine's: of each case */
	bool further; /* other lines go with it */
	const char *path, *text, *flags;
	size_t at;
	double number;
} changes[] = {
	{"cpu microcode\n", PUT, true, FILE_OF("root/proc/cpuinfo", CPUINFO("Planted 9000", "0x2"))},
	{"cpu model\n", PUT, true, FILE_OF("root/proc/cpuinfo", CPUINFO("Planted 9001", "0x2"))},
	{"machine id\n", PUT, true, FILE_OF("root/etc/machine-id", "0124\n")},
	{"pinning\n", SET_TEXT, FIELD(plan.cpus), .text = "first"},
	{"order\n", SET_FLAG, FIELD(plan.design.alternate)},
	{"aa placement\n", SET_FLAG, FIELD(plan.design.aa_first)},
	{"samples\n", SET_INT, FIELD(plan.design.samples), .number = 11},
	{"warm-up samples\n", SET_INT, FIELD(plan.design.warmup_samples), .number = 3},
	{"warm-ups\n", SET_INT, FIELD(plan.design.warmups), .number = 2},
	{"invalid if load above\n", SET_LIMIT, FIELD(plan.load_above), .number = 0.25},
	{"invalid if preempted above\n", SET_LIMIT, FIELD(plan.preempted_above), .number = 0.25},
	{"search\n", SET_LIMIT, FIELD(plan.search.share), .number = 0.25},
	{"input data/x\n", PUT, FILE_OF("data/x", "another\n")},
	{"treatment 0 argument 1\n", SET_TEXT, FIELD(args[0]), .text = "--n=2"},
	{"treatment 0 env OMP\n", SET_TEXT, FIELD(env[0].value), .text = "2"},
	{"treatment 0 folder\n", SET_TEXT, FIELD(treatments[0].cwd), .text = "lib"},
	{"treatment 0 need gpu\n", SET_TEXT, FIELD(needs[0].value), .text = "driver 2"},
	{"treatment 0 prepare 1\n", SET_TEXT, FIELD(prepare[0]), .text = "cool-down"},
	{"treatment 0 stdin\n", PUT, FILE_OF("stdin.txt", "another\n")},
	{"treatment 0 program\n", PUT_EXECUTABLE, FILE_OF("script", "#!interp\nexit 1\n")},
	{"treatment 0 interpreter interp\n", PUT_EXECUTABLE, FILE_OF("interp", "#!/bin/sh\nexit\n")},
	{"treatment 0 script part.sh\n", PUT, FILE_OF("part.sh", "another\n")},
	{"treatment 1 source k.cu\n", PUT, FILE_OF("k.cu", "another\n")},
	{"treatment 1 command\n", SET_TEXT, FIELD(treatments[1].program.identity_command),
	 .text = "nvcc -O2"},
	{"treatment 1 library libfoo.so.1\n", BUILD,
	 FILE_OF("lib/libfoo.so.1", "int foo(void) { return 2; }\n"), .flags = LIBRARY},
	{"treatment 1 libraries\n", BUILD, .further = true, FILE_OF("made", SOURCE),
	 .flags = "-Wl,--dynamic-linker=/nonexistent"},
	{"treatments\n", SET_COUNT, .further = true, FIELD(plan.treatment_count), .number = 1},
};
#define CHANGES (sizeof changes / sizeof *changes)

static void
apply(const struct change *change, struct world *world)
{
	void *field = (char *)world + change->at;

	switch (change->how) {
	case PUT:
		put_file(change->path, change->text);
		break;
	case PUT_EXECUTABLE:
		put_executable(change->path, change->text);
		break;
	case BUILD:
		compile(change->path, change->text, change->flags);
		break;
	case SET_TEXT:
		*(char **)field = TEXT(change->text);
		break;
	case SET_FLAG:
		*(bool *)field = true;
		break;
	case SET_INT:
		*(int *)field = (int)change->number;
		break;
	case SET_LIMIT:
		*(double *)field = change->number;
		break;
	case SET_COUNT:
		*(size_t *)field = (size_t)change->number;
		break;
	}
}

/* ---- what became of it ---- */

static void
compute(const struct plan *plan, struct identity *identity)
{
	struct error error = {0};

	if (identity_compute(plan, identity, &error) != 0)
		fail_msg("%s", error.message);
}

/* The names of the lines that differ from the identity before, which becomes the present one. */
static char *
changed_names(const struct plan *plan, struct identity *before)
{
	struct buffer diff = BUFFER_EMPTY, names = BUFFER_EMPTY;
	struct identity after;
	const char *line;

	compute(plan, &after);
	identity_diff(before->text, after.text, &diff);
	for (line = buffer_text(&diff); *line != '\0'; line = strchr(line, '\n') + 1)
		buffer_printf(&names, "%.*s\n", (int)(strstr(line, ": ") - line), line);
	assert_int_equal(strcmp(before->hex, after.hex) != 0, names.length > 0);
	identity_free(before);
	*before = after;
	buffer_free(&diff);
	buffer_putc(&names, '\0');
	return buffer_detach(&names);
}

static void
each_line_makes_its_case_another(void **state)
{
	struct identity identity, neighbour;
	struct world world;
	size_t i;

	(void)state;
	make_world(&world);
	compute(&world.plan, &identity);
	compute(&world.neighbour, &neighbour);
	for (i = 0; i < CHANGES; i++) {
		char *names, *others;

		apply(&changes[i], &world);
		names = changed_names(&world.plan, &identity);
		others = changed_names(&world.neighbour, &neighbour);
		if (changes[i].further)
			assert_non_null(strstr(names, changes[i].names));
		else
			assert_string_equal(names, changes[i].names);
		assert_string_equal(others, changes[i].of_all ? changes[i].names : "");
		free(names);
		free(others);
	}
	identity_free(&identity);
	identity_free(&neighbour);
	unsetenv("ASSAY_SYSROOT");
}

/* "treatment 1 library libc.so.6" is of the kind "treatment 1 library", of any treatment. */
static void
put_kind(const char *name, size_t length, struct buffer *kind)
{
	const char *end = name + length;
	size_t kept = length;

	if (strncmp(name, "treatment ", 10) == 0) {
		name += 12;
		kept = strcspn(name, " =");
		buffer_puts(kind, "treatment * ");
	} else if (strncmp(name, "input ", 6) == 0) {
		kept = 5;
	}
	if (name + kept > end)
		kept = (size_t)(end - name);
	buffer_append(kind, name, kept);
}

static bool
is_tried(const char *kind)
{
	bool tried = false;
	size_t i;

	for (i = 0; !tried && i < CHANGES; i++) {
		struct buffer one = BUFFER_EMPTY;

		put_kind(changes[i].names, strlen(changes[i].names) - 1, &one);
		tried = strcmp(buffer_text(&one), kind) == 0;
		buffer_free(&one);
	}
	return tried;
}

/* The first line says which identity this is. */
static void
no_line_is_without_a_change(void **state)
{
	struct identity identity;
	struct world world;
	const char *line;

	(void)state;
	make_world(&world);
	compute(&world.plan, &identity);
	for (line = strchr(identity.text, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
		struct buffer kind = BUFFER_EMPTY;

		put_kind(line, (size_t)(strstr(line, " = ") - line), &kind);
		if (!is_tried(buffer_text(&kind)))
			fail_msg("no change is tried of '%s'", buffer_text(&kind));
		buffer_free(&kind);
	}
	identity_free(&identity);
	unsetenv("ASSAY_SYSROOT");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(each_line_makes_its_case_another),
		IN_FOLDER(no_line_is_without_a_change),
	};

	return cmocka_run_group_tests_name("identity lines", tests, NULL, NULL);
}

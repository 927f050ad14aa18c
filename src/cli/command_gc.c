#include <getopt.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/consent.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "history/garbage.h"
#include "history/when.h"
#include "report/document.h"
#include "session/interrupt.h"
#include "session/lock.h"

struct request {
	bool dry_run, yes;
};

/* ---- what is told ---- */

static void
put_kib(double kib, struct buffer *out)
{
	document_put_value(kib, "kib", out);
}

static void
put_sources(const struct named *named, struct buffer *out)
{
	const json_t *source, *cases;
	size_t i;

	buffer_puts(out, "cases that count are those of\n");
	json_array_foreach(named->sources, i, source) {
		cases = json_object_get(source, "cases");
		buffer_printf(out, "  %s: ", json_get_text(source, "name"));
		if (json_is_null(cases))
			buffer_puts(out, "no study in this folder\n");
		else
			buffer_printf(out, "%lld\n", (long long)json_integer_value(cases));
	}
	if (!named->in_repository)
		buffer_puts(out, "  (this is no git repository, so there are no branches to ask)\n");
}

/* What other values of these would name, nobody can tell. */
static void
put_environment(const struct named *named, struct buffer *out)
{
	const char *name;
	json_t *value;
	bool first = true;

	json_object_foreach(named->environment, name, value) {
		buffer_printf(out, "%s%s", first ? "note: the specs ask for the environment variables " : ", ",
			      name);
		first = false;
	}
	if (!first)
		buffer_puts(out, "; cases that only other values than today's name are not counted\n");
}

static void
put_case(const json_t *one, struct buffer *out)
{
	long long identities = json_get_integer(one, "identities", 0);
	long long sessions = json_get_integer(one, "sessions", 0);

	buffer_printf(out, "  %s: ", json_get_text(one, "case_id"));
	put_kib(json_get_number(one, "kib"), out);
	buffer_printf(out, ", %lld session%s of %lld identit%s, measured ", sessions, sessions == 1 ? "" : "s",
		      identities, identities == 1 ? "y" : "ies");
	when_put(json_get_text(one, "measured_at"), out);
	buffer_putc(out, '\n');
}

static void
put_garbage(const struct garbage *garbage, struct buffer *out)
{
	const json_t *one;
	size_t i;

	json_array_foreach(garbage->odd, i, one)
		buffer_printf(out, "left alone: %s\n", json_string_value(one));
	if (json_array_size(garbage->cases) > 0)
		buffer_puts(out, "no plan names these of results/\n");
	json_array_foreach(garbage->cases, i, one)
		put_case(one, out);
	if (json_array_size(garbage->leftovers) > 0)
		buffer_puts(out, "killed sessions left these temporary files\n");
	json_array_foreach(garbage->leftovers, i, one)
		buffer_printf(out, "  %s\n", json_string_value(one));
}

static void
tell(const struct named *named, const struct garbage *garbage)
{
	struct buffer text = BUFFER_EMPTY;

	put_sources(named, &text);
	put_environment(named, &text);
	put_garbage(garbage, &text);
	fputs(buffer_text(&text), stdout);
	buffer_free(&text);
}

static void
tell_removed(const struct garbage *garbage)
{
	struct buffer text = BUFFER_EMPTY;
	size_t cases = json_array_size(garbage->cases), files = json_array_size(garbage->leftovers), i;
	const json_t *one;
	double kib = 0;

	json_array_foreach(garbage->cases, i, one)
		kib += json_get_number(one, "kib");
	put_kib(kib, &text);
	printf("removed %zu case%s (%s) and %zu temporary file%s\n", cases, cases == 1 ? "" : "s",
	       buffer_text(&text), files, files == 1 ? "" : "s");
	buffer_free(&text);
}

/* ---- what is done ---- */

static bool
is_empty(const struct garbage *garbage)
{
	return json_array_size(garbage->cases) == 0 && json_array_size(garbage->leftovers) == 0;
}

static int
find(struct named *named, struct garbage *garbage, struct error *error)
{
	int result = named_find(named, error);

	*garbage = (struct garbage){NULL, NULL, NULL};
	if (result == 0)
		result = garbage_find(named, garbage, error);
	if (result == 0 && *interrupt_flag())
		result = error_set(error, EXIT_INTERRUPTED, "interrupted");
	return result;
}

/* While people think, the machine is free for others, and a plan or a branch may come to name what
 * was listed. */
static int
ask_and_find_again(struct lock *lock, const struct garbage *listed, struct error *error)
{
	struct named named;
	struct garbage garbage;
	int result;

	lock_release(lock);
	if (!consent_ask("Remove them?", stdout))
		return error_set(error, EXIT_INTERRUPTED, "the answer was not yes");
	if (lock_acquire(lock, LOCK_SHARED, error) != 0)
		return -1;
	result = find(&named, &garbage, error);
	if (result == 0 && (!json_equal(garbage.cases, listed->cases) ||
			    !json_equal(garbage.leftovers, listed->leftovers)))
		result = error_set(error, EXIT_FAILED, "it is no longer what was listed; ask again");
	garbage_free(&garbage);
	named_free(&named);
	return result;
}

static int
free_garbage(const struct request *request, struct lock *lock, const struct garbage *garbage,
	     struct error *error)
{
	if (is_empty(garbage)) {
		puts("there is nothing to remove");
		return 0;
	}
	if (request->dry_run) {
		puts("nothing was removed (--dry-run)");
		return 0;
	}
	if (!request->yes && !consent_can_ask())
		return error_set(error, EXIT_USAGE, "say --yes to remove what is listed above");
	if (!request->yes && ask_and_find_again(lock, garbage, error) != 0)
		return -1;
	return garbage_remove(garbage, error) == 0 ? 1 : -2;
}

/* As free_garbage: 1 when it was removed, 0 when there was no need, -1 when nothing was removed, -2
 * when only some of it could be. */
static int
work(const struct request *request, struct lock *lock, struct error *error)
{
	struct named named;
	struct garbage garbage;
	int result = find(&named, &garbage, error);

	if (result == 0) {
		tell(&named, &garbage);
		result = free_garbage(request, lock, &garbage, error);
	}
	if (result == 1)
		tell_removed(&garbage);
	garbage_free(&garbage);
	named_free(&named);
	return result;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {
		{"dry-run", no_argument, NULL, 'n'}, {"yes", no_argument, NULL, 'y'}, {NULL, 0, NULL, 0}};
	struct request request = {0};
	struct error error = {0};
	struct lock *lock;
	int option, result = -1;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == '?')
			return command_misuse(&command_gc, "unknown option");
		request.dry_run |= option == 'n';
		request.yes |= option == 'y';
	}
	if (optind < argc)
		return command_misuse(&command_gc, "'%s' is too much", argv[optind]);
	interrupt_watch();
	lock = lock_open("gc", &error);
	if (lock != NULL) {
		lock_interrupted_by(lock, interrupt_flag());
		if (lock_acquire(lock, LOCK_SHARED, &error) == 0)
			result = work(&request, lock, &error);
	}
	lock_close(lock);
	if (result >= 0)
		return EXIT_DONE;
	if (result == -1)
		error_prefix(&error, "nothing was removed");
	return error_print(&error);
}

const struct command command_gc = {
	.name = "gc",
	.about = "remove results of cases that no plan names any more",
	.usage = "usage: assay gc [--dry-run] [--yes]\n\n"
		 "Lists the cases in results/ that neither the work tree nor build/plan nor any local branch\n"
		 "names, with their size, and removes them after a yes. Branches are read as they would be after\n"
		 "checking them out here, without touching the repository; one whose specs cannot be evaluated\n"
		 "stops it. All results of a named case stay, whatever their identity. Temporary files that\n"
		 "killed sessions left go too, while no session runs.\n"
		 "  --dry-run     only list\n"
		 "  --yes         remove without asking",
	.run = run,
};

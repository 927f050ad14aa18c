#include "review/announce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/consent.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "spec/need.h"

#define SHOWN_COMMANDS 6
#define SHOWN_LAUNCHES 10
#define SHOWN_BYTES 150

/* A line of at most SHOWN_BYTES, without what a terminal would obey. */
static void
put_cut(const char *text, FILE *out)
{
	size_t i;

	fputs("    ", out);
	for (i = 0; text[i] != '\0' && i < SHOWN_BYTES; i++)
		fputc((unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i], out);
	fputs(text[i] != '\0' ? "…\n" : "\n", out);
}

static void
put_commands(const json_t *commands, FILE *out)
{
	size_t count = json_array_size(commands), i;

	if (count == 0) {
		fputs("  builds nothing: its programs are there already\n", out);
		return;
	}
	fprintf(out, "  builds, by %zu command%s:\n", count, count == 1 ? "" : "s");
	for (i = 0; i < count && i < SHOWN_COMMANDS; i++)
		put_cut(json_string_value(json_array_get(commands, i)), out);
	if (i < count)
		fprintf(out, "    and %zu more\n", count - i);
}

static void
put_needs(FILE *out)
{
	json_t *known = file_exists(NEEDS_FILE) ? json_read_file(NEEDS_FILE, NULL) : NULL, *need;
	bool said = false;
	size_t i;

	json_array_foreach(json_object_get(known, "needs"), i, need) {
		const char *command = json_string_value(json_object_get(need, "command"));

		if (command == NULL)
			continue;
		if (!said)
			fputs("  asks whether what it needs is there, by:\n", out);
		said = true;
		put_cut(command, out);
	}
	json_decref(known);
}

/* ---- launches ---- */

static char *
launch_line(const struct plan_treatment *treatment)
{
	struct buffer line = BUFFER_EMPTY;
	size_t i;

	buffer_puts(&line, treatment->program.path);
	for (i = 0; i < treatment->args.count; i++)
		buffer_printf(&line, " %s", treatment->args.items[i]);
	return buffer_detach(&line);
}

/* What the specs say now, which is what runs; the bundle's own plans may say something else. */
static void
collect_launches(const struct side_case *here, const struct side_case *there, json_t *lines,
		 json_t *others)
{
	size_t k;

	for (k = 0; k < here->plan.treatment_count; k++) {
		const struct plan_treatment *one = &here->plan.treatments[k];
		char *text = launch_line(one), *measured;

		if (one->skipped == NULL)
			json_object_set_new(lines, text, json_true());
		measured = k < there->plan.treatment_count ? launch_line(&there->plan.treatments[k]) : NULL;
		if (one->skipped == NULL && (measured == NULL || strcmp(text, measured) != 0))
			json_object_set_new(others, measured != NULL ? measured : text, json_true());
		free(measured);
		free(text);
	}
}

static void
put_lines(json_t *lines, FILE *out)
{
	size_t shown = 0;
	json_t *ignored;
	const char *line;

	json_object_foreach(lines, line, ignored)
		if (shown++ < SHOWN_LAUNCHES)
			put_cut(line, out);
	if (shown > SHOWN_LAUNCHES)
		fprintf(out, "    and %zu more\n", shown - SHOWN_LAUNCHES);
	(void)ignored;
	json_decref(lines);
}

static void
put_launches(const struct measuring *measuring, const struct side *here, FILE *out)
{
	json_t *lines = json_object(), *others = json_object();
	size_t i;

	for (i = 0; i < measuring->count; i++) {
		const struct side_case *there = measuring->cases[i].there;
		const struct side_case *now = side_find(here, there->plan.case_id);

		if (now != NULL && !measuring->cases[i].skipped)
			collect_launches(now, there, lines, others);
	}
	fputs("  launches, again and again:\n", out);
	put_lines(lines, out);
	if (json_object_size(others) > 0)
		fputs("  BUT THE SPECS ARE NOT THOSE OF THE RESULTS, which are of these launches:\n", out);
	put_lines(others, out);
}

/* ---- how long ---- */

static void
put_seconds(double seconds, FILE *out)
{
	if (seconds >= 7200)
		fprintf(out, "%.1f hours", seconds / 3600);
	else if (seconds >= 120)
		fprintf(out, "%.0f minutes", seconds / 60);
	else
		fprintf(out, "%.0f second%s", ceil(seconds), seconds <= 1 ? "" : "s");
}

static void
put_time(const struct measuring *measuring, FILE *out)
{
	size_t skipped = 0, i;

	for (i = 0; i < measuring->count; i++)
		skipped += measuring->cases[i].skipped;
	fprintf(out, "  measures %zu of %zu cases", measuring->count - skipped, measuring->count);
	if (measuring->smoke)
		fprintf(out, ", with at most %d pairs each (a smoke run)",
			measuring->count > 0 ? measuring->cases[0].pairs : 0);
	fputs(";\n  by the times in the bundle that takes ", out);
	put_seconds(measuring->expected_s, out);
	fprintf(out, ", and building comes before it%s\n",
		measuring->smoke ? "; after 90 seconds of measuring it stops" : "");
}

void
announce(const struct side *here, const json_t *commands, const struct measuring *measuring, FILE *out)
{
	fprintf(out, "This runs programs of the study %s here, with your rights. In a folder of its own it\n",
		json_get_text(here->study, "name"));
	put_needs(out);
	put_commands(commands, out);
	put_launches(measuring, here, out);
	put_time(measuring, out);
}

int
announce_ask(bool yes, FILE *out, struct error *error)
{
	if (yes)
		return 0;
	if (!consent_can_ask())
		return error_set(error, EXIT_USAGE, "nothing was run: it would run what is listed above; say --yes "
				 "if you trust who sent the bundle");
	return consent_ask("Go on?", out) ? 0 : error_set(error, EXIT_INTERRUPTED, "nothing was run");
}

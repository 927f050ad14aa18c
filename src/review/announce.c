#include "review/announce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
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

static void
put_launches(const struct measuring *measuring, FILE *out)
{
	json_t *lines = json_object();
	size_t shown = 0, i, k;
	json_t *ignored;
	const char *line;

	for (i = 0; i < measuring->count; i++) {
		const struct plan *plan = &measuring->cases[i].there->plan;

		for (k = 0; k < plan->treatment_count && !measuring->cases[i].skipped; k++) {
			char *text;

			if (plan->treatments[k].left_out)
				continue;
			text = launch_line(&plan->treatments[k]);
			json_object_set_new(lines, text, json_true());
			free(text);
		}
	}
	fputs("  launches, again and again:\n", out);
	json_object_foreach(lines, line, ignored)
		if (shown++ < SHOWN_LAUNCHES)
			put_cut(line, out);
	if (shown > SHOWN_LAUNCHES)
		fprintf(out, "    and %zu more\n", shown - SHOWN_LAUNCHES);
	(void)ignored;
	json_decref(lines);
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
announce(const json_t *study, const json_t *commands, const struct measuring *measuring, FILE *out)
{
	fprintf(out, "This runs programs of the study %s here, with your rights. In a folder of its own it\n",
		json_get_text(study, "name"));
	put_needs(out);
	put_commands(commands, out);
	put_launches(measuring, out);
	put_time(measuring, out);
}

int
announce_ask(bool yes, FILE *out, struct error *error)
{
	char answer[64] = "";

	if (yes)
		return 0;
	if (!isatty(STDIN_FILENO))
		return error_set(error, EXIT_USAGE, "nothing was run: it would run what is listed above; say --yes "
				 "if you trust who sent the bundle");
	fputs("Go on? [y/N] ", out);
	fflush(out);
	if (fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y'))
		return 0;
	return error_set(error, EXIT_INTERRUPTED, "nothing was run");
}

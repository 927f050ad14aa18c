#include "compare/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/json.h"
#include "base/memory.h"
#include "compare/picture.h"
#include "compare/screen.h"
#include "compare/table.h"
#include "compare/verdict_text.h"
#include "identity/identity.h"
#include "store/store.h"

#define STDERR_BYTES 400

struct printing {
	const struct compare_options *options;
	const struct report *report;
	struct screen screen;
	struct buffer out;
};

static const json_t *
experiment_of(const struct report *report)
{
	return json_array_get(json_object_get(report->study, "experiments"), 0);
}

static const json_t *
items_of(const json_t *document)
{
	return json_object_get(document_primary(document), "items");
}

static void
put_wrapped(struct printing *to, size_t indent, const char *text)
{
	screen_wrap(&to->screen, text, indent, &to->out);
}

/* ---- sentences ---- */

static void
put_sentences(struct printing *to, const json_t *document)
{
	const json_t *item, *one;
	size_t i, k;

	json_array_foreach((json_t *)items_of(document), k, item)
		json_array_foreach(json_object_get(item, "comparisons"), i, one)
			put_wrapped(to, 2, json_get_text(one, "sentence"));
}

/* The end of what the first bad group wrote on stderr: why it failed is mostly there. */
static void
put_stderr(struct printing *to, const struct store_case *store)
{
	size_t s, r;

	for (s = 0; s < store->session_count; s++)
		for (r = 0; r < store->sessions[s].record_count; r++) {
			const struct record *record = &store->sessions[s].records[r];
			size_t length = record->stderr_length;
			size_t skip = length > STDERR_BYTES ? length - STDERR_BYTES : 0;

			if (strcmp(record->status, "ok") == 0)
				continue;
			if (length > 0) {
				char *text = memory_copy_span(record->stderr_bytes + skip, length - skip);
				char *at;

				for (at = text; *at != '\0'; at++)
					if ((unsigned char)*at < ' ' && *at != '\n')
						*at = '?';
				buffer_printf(&to->out, "its standard error: %s%s\n", skip > 0 ? "..." : "", text);
				free(text);
			}
			return;
		}
}

/* What helps against an exit code helps against nothing else. */
static const char *
remedy(const struct printing *to, const char *reason)
{
	if (strncmp(reason, "exited with", 11) == 0 && !to->options->ignore_failure)
		return " (--ignore-failure compares all the same)";
	if (strncmp(reason, "timed out", 9) == 0)
		return " (--timeout gives it more)";
	return "";
}

static void
put_failures(struct printing *to, const json_t *document)
{
	const json_t *first = json_array_get(json_object_get(document, "failures"), 0);
	char *path = memory_format("build/identity/%s", json_get_text(document, "case_id"));
	struct store_case store;
	struct identity identity;
	char *text;

	if (first != NULL) {
		text = memory_format("FAILED: %s: %s%s", json_get_text(first, "name"),
				     json_get_text(first, "reason"), remedy(to, json_get_text(first, "reason")));
		put_wrapped(to, 2, text);
		free(text);
		if (identity_read(path, &identity, NULL) == 0) {
			if (store_load(json_get_text(document, "case_id"), identity.hex, &store, NULL) == 0)
				put_stderr(to, &store);
			store_free(&store);
			identity_free(&identity);
		}
	}
	free(path);
}

static void
put_failed_items(struct printing *to, const json_t *document)
{
	const json_t *item, *failed;
	size_t i, k;

	json_array_foreach(json_object_get(document, "items"), i, item)
		json_array_foreach(json_object_get(item, "failed"), k, failed) {
			char *text = memory_format("FAILED: %s in %s: %s", json_get_text(item, "item"),
						   json_get_text(failed, "name"),
						   json_get_text(failed, "reason"));

			put_wrapped(to, 2, text);
			free(text);
		}
}

/* ---- picture ---- */

/* "new", "BM_a", "BM_a new": as much as tells the lines apart. The caller frees. */
static char *
line_name(const json_t *item, const json_t *comparison, bool several)
{
	const char *name = json_get_text(item, "item"), *b = json_get_text(comparison, "b_name");

	if (name[0] == '\0')
		return memory_copy_text(b);
	return several ? memory_format("%s %s", name, b) : memory_copy_text(name);
}

static struct picture_line
picture_line(char *name, const json_t *comparison)
{
	struct cost_ratio ratio;

	verdict_text_cost(comparison, &ratio);
	return (struct picture_line){name, ratio.value, ratio.lo, ratio.hi,
				     json_get_number(comparison, "noise_floor_log")};
}

static bool
draw(struct printing *to, const json_t *items)
{
	struct picture_line *lines = NULL;
	size_t count = 0, capacity = 0, i, k;
	const json_t *item, *one;
	bool drawn;

	json_array_foreach((json_t *)items, k, item) {
		const json_t *comparisons = json_object_get(item, "comparisons");

		json_array_foreach((json_t *)comparisons, i, one) {
			lines = memory_grow(lines, count, &capacity, sizeof *lines);
			lines[count++] = picture_line(
				line_name(item, one, json_array_size(comparisons) > 1), one);
		}
	}
	drawn = picture_put(lines, count, &to->screen, &to->out);
	for (i = 0; i < count; i++)
		free((char *)lines[i].name);
	free(lines);
	return drawn;
}

static void
put_picture(struct printing *to, const json_t *document)
{
	char *text;

	if (!draw(to, items_of(document)))
		return;
	text = memory_format("(left: better than %s, right: worse; %s: its noise floor)",
			     to->options->commands[0].name, to->screen.utf8 ? "░" : ":");
	put_wrapped(to, 1, text);
	free(text);
}

/* ---- below ---- */

static void
put_warnings(struct printing *to)
{
	const json_t *warning;
	size_t i;

	json_array_foreach(json_object_get(to->report->stats, "warnings"), i, warning) {
		const char *code = json_get_text(warning, "code");
		char *text;

		/* Told above, in words that fit. That two are identical is a result. */
		if (strcmp(code, "failed_groups") == 0 || strcmp(code, "failed_items") == 0 ||
		    (to->options->quiet && strcmp(code, "identical_programs") != 0))
			continue;
		text = memory_format("warning: %s%s%s", json_get_text(warning, "text"),
				     json_get_text(warning, "advice")[0] != '\0' ? "; " : "",
				     json_get_text(warning, "advice"));

		screen_plain(&to->screen, text);
		put_wrapped(to, 2, text);
		free(text);
	}
}

/* Where the program comes from: the path of one in a tree that is going to be removed says nothing. */
static char *
origin_text(const struct compared *command)
{
	if (command->revision == NULL)
		return memory_copy_text(command->program);
	if (command->commit == NULL)
		return memory_format("%s, no commit", command->revision);
	return memory_format("%s, commit %.12s%s", command->revision, command->commit,
			     command->dirty ? " with changes" : "");
}

static int
put_compared(struct printing *to, struct error *error)
{
	const json_t *machine = json_object_get(to->report->stats, "machine");
	char hex[DIGEST_SHA256_HEX], *text, *origin;
	size_t i;

	for (i = 0; i < to->options->command_count; i++) {
		const struct compared *command = &to->options->commands[i];

		if (digest_file(DIGEST_SHA256, command->program, hex, error) != 0)
			return -1;
		origin = origin_text(command);
		text = memory_format("%s: %s (%s, SHA-256 %.16s)", command->name, command->text, origin, hex);
		put_wrapped(to, 2, text);
		free(origin);
		free(text);
	}
	text = memory_format("It holds for this machine only: %s.", json_get_text(machine, "model"));
	put_wrapped(to, 2, text);
	free(text);
	return 0;
}

static void
put_case(struct printing *to, const json_t *document)
{
	const json_t *valid = json_object_get(json_object_get(document, "pairs"), "valid");

	put_sentences(to, document);
	put_failures(to, document);
	put_failed_items(to, document);
	if (to->options->quiet)
		return;
	if (!json_is_true(json_object_get(document, "invalid")) && json_integer_value(valid) > 0) {
		buffer_putc(&to->out, '\n');
		table_put(to->options, document, &to->screen, &to->out);
		buffer_putc(&to->out, '\n');
		put_picture(to, document);
	}
	buffer_putc(&to->out, '\n');
}

int
result_print(const struct compare_options *options, const struct report *report,
	     const struct result_notes *notes, FILE *out, struct error *error)
{
	struct printing to = {.options = options, .report = report, .out = BUFFER_EMPTY};
	const json_t *cases = json_object_get(experiment_of(report), "cases"), *one;
	int result = 0;
	size_t i;

	screen_of(out, &to.screen);
	json_array_foreach((json_t *)cases, i, one)
		put_case(&to, document_case(report, one));
	if (notes->outputs != NULL) {
		char *text = memory_format("note: the outputs were not compared: %s", notes->outputs);

		put_wrapped(&to, 2, text);
		free(text);
	}
	put_warnings(&to);
	if (!options->quiet)
		result = put_compared(&to, error);
	fputs(buffer_text(&to.out), out);
	fflush(out);
	buffer_free(&to.out);
	return result;
}

/* ---- --fail-if-slower ---- */

struct gate {
	double share;
	FILE *out;
	int slower, unknown;
};

static void
visit(const struct comparison_place *place, void *context)
{
	const char *item = json_get_text(place->item, "item");
	const json_t *comparison = place->comparison;
	const char *b = json_get_text(comparison, "b_name");
	struct gate *gate = context;
	struct cost_ratio ratio;

	verdict_text_cost(comparison, &ratio);
	if (!place->primary || json_is_true(json_object_get(comparison, "absent")))
		return;
	if (!isfinite(ratio.lo)) {
		gate->unknown++;
		fprintf(gate->out, "assay compare: whether %s is slower%s%s cannot be said: %s\n", b,
			item[0] != '\0' ? " in " : "", item, json_get_text(comparison, "reason"));
	} else if (strcmp(json_get_text(comparison, "verdict"), "slower") == 0 &&
		   ratio.lo > 1 + gate->share) {
		gate->slower++;
		fprintf(gate->out, "assay compare: %s is slower than allowed%s%s: at least %.3g %% %s than %s, "
			"%.3g %% is the limit\n", b, item[0] != '\0' ? " in " : "", item, 100 * (ratio.lo - 1),
			strcmp(json_get_text(place->metric, "better"), "higher") == 0 ? "worse" : "more",
			json_get_text(comparison, "a_name"), 100 * gate->share);
	}
}

int
result_gate(const struct report *report, double share, FILE *out)
{
	struct gate gate = {share, out, 0, 0};

	document_each_comparison(report, experiment_of(report), visit, &gate);
	return gate.slower > 0 ? EXIT_NOT_HELD : gate.unknown > 0 ? EXIT_NOTHING : EXIT_DONE;
}

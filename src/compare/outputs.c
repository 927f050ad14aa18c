#include "compare/outputs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/memory.h"

#define SHOWN_BYTES 60

struct command_output {
	const struct record *first;
	int runs;
	bool varies;
};

static bool
is_same(const struct record *x, const struct record *y)
{
	return x->stdout_length == y->stdout_length &&
	       (x->stdout_length == 0 || memcmp(x->stdout_bytes, y->stdout_bytes, x->stdout_length) == 0);
}

/* A' is a copy of A and prints what A does. */
static void
collect(const struct store_case *store, const struct plan *plan, struct command_output *outputs)
{
	size_t s, r;

	for (s = 0; s < store->session_count; s++)
		for (r = 0; r < store->sessions[s].record_count; r++) {
			const struct record *record = &store->sessions[s].records[r];
			size_t treatment = (size_t)record->treatment < plan->treatment_count
						   ? (size_t)record->treatment : 0;
			struct command_output *output = &outputs[treatment];

			if (strcmp(record->status, "ok") != 0)
				continue;
			if (output->first == NULL)
				output->first = record;
			output->varies |= !is_same(output->first, record);
			output->runs++;
		}
}

static void
put_line_at(struct buffer *out, const struct record *record, size_t start)
{
	size_t i;

	if (start >= record->stdout_length) {
		buffer_puts(out, "(nothing more)");
		return;
	}
	buffer_putc(out, '"');
	for (i = start; i < record->stdout_length && record->stdout_bytes[i] != '\n' &&
			i - start < SHOWN_BYTES; i++) {
		char byte = record->stdout_bytes[i];

		buffer_putc(out, byte >= ' ' && byte < 0x7f ? byte : '?');
	}
	buffer_putc(out, '"');
}

/* "sizes and digests; line 3: "x" against "y"" */
static char *
difference(const struct plan *plan, size_t index, const struct record *a, const struct record *b)
{
	size_t shorter = a->stdout_length < b->stdout_length ? a->stdout_length : b->stdout_length;
	char a_hex[DIGEST_SHA256_HEX], b_hex[DIGEST_SHA256_HEX];
	size_t at = 0, line = 1, start = 0;
	struct buffer out = BUFFER_EMPTY;

	for (; at < shorter && a->stdout_bytes[at] == b->stdout_bytes[at]; at++)
		if (a->stdout_bytes[at] == '\n') {
			line++;
			start = at + 1;
		}
	digest_bytes(DIGEST_SHA256, a->stdout_bytes, a->stdout_length, a_hex);
	digest_bytes(DIGEST_SHA256, b->stdout_bytes, b->stdout_length, b_hex);
	buffer_printf(&out, "%s prints %zu bytes (SHA-256 %.12s), %s %zu bytes (%.12s); line %zu is ",
		      plan->treatments[0].name, a->stdout_length, a_hex, plan->treatments[index].name,
		      b->stdout_length, b_hex, line);
	put_line_at(&out, a, start);
	buffer_puts(&out, " against ");
	put_line_at(&out, b, start);
	return buffer_detach(&out);
}

static enum outputs_finding
judge(const struct plan *plan, const struct command_output *outputs, char **detail)
{
	size_t i;

	for (i = 0; i < plan->treatment_count; i++)
		if (outputs[i].runs < 2)
			return OUTPUTS_TOO_FEW;
	for (i = 0; i < plan->treatment_count; i++)
		if (outputs[i].first->stdout_length > OUTPUTS_COMPARED_BYTES) {
			*detail = memory_format("%s prints more than 1 MiB", plan->treatments[i].name);
			return OUTPUTS_LARGE;
		}
	for (i = 0; i < plan->treatment_count; i++)
		if (outputs[i].varies) {
			*detail = memory_format("what %s prints changes from run to run",
						plan->treatments[i].name);
			return OUTPUTS_VARY;
		}
	for (i = 1; i < plan->treatment_count; i++)
		if (!is_same(outputs[0].first, outputs[i].first)) {
			*detail = difference(plan, i, outputs[0].first, outputs[i].first);
			return OUTPUTS_DIFFER;
		}
	return OUTPUTS_EQUAL;
}

enum outputs_finding
outputs_look(const struct store_case *store, const struct plan *plan, char **detail)
{
	struct command_output *outputs = memory_zeroed(plan->treatment_count, sizeof *outputs);
	enum outputs_finding finding;

	*detail = NULL;
	collect(store, plan, outputs);
	finding = judge(plan, outputs, detail);
	free(outputs);
	return finding;
}

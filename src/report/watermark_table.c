#include "report/watermark_table.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/markdown.h"

static void
put_effect(const json_t *effects, const char *perturbation, struct buffer *out)
{
	const json_t *one, *found = NULL;
	double factor, lo, hi;
	size_t i;

	json_array_foreach((json_t *)effects, i, one)
		if (strcmp(json_get_text(one, "perturbation"), perturbation) == 0)
			found = one;
	factor = json_get_number(found, "factor");
	lo = json_get_number(found, "factor_lo");
	hi = json_get_number(found, "factor_hi");
	if (found == NULL)
		buffer_puts(out, " - |");
	else if (!isfinite(factor))
		buffer_puts(out, " unavailable |");
	else if (!isfinite(lo) || !isfinite(hi))
		buffer_printf(out, " %.3g (no interval) |", factor);
	else if (strcmp(json_get_text(found, "effect"), "sensitive") == 0)
		buffer_printf(out, " **%.3g** [%.3g, %.3g] |", factor, lo, hi);
	else
		buffer_printf(out, " %.3g [%.3g, %.3g] |", factor, lo, hi);
}

static void
put_roofline(const json_t *diagnosis, struct buffer *out)
{
	const json_t *roofline = json_object_get(diagnosis, "roofline");
	double share = json_get_number(diagnosis, "bandwidth_share");

	if (!json_is_object(roofline)) {
		buffer_puts(out, " - | - |");
		return;
	}
	buffer_printf(out, " %s", strcmp(json_get_text(roofline, "bound"), "memory") == 0 ? "memory bandwidth"
											  : "arithmetic");
	if (isfinite(share))
		buffer_printf(out, ", at %.0f %% of it", 100 * share);
	else
		buffer_printf(out, ", at %.0f %% of the roof", 100 * json_get_number(roofline, "share"));
	buffer_printf(out, " | %s |", json_is_true(json_object_get(diagnosis, "agrees")) ? "yes"
				      : json_is_false(json_object_get(diagnosis, "agrees")) ? "**no**" : "-");
}

static void
put_row(const json_t *document, const json_t *diagnosis, struct buffer *out)
{
	static const char *const columns[] = {"one_element", "arithmetic_removed", "arithmetic_added",
					      "sync_removed"};
	const char *where = json_get_text(document, "point_text");
	size_t i;

	buffer_puts(out, "| ");
	markdown_put_text(where[0] != '\0' ? where : "-", out);
	buffer_puts(out, " | ");
	markdown_put_text(json_get_text(diagnosis, "name"), out);
	buffer_puts(out, " |");
	for (i = 0; i < sizeof columns / sizeof *columns; i++)
		put_effect(json_object_get(diagnosis, "effects"), columns[i], out);
	buffer_printf(out, " %s: %s |", json_get_text(diagnosis, "resource"), json_get_text(diagnosis, "why"));
	put_roofline(diagnosis, out);
	buffer_putc(out, '\n');
}

static void
put_head(const json_t *experiment, struct buffer *out)
{
	const json_t *one;
	size_t i, count = 0;

	buffer_puts(out, "**Perturbations.** ");
	json_array_foreach(json_object_get(experiment, "treatments"), i, one) {
		if (json_object_get(one, "perturbs") == NULL)
			continue;
		buffer_puts(out, count++ > 0 ? ", " : "");
		markdown_put_text(json_get_text(one, "name"), out);
	}
	buffer_puts(out, " compute something else on purpose: that they take less or more time says what their kernel "
			 "waits for, and none of them is a faster program. A kernel gains so many times by a removal, "
			 "or loses by more arithmetic; what is bold is more than a tenth.\n\n"
			 "| case | kernel | gains with all accesses to one element | gains without arithmetic | loses with "
			 "more arithmetic | gains without synchronisation | it waits for | the roofline says, by its "
			 "traffic | they agree |\n|---|---|---|---|---|---|---|---|---|\n");
}

void
watermark_table_put(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *entry, *one;
	size_t c, i, count = 0;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry) {
		const json_t *document = document_case(report, entry);

		json_array_foreach(json_object_get(document, "watermark"), i, one) {
			if (count++ == 0)
				put_head(experiment, out);
			put_row(document, one, out);
		}
	}
	if (count > 0)
		buffer_putc(out, '\n');
}

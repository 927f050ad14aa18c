#include "report/search_table.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/markdown.h"

/* Where the search was made: the item and the point, if there are any. */
static void
put_place(const json_t *document, const json_t *item, struct buffer *out)
{
	const char *name = json_get_text(item, "item"), *point = json_get_text(document, "point_text");

	if (name[0] != '\0') {
		buffer_puts(out, " in ");
		markdown_put_text(name, out);
	}
	if (point[0] != '\0') {
		buffer_puts(out, " at ");
		markdown_put_text(point, out);
	}
}

static void
put_candidates(const json_t *search, struct buffer *out)
{
	const json_t *one;
	size_t i;

	buffer_puts(out, "| candidate | speedup in the blocks that choose | blocks | |\n|---|---|---|---|\n");
	json_array_foreach(json_object_get(search, "candidates"), i, one) {
		bool chosen = strcmp(json_get_text(one, "name"), json_get_text(search, "chosen")) == 0;
		double speedup = json_get_number(one, json_get_text(search, "chosen_by"));

		buffer_puts(out, "| ");
		markdown_put_text(json_get_text(one, "name"), out);
		if (isfinite(speedup))
			buffer_printf(out, " | %.3f", speedup);
		else
			buffer_puts(out, " | unavailable");
		buffer_printf(out, " | %lld | %s |\n", json_get_integer(one, "pairs", 0), chosen ? "chosen" : "");
	}
	buffer_putc(out, '\n');
}

static void
put_outcome(const json_t *search, struct buffer *out)
{
	const json_t *searched = json_object_get(search, "searched");
	const json_t *confirmed = json_object_get(search, "confirmed");
	double flattered = json_get_number(search, "flattered_percent");

	buffer_puts(out, "In the blocks that chose it, it comes to ");
	document_put_ratio(searched, out);
	buffer_printf(out, ", a figure that having been chosen flatters; in the %lld other blocks, which had no "
			   "part in the choice, to ", json_get_integer(confirmed, "pairs", 0));
	document_put_ratio(confirmed, out);
	if (isfinite(flattered))
		buffer_printf(out, ". The first figure is %.1f %% %s than the second", fabs(flattered),
			      flattered < 0 ? "lower" : "higher");
	buffer_puts(out, ". Only the second one counts.\n\n");
}

static void
put_search(const json_t *document, const json_t *item, const json_t *search, struct buffer *out)
{
	const char *chosen = json_get_text(search, "chosen");

	buffer_puts(out, "**Search for the ");
	markdown_put_text(json_get_text(search, "label"), out);
	buffer_puts(out, "**");
	put_place(document, item, out);
	buffer_printf(out, ", among %zu candidates against ",
		      json_array_size(json_object_get(search, "candidates")));
	markdown_put_text(json_get_text(search, "against"), out);
	buffer_printf(out, ", in the first %lld blocks of the plan: ", json_get_integer(search, "pairs", 0));
	if (chosen[0] == '\0')
		buffer_puts(out, "none was chosen, since too few of their blocks are valid.\n\n");
	else {
		markdown_put_text(chosen, out);
		buffer_puts(out, " was chosen");
		if (strcmp(json_get_text(search, "chosen_by"), "speedup") != 0)
			buffer_puts(out, ", by the median of the paired ratios");
		buffer_puts(out, ".\n\n");
	}
	put_candidates(search, out);
	if (chosen[0] != '\0')
		put_outcome(search, out);
}

void
search_table_put(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *entry, *item, *search;
	size_t c, i;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry) {
		const json_t *document = document_case(report, entry);

		json_array_foreach(json_object_get(document_primary(document), "items"), i, item) {
			search = json_object_get(item, "search");
			if (search != NULL)
				put_search(document, item, search, out);
		}
	}
}

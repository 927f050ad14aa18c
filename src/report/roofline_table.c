#include "report/roofline_table.h"

#include <math.h>

#include "base/json.h"
#include "report/markdown.h"

static void
put_rate(double value, const char *unit, struct buffer *out)
{
	static const struct { const char *prefix; double factor; } scales[] = {
		{"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 0}};
	size_t i = 0;

	if (!isfinite(value)) {
		buffer_puts(out, "unavailable");
		return;
	}
	while (value < scales[i].factor)
		i++;
	buffer_printf(out, "%.4g %s%s", scales[i].factor > 0 ? value / scales[i].factor : value,
		      scales[i].prefix, unit);
}

static void
put_share(const json_t *point, struct buffer *out)
{
	double lo = json_get_number(point, "share_lo"), hi = json_get_number(point, "share_hi");

	buffer_printf(out, "%.0f %%", 100 * json_get_number(point, "share"));
	if (isfinite(lo) && isfinite(hi))
		buffer_printf(out, " [%.0f, %.0f]", 100 * lo, 100 * hi);
	else
		buffer_puts(out, " (no interval)");
}

static const char *
verdict_of(const json_t *point)
{
	const json_t *done = json_object_get(point, "done");

	return json_is_true(done) ? "done" : json_is_false(done) ? "below its roof" : "open";
}

static void
put_row(const json_t *document, const json_t *point, struct buffer *out)
{
	const char *where = json_get_text(document, "point_text"), *reason = json_get_text(point, "reason");

	buffer_puts(out, "| ");
	markdown_put_text(where[0] != '\0' ? where : "-", out);
	buffer_puts(out, " | ");
	markdown_put_text(json_get_text(point, "name"), out);
	buffer_puts(out, " | ");
	if (reason[0] != '\0') {
		buffer_puts(out, "unavailable: ");
		markdown_put_text(reason, out);
		buffer_puts(out, " | | | | | | |\n");
		return;
	}
	buffer_printf(out, "%.4g | ", json_get_number(point, "intensity"));
	put_rate(json_get_number(point, "peak"), "flop/s", out);
	buffer_puts(out, ", ");
	put_rate(json_get_number(point, "bandwidth"), "B/s", out);
	buffer_printf(out, " | %.4g, %s | ", json_get_number(point, "ridge"), json_get_text(point, "bound"));
	put_rate(json_get_number(point, "attainable"), "flop/s", out);
	buffer_puts(out, " | ");
	put_rate(json_get_number(point, "achieved"), "flop/s", out);
	buffer_puts(out, " | ");
	put_share(point, out);
	buffer_printf(out, " | %s |\n", verdict_of(point));
}

void
roofline_table_put(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *named = json_object_get(experiment, "roofline"), *entry, *point;
	size_t c, i;

	if (named == NULL)
		return;
	buffer_puts(out, "Roofline: peak `");
	buffer_puts(out, json_get_text(named, "peak"));
	buffer_puts(out, "`, bandwidth `");
	buffer_puts(out, json_get_text(named, "bandwidth"));
	buffer_puts(out, "`, both measured here. From 80 % of what is attainable on a kernel is called done.\n\n"
			 "| case | treatment | intensity, flop/B | peak, bandwidth | ridge, bound | attainable | achieved | "
			 "share of the roof | |\n|---|---|---|---|---|---|---|---|---|\n");
	json_array_foreach(json_object_get(experiment, "cases"), c, entry) {
		const json_t *document = document_case(report, entry);

		json_array_foreach(json_object_get(document, "roofline"), i, point)
			put_row(document, point, out);
	}
	buffer_putc(out, '\n');
}

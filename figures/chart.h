#ifndef ASSAY_FIGURE_CHART_H
#define ASSAY_FIGURE_CHART_H

#include <math.h>
#include <stdbool.h>

#include "figures/figure.h"

/* What the figures of absolute values share: pairs, sizes, bars. */

/* Of the values above 0 that are drawn along an axis. */
struct chart_range {
	double lo, hi;
};
#define CHART_RANGE_EMPTY {INFINITY, -INFINITY}
void chart_add(struct chart_range *range, double value);

/* What the option `log` says; else whether the range passes AXIS_LOG_RANGE. */
bool chart_logarithmic(const struct figure_input *input, const struct chart_range *range);

/* The factor of the largest scale of the unit that a value reaches, and its name in *text. */
double chart_scale(const char *unit, double value, const char **text);
/* Settings: scale, unit_text: values are divided by the one and shown in the other. */
void chart_put_unit(struct buffer *settings, const char *unit, const struct chart_range *range);
/* "wall time" for wall_us. */
const char *chart_metric_text(const char *metric);

/*
 * Room for names left of the frame, the longest of `length` bytes. Settings: left (of the
 * screen), name_font, and plot_pixels, how wide the frame then is in the SVG.
 */
void chart_put_left(struct buffer *settings, size_t length);

/* The treatment's document in an item of stats.json, NULL without; its samples as one pool. */
const json_t *chart_treatment(const json_t *item, long long treatment);
const json_t *chart_pool(const json_t *item, long long treatment);

/* Why a variant of the case has no numbers: "b was skipped: no numpy", "b was not measured". The
 * caller frees. */
char *chart_why_absent(const json_t *case_document, const char *name);

/* Notes each variant that did less work in a sample of the case than was asked for, where the metric
 * is a time that is not divided by the work. Each is said once. */
void chart_note_lowered(const struct figure_input *input, const json_t *case_document,
			struct buffer *notes);

/* Outputs disagree or the like: no number of it may be drawn. Notes why. */
bool chart_is_invalid(const json_t *case_document, struct buffer *notes);

#endif

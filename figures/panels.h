#ifndef ASSAY_FIGURE_PANELS_H
#define ASSAY_FIGURE_PANELS_H

#include "figures/figure.h"

/*
 * Figures with one panel a case, or item of a case: the first six of the selection, the rest in a
 * note.
 * `put` appends one case's rows to *data (each starts with the panel's number), and settings of
 * its own, named by figure_put_indexed.
 */
typedef void panel_put(const json_t *case_document, int panel, struct buffer *data,
		       struct buffer *settings);

void panels_write(const struct figure_input *input, const char *header, panel_put *put,
		  struct buffer *data, struct buffer *settings, struct buffer *notes);

/* Begins a panel's rows, and ends them: one without any gets a row to hold its place, a note and
 * the setting shown_<i> = 0. */
size_t panels_begin(int panel, struct buffer *data);
void panels_end(const json_t *case_document, int panel, size_t begin, struct buffer *data,
		struct buffer *settings, struct buffer *notes);

/* As many panels as are drawn of these cases; notes what is left out. */
size_t panels_count(const json_t *cases, struct buffer *notes);
/* Settings every figure with panels has: panel_count, panel_<i>, name_<t>, treatment_count,
 * HEIGHT, title_text, metric, value_text and value_scale (what values are divided by to be read in
 * the unit that the text says). */
void panels_put_settings(const struct figure_input *input, const json_t *cases, size_t panels,
			 struct buffer *settings);
/* The item that a panel is of. */
const json_t *panels_item(const json_t *case_document);

#endif

#ifndef ASSAY_FIGURE_H
#define ASSAY_FIGURE_H

#include <jansson.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * A figure is a gnuplot template (figures/<template>.gnuplot) over a data file. Nothing is
 * estimated here: the data are numbers of build/stats.json and build/samples/, put into columns,
 * at the most related to each other (a ratio to the best, the pools of several cases as one).
 * Beside each figure lie its data (.csv) and the script that drew it (.gnuplot), so that a
 * reader can redraw it by hand: gnuplot NAME.gnuplot shows it, in the folder of the figure.
 */

/* What the writers of data read. Borrowed. */
struct figure_input {
	const json_t *study;      /* build/study.json */
	const json_t *experiment; /* its entry there */
	const json_t *figure;     /* its entry there: name, label, caption, options */
	const json_t *stats;      /* build/stats.json */
	const char *folder;       /* of the drawings: build/report/figures, or a form's */
	const json_t *elsewhere;  /* peaks.h: peaks of experiments that are not in the above; NULL: none */
};

/*
 * One template's data writer: appends the CSV to *data and gnuplot assignments (name = value,
 * one a line) to *settings. `notes` takes a line a thing left out, shown under the figure.
 */
typedef int figure_writer(const struct figure_input *input, struct buffer *data,
			  struct buffer *settings, struct buffer *notes, struct error *error);

/* The author's option of that name; NULL when there is none. Borrowed. */
const json_t *figure_option(const struct figure_input *input, const char *name);

/* The metric that is shown, an entry of study.json: option `metric`, else the first. */
const json_t *figure_metric(const struct figure_input *input);

/* The cases of the experiment that a figure shows: option `where` (none: all). A new array of
 * case documents of stats.json, in the author's order; the metric shown is their first. */
json_t *figure_cases(const struct figure_input *input);

/* gnuplot text: quoted, with what enhanced mode would read as markup escaped. */
void figure_put_text(struct buffer *settings, const char *name, const char *text);
void figure_put_number(struct buffer *settings, const char *name, double value);
/* NAME_<index>. */
void figure_put_indexed(struct buffer *settings, const char *name, int index, double value);
void figure_put_indexed_text(struct buffer *settings, const char *name, int index, const char *text);

/* Writes E-L.{csv,gnuplot} below build/report/figures; gnuplot is not needed. */
int figure_write(const struct figure_input *input, struct error *error);

/*
 * Draws E-L.{csv,gnuplot,svg,pdf,png} in the folder. Unchanged data and template
 * leave all files alone. 0, or -1 with *error.
 */
int figure_draw(const struct figure_input *input, struct error *error);

#endif

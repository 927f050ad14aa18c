#ifndef ASSAY_GNUPLOT_H
#define ASSAY_GNUPLOT_H

#include "base/error.h"

/*
 * Runs <folder>/<stem>.gnuplot in <folder> for each of stem.svg, stem.pdf, stem.png, in one start
 * of gnuplot. Equal scripts and data give equal bytes: the PDF's dates are fixed afterwards. A
 * figure that is drawn is put in place whole; an unchanged one keeps its mtime. -1 with gnuplot's
 * own first line of complaint.
 */
int gnuplot_draw(const char *folder, const char *stem, struct error *error);

#endif

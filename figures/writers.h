#ifndef ASSAY_FIGURE_WRITERS_H
#define ASSAY_FIGURE_WRITERS_H

#include "figures/figure.h"

/* The data writers, one a template; found by name. NULL when there is none of that name. */
figure_writer *figure_writer_find(const char *name);

figure_writer figure_speedup;      /* ratio and interval against the sweep, noise floor as a band */
figure_writer figure_runs;         /* every sample in time order */
figure_writer figure_ratios;       /* paired ratios with the interval, and the A/A cloud */
figure_writer figure_distribution; /* every group's value as a strip and an ECDF */
figure_writer figure_drift;        /* value against time, Theil-Sen line, change points */
figure_writer figure_forest;       /* all comparisons of the study */
figure_writer figure_pairs;        /* two treatments beside each other, and the speedups */
figure_writer figure_sizes;        /* every sample against the sweep, or the groups of one case */
figure_writer figure_flame;     /* stacks of instructions that a diagnosis counted */
figure_writer figure_bars;         /* means with sd, or rates, relative to the best */
figure_writer figure_scaling;      /* speedup against processors, with the laws fitted */
figure_writer figure_roofline;     /* rates under the ceilings that were measured */

#endif

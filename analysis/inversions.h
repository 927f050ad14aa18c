#ifndef ASSAY_INVERSIONS_H
#define ASSAY_INVERSIONS_H

#include <stddef.h>

/*
 * The number of pairs i < j with x[i] > x[j], counted while merge-sorting x ascending
 * (Knight, A computer method for calculating Kendall's tau with ungrouped data, JASA 61
 * (1966)). x must hold no NaN; work has room for n values.
 */
unsigned long long inversions_sort(long double *x, long double *work, size_t n);

#endif

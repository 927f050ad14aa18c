#ifndef ASSAY_JACKKNIFE_H
#define ASSAY_JACKKNIFE_H

#include <stddef.h>

#include "analysis/stat.h"

/*
 * The interval of an estimate from blocks of measurements that belong together, without a model
 * of their errors: without[i] is the same estimate made without block i, n >= 3 blocks
 * (STAT_TOO_FEW), conf in (0, 1). full +- t(n - 1) sqrt((n - 1)/n sum (without - mean)^2).
 * Holds for smooth estimates of blocks that are independent of each other; inside a block errors
 * may be correlated and of any size.
 * Tukey, Bias and confidence in not-quite large samples, Ann. Math. Stat. 29 (1958); Efron and
 * Tibshirani, An Introduction to the Bootstrap (1993), chapter 11.
 */
enum stat_status jackknife_interval(double full, const double *without, size_t n, double conf, double *lo,
				    double *hi);

#endif

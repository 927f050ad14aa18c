#ifndef ASSAY_SCALING_H
#define ASSAY_SCALING_H

#include "analysis/stat.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Speedup on p processors, by formula; scaling_fit.h and usl.h fit the same models to
 * measurements. p and all counts may be fractions; p >= 1, times, work and sizes above 0,
 * serial fractions in [0, 1], else STAT_BAD_ARGUMENT or STAT_NOT_POSITIVE. A result that a
 * double can't hold is STAT_OVERFLOW. Strong scaling (Amdahl) keeps the problem, weak scaling
 * (Gustafson) grows it with p: their serial fractions are not the same quantity.
 */

struct speedup {
	double speedup;    /* serial_time / time */
	double efficiency; /* speedup / p */
	bool superlinear;  /* speedup > p: caches, or not the best serial program */
};

/* serial_time: of the best serial program, in the same unit as time. */
enum stat_status scaling_speedup(double serial_time, double time, double p, struct speedup *out);

struct amdahl {
	double speedup;    /* 1/(f + (1 - f)/p) */
	double efficiency; /* speedup / p */
	double limit;      /* 1/f; NaN for f = 0, where there is none */
};

/* Amdahl, Validity of the single processor approach, AFIPS 30 (1967). */
enum stat_status scaling_amdahl(double serial_fraction, double p, struct amdahl *out);

struct gustafson {
	double speedup;    /* p - f (p - 1) */
	double efficiency; /* speedup / p */
};

/* Gustafson, Reevaluating Amdahl's law, CACM 31 (1988). */
enum stat_status scaling_gustafson(double serial_fraction, double p, struct gustafson *out);

/*
 * The serial fraction that each time implies: e = (1/S - 1/p)/(1 - 1/p), S = t(1)/t(p). e[] is
 * the caller's, n entries, NaN at p = 1. t(1) is the median of the times at p = 1, of which
 * there must be one (STAT_TOO_FEW). A negative e means S > p.
 * Karp and Flatt, Measuring parallel processor performance, CACM 33 (1990).
 */
enum stat_status scaling_karp_flatt(const double *p, const double *t, size_t n, double *e);

struct work_span {
	double parallelism; /* work/span */
	double bound;       /* work/p + span: no greedy schedule takes longer */
};

/*
 * work: of all, span: of the longest chain, in one unit; span <= work.
 * Brent, The parallel evaluation of general arithmetic expressions, JACM 21 (1974).
 */
enum stat_status scaling_work_span(double work, double span, double p, struct work_span *out);

struct two_phase {
	double speedup, efficiency;
	double optimum_p;       /* sqrt(2) n */
	double optimum_speedup; /* n/sqrt(2) */
};

/*
 * Two nested n x n loops whose partial results are added one processor after the other:
 * T(p) = 2 n^2/p + p, so S(p) = p/(1 + p^2/(2 n^2)), which falls beyond optimum_p.
 */
enum stat_status scaling_two_phase(double n, double p, struct two_phase *out);

/*
 * The median of the values at p = 1, STAT_TOO_FEW without one. p[0..n) must be in [1, 1e9]
 * (STAT_BAD_ARGUMENT) and values above 0.
 */
enum stat_status scaling_serial_value(const double *p, const double *values, size_t n,
				      double *serial);

#endif

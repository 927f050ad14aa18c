#ifndef ASSAY_MOVER_H
#define ASSAY_MOVER_H

#include "analysis/stat.h"

/* An estimate with its interval. */
struct estimate {
	double value, lo, hi;
};

/*
 * The quotient of two independent estimates, all values above 0, from their intervals alone: the
 * method of variance estimates recovery on logarithms, which needs no standard error and keeps
 * lopsided intervals lopsided. With intervals at one level the quotient's is at about that level.
 * STAT_BAD_ARGUMENT when an estimate lies outside its interval; otherwise as range_positive.
 * Zou and Donner, Construction of confidence limits about effect measures: a general approach,
 * Statist. Med. 27 (2008).
 */
enum stat_status mover_quotient(const struct estimate *above, const struct estimate *below,
				struct estimate *out);

#endif

#ifndef ASSAY_ANALYSIS_WATERMARK_H
#define ASSAY_ANALYSIS_WATERMARK_H

/*
 * Which resource a kernel waits for, from what perturbing it does to its time (kernels/harness/watermark.h).
 * A kernel gains by a removal what it waited for there and nowhere else; parts overlap, so gains need not
 * multiply to the whole. Removals alone can't tell throughput from latency:
 *
 *	without its arithmetic it gains and with more it loses		arithmetic is what it is short of
 *	without its arithmetic it gains and with more it loses nothing	units are idle: it waits for one result
 *									after the other, a latency
 *	with all accesses to one element it gains, at the bandwidth of	memory bandwidth
 *	the machine
 *	it gains so, far below that bandwidth				latency of memory
 */

/* Effects below a tenth are none: it is what one perturbation does to the code about it. */
#define WATERMARK_MATTERS 1.1
/* Of the measured bandwidth: from here on traffic is what is waited for. */
#define WATERMARK_BANDWIDTH_SHARE 0.5

/* A ratio of times, above 1: the kernel gains (by a removal) or loses (by an addition). NaN where it was
 * not measured; without an interval `lo` and `hi` are NaN. */
struct watermark_effect {
	double factor, lo, hi;
};

struct watermark_evidence {
	struct watermark_effect arithmetic_added;   /* loss */
	struct watermark_effect arithmetic_removed; /* gains */
	struct watermark_effect one_element;
	struct watermark_effect sync_removed;
	double bandwidth_share; /* traffic over time, over the measured bandwidth; NaN: unknown */
};

enum watermark_resource {
	WATERMARK_UNKNOWN,         /* a perturbation that would tell lacks, or its interval is too wide */
	WATERMARK_NONE,            /* it gains by none of them */
	WATERMARK_SEVERAL,         /* the most gain may be either of two */
	WATERMARK_ARITHMETIC,
	WATERMARK_BANDWIDTH,
	WATERMARK_LATENCY,
	WATERMARK_MEMORY,          /* bandwidth or latency: no ceiling tells them apart */
	WATERMARK_SYNCHRONISATION,
};

enum watermark_effect_is {
	WATERMARK_UNCLEAR,   /* no interval, or it holds WATERMARK_MATTERS */
	WATERMARK_SENSITIVE,
	WATERMARK_INSENSITIVE,
};

enum watermark_effect_is watermark_effect_is(const struct watermark_effect *effect);

/* `why`: static words for what decided between throughput and latency, or what lacks. */
struct watermark_diagnosis {
	enum watermark_resource resource;
	const char *why;
};

void watermark_decide(const struct watermark_evidence *evidence, struct watermark_diagnosis *out);

/* "memory bandwidth", "latency", …; "several" and so on for what is none. */
const char *watermark_resource_name(enum watermark_resource resource);

#endif

#include "analysis/concurrency.h"

#include <math.h>

#include "analysis/range.h"

enum stat_status
concurrency_little(double bandwidth, double latency, double line_bytes, struct little *out)
{
	enum stat_status status = range_positive((double[]){bandwidth, latency, line_bytes}, 3);
	long double bytes = (long double)bandwidth * latency;
	struct little little;

	*out = (struct little){NAN, NAN, NAN};
	if (status)
		return status;
	if (range_store(bytes, &little.bytes) || range_store(bytes / line_bytes, &little.lines))
		return STAT_OVERFLOW;
	little.whole_lines = ceil(little.lines - 1e-9);
	/* less than a billionth of a line still is a line */
	if (little.whole_lines < 1)
		little.whole_lines = 1;
	*out = little;
	return STAT_OK;
}

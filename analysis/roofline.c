#include "analysis/roofline.h"

#include <math.h>
#include <stddef.h>

#include "analysis/range.h"

enum stat_status
roofline_ridge(double peak, double bandwidth, double *ridge)
{
	enum stat_status status = range_positive((double[]){peak, bandwidth}, 2);

	*ridge = NAN;
	return status ? status : range_store((long double)peak / bandwidth, ridge);
}

enum stat_status
roofline_point(double peak, double bandwidth, double flops, double bytes,
	       struct roofline_point *out)
{
	enum stat_status status = range_positive((double[]){peak, bandwidth, flops, bytes}, 4);
	struct roofline_point point;
	long double intensity = (long double)flops / bytes;

	*out = (struct roofline_point){NAN, NAN, NAN, false};
	if (status)
		return status;
	if (range_store(intensity, &point.intensity) ||
	    range_store((long double)peak / bandwidth, &point.ridge) ||
	    range_store(fminl(peak, intensity * bandwidth), &point.attainable))
		return STAT_OVERFLOW;
	point.memory_bound = point.intensity < point.ridge;
	*out = point;
	return STAT_OK;
}

enum stat_status
roofline_kernel(double peak, double bandwidth, double flops, double bytes, double seconds,
		struct roofline_kernel *out)
{
	enum stat_status status;
	struct roofline_kernel kernel;

	*out = (struct roofline_kernel){{NAN, NAN, NAN, false}, NAN, NAN};
	status = range_positive(&seconds, 1);
	if (status == STAT_OK)
		status = roofline_point(peak, bandwidth, flops, bytes, &kernel.point);
	if (status == STAT_OK)
		status = range_store((long double)flops / seconds, &kernel.achieved);
	if (status == STAT_OK)
		status = range_store((long double)kernel.achieved / kernel.point.attainable,
				     &kernel.efficiency);
	if (status == STAT_OK)
		*out = kernel;
	return status;
}

enum stat_status
roofline_traffic_ceiling(double time, double share, double factor, struct traffic_ceiling *out)
{
	enum stat_status status = range_positive(&time, 1);
	struct traffic_ceiling ceiling;
	long double left = (1 - (long double)share) + (long double)share / factor;

	*out = (struct traffic_ceiling){NAN, NAN};
	if (status)
		return status;
	if (!(share >= 0 && share <= 1) || !(factor > 0 && isfinite(factor)))
		return STAT_BAD_ARGUMENT;
	if (range_store(time * left, &ceiling.time) || range_store(1 / left, &ceiling.speedup))
		return STAT_OVERFLOW;
	*out = ceiling;
	return STAT_OK;
}

/* Adapters to the models: scaling, roofline, concurrency. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/concurrency.h"
#include "analysis/roofline.h"
#include "analysis/scaling.h"
#include "analysis/scaling_fit.h"
#include "analysis/usl.h"
#include "tests/statistics/golden_value.h"

static double
param(const struct golden_input *input, const char *key)
{
	return golden_param(input, key, NAN);
}

static double
conf_of(const struct golden_input *input)
{
	return golden_param(input, "conf", 0.95);
}

static json_t *
run_amdahl(const struct golden_input *input)
{
	struct amdahl out;

	scaling_amdahl(param(input, "f"), param(input, "P"), &out);
	return golden_numbers("speedup", out.speedup, "efficiency", out.efficiency, "limit",
			      out.limit, NULL);
}

static json_t *
run_gustafson(const struct golden_input *input)
{
	struct gustafson out;

	scaling_gustafson(param(input, "f"), param(input, "P"), &out);
	return golden_numbers("speedup", out.speedup, "efficiency", out.efficiency, NULL);
}

static json_t *
run_karp_flatt(const struct golden_input *input)
{
	json_t *object = NULL;

	if (input->columns == 2) {
		double *e = golden_room(input->rows);

		scaling_karp_flatt(input->values[0], input->values[1], input->rows, e);
		object = json_object();
		golden_put_array(object, "e", e, input->rows);
		free(e);
	}
	return object;
}

static json_t *
run_work_span(const struct golden_input *input)
{
	struct work_span out;

	scaling_work_span(param(input, "W"), param(input, "S"), param(input, "P"), &out);
	return golden_numbers("parallelism", out.parallelism, "bound", out.bound, NULL);
}

static json_t *
run_two_phase(const struct golden_input *input)
{
	struct two_phase out;

	scaling_two_phase(param(input, "N"), param(input, "P"), &out);
	return golden_numbers("speedup", out.speedup, "efficiency", out.efficiency, "optimum_p",
			      out.optimum_p, "optimum_speedup", out.optimum_speedup, NULL);
}

static json_t *
run_amdahl_times(const struct golden_input *input)
{
	struct amdahl_times out;

	if (input->columns != 2)
		return NULL;
	scaling_fit_amdahl_times(input->values[0], input->values[1], input->rows, conf_of(input),
				 &out);
	return golden_numbers("serial_time", out.serial_time, "parallel_time", out.parallel_time,
			      "serial_fraction", out.serial.value, "r2", out.r2, NULL);
}

static json_t *
run_amdahl_speedup(const struct golden_input *input)
{
	struct scaling_fraction out;

	if (input->columns != 2)
		return NULL;
	scaling_fit_amdahl_speedup(input->values[0], input->values[1], input->rows, conf_of(input),
				   &out);
	return golden_numbers("serial_fraction", out.value, NULL);
}

static json_t *
run_gustafson_fit(const struct golden_input *input)
{
	struct scaling_fraction out;

	if (input->columns != 2)
		return NULL;
	scaling_fit_gustafson(input->values[0], input->values[1], input->rows, conf_of(input),
			      &out);
	return golden_numbers("serial_fraction", out.value, NULL);
}

static json_t *
run_power_law(const struct golden_input *input)
{
	struct power_law out;

	if (input->columns != 2)
		return NULL;
	scaling_fit_power_law(input->values[0], input->values[1], input->rows, conf_of(input),
			      &out);
	return golden_numbers("exponent", out.exponent, "log_coef", out.log_coef, "exp_lo",
			      out.exp_lo, "exp_hi", out.exp_hi, "r2", out.r2, NULL);
}

static json_t *
run_usl(const struct golden_input *input)
{
	struct usl out;

	if (input->columns != 2)
		return NULL;
	usl_fit(input->values[0], input->values[1], input->rows, conf_of(input), &out);
	return golden_numbers("gamma", out.gamma.value, "alpha", out.alpha.value, "beta",
			      out.beta.value, "peak_p", out.peak_p, "sse", out.sse, NULL);
}

static json_t *
run_usl_linear(const struct golden_input *input)
{
	struct usl_linear out;

	if (input->columns != 2)
		return NULL;
	usl_fit_linear(input->values[0], input->values[1], input->rows, conf_of(input), &out);
	return golden_numbers("alpha", out.alpha.value, "beta", out.beta.value, NULL);
}

static json_t *
run_ridge(const struct golden_input *input)
{
	double ridge;

	roofline_ridge(param(input, "peak_flops"), param(input, "bandwidth"), &ridge);
	return golden_numbers("ridge", ridge, NULL);
}

static json_t *
run_point(const struct golden_input *input)
{
	struct roofline_point out;
	enum stat_status status =
		roofline_point(param(input, "peak_flops"), param(input, "bandwidth"),
			       param(input, "flops"), param(input, "bytes"), &out);
	json_t *object = golden_numbers("intensity", out.intensity, "ridge", out.ridge,
					"attainable", out.attainable, NULL);

	json_object_set_new(object, "memory_bound",
			    status ? json_null() : json_boolean(out.memory_bound));
	return object;
}

/* The kernels of a table with the columns flops, bytes, seconds; results by column. */
static json_t *
run_roofline(const struct golden_input *input)
{
	static const char *const names[] = {"intensity", "attainable", "achieved", "efficiency",
					    "memory_bound"};
	size_t rows = input->rows;
	double *columns, ridge;
	json_t *object;

	if (input->columns != 3)
		return NULL;
	columns = golden_room(5 * rows);
	for (size_t r = 0; r < rows; r++) {
		struct roofline_kernel out;
		enum stat_status status = roofline_kernel(
			param(input, "peak_flops"), param(input, "bandwidth"), input->values[0][r],
			input->values[1][r], input->values[2][r], &out);

		columns[r] = out.point.intensity;
		columns[rows + r] = out.point.attainable;
		columns[2 * rows + r] = out.achieved;
		columns[3 * rows + r] = out.efficiency;
		columns[4 * rows + r] = status ? NAN : out.point.memory_bound;
	}
	roofline_ridge(param(input, "peak_flops"), param(input, "bandwidth"), &ridge);
	object = golden_numbers("ridge", ridge, NULL);
	for (size_t i = 0; i < 5; i++)
		golden_put_array(object, names[i], columns + i * rows, rows);
	free(columns);
	return object;
}

static json_t *
run_traffic_ceiling(const struct golden_input *input)
{
	struct traffic_ceiling out;

	roofline_traffic_ceiling(param(input, "time"), param(input, "traffic_share"),
				 param(input, "factor"), &out);
	return golden_numbers("time", out.time, "speedup", out.speedup, NULL);
}

static json_t *
run_little(const struct golden_input *input)
{
	struct little out;

	concurrency_little(param(input, "bandwidth"), param(input, "latency"),
			   param(input, "line_bytes"), &out);
	return golden_numbers("bytes", out.bytes, "lines", out.lines, "whole_lines",
			      out.whole_lines, NULL);
}

const struct golden_adapter golden_models[] = {
	{"amdahl", run_amdahl},
	{"amdahl_ls_time", run_amdahl_times},
	{"amdahl_nls_speedup", run_amdahl_speedup},
	{"gustafson", run_gustafson},
	{"gustafson_ls", run_gustafson_fit},
	{"karp_flatt", run_karp_flatt},
	{"usl_nls", run_usl},
	{"usl_linear", run_usl_linear},
	{"power_law_loglog", run_power_law},
	{"work_span", run_work_span},
	{"two_phase_speedup", run_two_phase},
	{"roofline", run_roofline},
	{"roofline_ridge", run_ridge},
	{"roofline_point", run_point},
	{"traffic_ceiling", run_traffic_ceiling},
	{"little", run_little},
	{NULL, NULL},
};

#include "spec/scalings.h"

#include <stdio.h>

/* What src/report/scaling_results.c gives, with made-up numbers. */

static json_t *
fraction(void)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:s}", "serial_fraction", 0.05, "serial_fraction_lo", 0.04,
			 "serial_fraction_hi", 0.06, "limit", 20.5, "note", "");
}

static json_t *
usl(void)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "gamma", 0.95, "gamma_lo", 0.94,
			 "gamma_hi", 0.96, "alpha", 0.05, "alpha_lo", 0.04, "alpha_hi", 0.06, "beta", 0.001,
			 "beta_lo", 0.0005, "beta_hi", 0.0015, "peak_processors", 30.5, "note", "");
}

static json_t *
point(void)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b}", "time", 1000.5,
			 "speedup", 1.9, "speedup_lo", 1.85, "speedup_hi", 1.95, "efficiency", 0.95, "efficiency_lo",
			 0.92, "efficiency_hi", 0.97, "karp_flatt", 0.05, "karp_flatt_lo", 0.04, "karp_flatt_hi",
			 0.06, "own_speedup", 1.95, "bytes_per_s", 1e10, "superlinear", 0);
}

json_t *
scalings_dummy(const struct experiment *experiment, const struct study_case *one)
{
	const struct scaling *scaling = &experiment->scaling;
	json_t *out;
	size_t i, k;

	if (!scaling->wanted)
		return json_null();
	out = json_pack("{s:s}", "serial", one->treatments[scaling->serial[0]].name);
	for (i = 0; i < scaling->series_count; i++) {
		const struct scaling_series *series = &scaling->series[i];
		json_t *entry = json_pack("{s:s, s:o, s:o, s:o}", "kind", series->weak ? "weak" : "strong", "amdahl",
					  fraction(), "gustafson", fraction(), "usl", usl());

		for (k = 0; k < series->count; k++) {
			char name[32];

			snprintf(name, sizeof name, "p%lld", series->processors[k]);
			json_object_set_new(entry, name, point());
		}
		json_object_set_new(out, series->name, entry);
	}
	return out;
}

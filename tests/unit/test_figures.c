#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv_table.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/peaks.h"
#include "figures/writers.h"

/* The data of the figures pairs, sizes, bars: what is put into columns is what the statistics say. */

/* A study of one experiment, and what a figure of it came to. */
struct scene {
	json_t *study, *stats, *figure;
	struct figure_input input;
	struct buffer data, settings, notes;
};

/* One treatment's samples: mean, spread, and the flop/s; NaN: not measured. */
static json_t *
treatment(int number, const char *name, double mean, double rate)
{
	json_t *pool = json_pack("{s:i, s:i, s:o, s:o}", "kept", isfinite(mean) ? 10 : 0, "trimmed", 0, "mean",
				 json_number_or_null(mean), "sd", json_number_or_null(mean / 8));

	json_object_set_new(pool, "rate",
			    isfinite(rate) ? json_pack("{s:f, s:f, s:f, s:f, s:f}", "work", rate * 2, "seconds", 2.0,
						       "work_over_time", rate, "mean", rate * 1.25, "sd", rate / 16)
					   : json_null());
	return json_pack("{s:i, s:s, s:o, s:[{s:i, s:o}, {s:i, s:o}]}", "treatment", number, "name", name,
			 "over_samples", pool, "values", "pair", 1, "value", json_number_or_null(mean), "pair", 2,
			 "value", json_number_or_null(mean + 1));
}

static json_t *
comparison(const char *b, const char *a, double speedup)
{
	return json_pack("{s:s, s:s, s:f, s:f, s:f}", "b_name", b, "a_name", a, "speedup", speedup,
			 "speedup_lo", speedup - 0.25, "speedup_hi", speedup + 0.25);
}

/* The case c<n>: `scale` times as long as the first. */
static void
add_case(struct scene *scene, const char *case_id, int n, double scale)
{
	json_t *wall = json_pack("{s:s, s:[o, o, o, o]}", "item", "", "treatments",
				 treatment(0, "scalar_add", 800 * scale, 1e9 / scale),
				 treatment(1, "simd_add", 100 * scale, 8e9 / scale),
				 treatment(2, "scalar_mul", 900 * scale, 9e8 / scale),
				 treatment(3, "simd_mul", NAN, NAN));
	json_t *cpu = json_pack("{s:s, s:[o, o, o, o]}", "item", "", "treatments",
				treatment(0, "scalar_add", 700 * scale, 2e9), treatment(1, "simd_add", 70 * scale, 2e9),
				treatment(2, "scalar_mul", 500 * scale, 2e9), treatment(3, "simd_mul", 50, 2e9));
	json_t *document, *entry;

	json_object_set_new(wall, "comparisons", json_pack("[o, o]", comparison("simd_add", "scalar_add", 8),
							   comparison("simd_mul", "scalar_mul", 9)));
	json_object_set_new(cpu, "comparisons", json_pack("[o, o]", comparison("simd_add", "scalar_add", 10),
							  comparison("simd_mul", "scalar_mul", 10)));
	entry = json_pack("{s:s, s:{s:i}, s:s}", "case_id", case_id, "point", "n", n, "point_text", case_id);
	document = json_copy(entry);
	json_object_set_new(document, "collapse", json_string("median"));
	json_object_set_new(document, "invalid", json_false());
	json_object_set_new(document, "metrics",
			    json_pack("[{s:s, s:[o]}, {s:s, s:[o]}]", "name", "wall_us", "items", wall, "name",
				      "cpu_us", "items", cpu));
	json_object_set_new(json_object_get(scene->stats, "cases"), case_id, document);
	json_array_append_new(json_object_get(scene->input.experiment, "cases"), entry);
	json_array_append_new(json_object_get(json_array_get(json_object_get(scene->input.experiment, "sweep"), 0),
					      "values"),
			      json_integer(n));
}

/* `options` is JSON. */
static void
begin(struct scene *scene, const char *options)
{
	memset(scene, 0, sizeof *scene);
	scene->study = json_loads(
		"{\"experiments\": [{\"name\": \"e\", \"title\": \"Title\", \"cases\": [],"
		" \"metrics\": [{\"name\": \"wall_us\", \"unit\": \"us\", \"better\": \"lower\"},"
		"               {\"name\": \"cpu_us\", \"unit\": \"us\", \"better\": \"lower\"}],"
		" \"sweep\": [{\"name\": \"n\", \"values\": [], \"blocked\": false}],"
		" \"treatments\": [{\"index\": 0, \"name\": \"scalar_add\"}, {\"index\": 1, \"name\": \"simd_add\"},"
		"                  {\"index\": 2, \"name\": \"scalar_mul\"}, {\"index\": 3, \"name\": \"simd_mul\"}],"
		" \"comparisons\": [{\"a\": 0, \"b\": 1}, {\"a\": 2, \"b\": 3}]}]}",
		0, NULL);
	scene->stats = json_loads("{\"cases\": {}, \"machine\": {\"caches\": [{\"level\": 1, \"bytes\": 49152},"
				  " {\"level\": 2, \"bytes\": 1048576}]}}", 0, NULL);
	scene->figure = json_pack("{s:s, s:s, s:o}", "name", "x", "label", "x", "options",
				  json_loads(options, 0, NULL));
	scene->input = (struct figure_input){
		scene->study, json_array_get(json_object_get(scene->study, "experiments"), 0), scene->figure,
		scene->stats, "build/report/figures", NULL};
}

static void
draw(struct scene *scene, const char *name)
{
	struct error error = {0};

	if (figure_writer_find(name)(&scene->input, &scene->data, &scene->settings, &scene->notes, &error) != 0)
		fail_msg("%s", error.message);
}

static void
end(struct scene *scene)
{
	json_decref(scene->study);
	json_decref(scene->stats);
	json_decref(scene->figure);
	buffer_free(&scene->data);
	buffer_free(&scene->settings);
	buffer_free(&scene->notes);
}

static bool
has(const struct buffer *text, const char *part)
{
	return strstr(buffer_text(text), part) != NULL;
}

static void
expect(const struct buffer *text, const char *part)
{
	if (!has(text, part))
		fail_msg("no \"%s\" in: %s", part, buffer_text(text));
}

/* ---- bars ---- */

static void
bars_are_the_means_and_stand_to_the_fastest(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "{}");
	add_case(&scene, "c16", 16, 1);
	add_case(&scene, "c32", 32, 2);
	draw(&scene, "bars");
	expect(&scene.data, "panel,row,value,mean,sd,kept,relative,end,lacks\n0,0,800,800,100,10,8,900,0\n0,1,100,100,12.5,10,1,112.5,0\n");
	expect(&scene.data, "0,3,,,,,,,1\n\n\n1,0,1600,1600,200,10,8,1800,0\n");
	expect(&scene.settings, "unit_text = \"ms\"\nscale = real(1000)\n");
	expect(&scene.settings, "x_log = 0\n");
	end(&scene);
}

static void
rates_tell_work_over_time_from_the_mean_of_rates(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "{\"of\": \"rate\", \"peak\": [\"e/simd_add\", \"e/simd_mul\", \"nobody\"]}");
	add_case(&scene, "c16", 16, 1);
	add_case(&scene, "c32", 32, 2);
	draw(&scene, "bars");
	expect(&scene.data, "\n0,0,1000000000,1250000000,62500000,10,0.125,1312500000,0\n");
	expect(&scene.settings, "peak_0_0 = 8000000000\n");
	expect(&scene.settings, "peak_1_0 = 4000000000\n"); /* at the same point */
	expect(&scene.settings, "name_4 = \"peak: e/simd_add\"\n");
	expect(&scene.notes, "The peak e/simd_mul was not measured. The peak nobody was not measured. ");
	expect(&scene.settings, "unit_text = \"GFLOP/s\"\n");
	end(&scene);
}

/* As build/ has it after the other experiment, `top`, was measured with what is in the scene. */
static void
store_as_top(const struct scene *scene)
{
	json_t *whole = json_deep_copy(scene->study), *top;

	top = json_array_get(json_object_get(whole, "experiments"), 0);
	json_object_set_new(top, "name", json_string("top"));
	assert_int_equal(json_write_file("build/study.json", whole, 0, NULL), 0);
	assert_int_equal(json_write_file("build/stats/c16.json",
					 json_object_get(json_object_get(scene->stats, "cases"), "c16"), 0, NULL), 0);
	json_decref(whole);
}

static void
a_form_finds_peaks_in_the_whole_study(void **state)
{
	struct scene scene;
	json_t *elsewhere;

	(void)state;
	begin(&scene, "{\"of\": \"rate\", \"peak\": [\"top/simd_add\", \"top/nobody\", \"none/a\"]}");
	add_case(&scene, "c16", 16, 1);
	store_as_top(&scene);
	elsewhere = peaks_read_elsewhere(scene.study, scene.figure);
	scene.input.elsewhere = elsewhere;
	draw(&scene, "bars");
	expect(&scene.settings, "peak_0_0 = 8000000000\n");
	expect(&scene.notes, "The peak top/nobody was not measured. The peak none/a was not measured. ");
	json_decref(elsewhere);
	end(&scene);
}

/* Ten samples of 800 and ten of 1600, each with its spread: the mean and spread of the twenty. */
static void
pooled_cases_are_one_pool(void **state)
{
	struct scene scene;
	const double squares = 9 * 100.0 * 100 + 9 * 200.0 * 200 + 20 * 400.0 * 400;
	char *row = memory_format("\n0,0,1200,1200,%.17g,20,8,%.17g,0\n", sqrt(squares / 19),
				  1200 + sqrt(squares / 19));

	(void)state;
	begin(&scene, "{\"pooled\": true}");
	add_case(&scene, "c16", 16, 1);
	add_case(&scene, "c32", 32, 2);
	draw(&scene, "bars");
	expect(&scene.data, row);
	assert_false(has(&scene.data, "\n1,"));
	free(row);
	end(&scene);
}

static void
an_invalid_case_shows_no_number(void **state)
{
	static const char *const names[] = {"bars", "pairs", "sizes"};
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		struct scene scene;

		begin(&scene, "{}");
		add_case(&scene, "c16", 16, 1);
		json_object_set_new(json_object_get(json_object_get(scene.stats, "cases"), "c16"), "invalid",
				    json_true());
		json_object_set_new(json_object_get(json_object_get(scene.stats, "cases"), "c16"), "invalid_reason",
				    json_string("outputs disagree"));
		draw(&scene, names[i]);
		assert_false(has(&scene.data, "800"));
		expect(&scene.notes, "c16: not shown, outputs disagree. ");
		end(&scene);
	}
}

/* ---- pairs ---- */

static void
pairs_are_of_the_smallest_size_and_told_when_they_lack(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "{}");
	add_case(&scene, "c32", 32, 2);
	add_case(&scene, "c16", 16, 1);
	draw(&scene, "pairs");
	expect(&scene.data, "lo,hi,end\n0,800,100,900,100,12.5,112.5,8,7.75,8.25,8.25\n");
	assert_false(has(&scene.data, "\n1,"));
	expect(&scene.notes, "simd_mul over scalar_mul is left out: simd_mul was not measured. ");
	expect(&scene.settings, "row_0 = \"add\"\n");
	expect(&scene.settings, "series_a = \"scalar\"\nseries_b = \"simd\"\n");
	expect(&scene.settings, "title_text = \"Title, c16\"\n");
	end(&scene);
}

static void
pairs_follow_the_metric(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "{\"metric\": \"cpu_us\"}");
	add_case(&scene, "c16", 16, 1);
	draw(&scene, "pairs");
	expect(&scene.data, "0,700,87.5,787.5,70,8.75,78.75,10,9.75,10.25,10.25\n"
			    "1,500,62.5,562.5,50,6.25,56.25,10,9.75,10.25,10.25\n");
	expect(&scene.settings, "x_text = \"CPU time\"\n");
	end(&scene);
}

static void
a_pair_that_is_no_comparison_has_no_interval(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "{\"pairs\": [[\"scalar_mul\", \"simd_add\"], [\"simd_add\", \"nobody\"]]}");
	add_case(&scene, "c16", 16, 1);
	draw(&scene, "pairs");
	expect(&scene.data, "\n0,100,12.5,112.5,900,112.5,1012.5,0.1111111111111111,,,0.1111111111111111\n");
	expect(&scene.settings, "row_0 = \"scalar_mul over simd_add\"\n");
	expect(&scene.settings, "series_a = \"baseline\"\n");
	expect(&scene.notes, "1 of 1 rows without an interval: they are no comparisons of the experiment. ");
	expect(&scene.notes, "simd_add over nobody is left out: nobody was not measured. ");
	end(&scene);
}

/* ---- sizes ---- */

static void
write_samples(const char *case_id, double value)
{
	char *path = memory_format("build/samples/%s.csv", case_id);
	char *text = memory_format("run_id,phase,treatment,slot,sample,pair,status,item,used,wall_us\n"
				   "a,ab,0,1,1,1,ok,,1,%.17g\na,ab,0,1,2,1,ok,,1,%.17g\n"
				   "b,aa,0,1,1,1,ok,,1,77\nc,warmup,0,1,1,1,ok,,1,77\nd,ab,0,1,1,2,ok,,0,77\n"
				   "e,ab,0,1,1,2,failed,,1,77\nf,ab,1,1,1,2,ok,,1,%.17g\n",
				   value, value + 0.5, value / 8);

	assert_int_equal(file_write(path, text, strlen(text), 0, NULL), 0);
	free(text);
	free(path);
}

static void
sizes_have_a_line_of_means_and_all_samples(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "{\"bytes_each\": 32}");
	add_case(&scene, "c1024", 1024, 1);
	add_case(&scene, "c16384", 16384, 2);
	write_samples("c1024", 800);
	write_samples("c16384", 1600);
	draw(&scene, "sizes");
	expect(&scene.data, "series,kind,x,value\n0,0,1024,800\n0,0,16384,1600\n\n\n"
			    "0,1,1024,800\n0,1,1024,800.5\n0,1,16384,1600\n0,1,16384,1600.5\n\n\n"
			    "1,0,1024,100\n1,0,16384,200\n\n\n1,1,1024,100\n1,1,16384,200\n");
	assert_false(has(&scene.data, "77"));
	expect(&scene.data, "\n3\n\n\n3\n"); /* not measured: blocks that hold their place */
	expect(&scene.settings, "cache_0 = 1536\ncache_name_0 = \"L1: 48 KiB\"\ncache_count = 1\n");
	expect(&scene.settings, "x_log = 0\n");
	end(&scene);
}

static void
one_case_goes_by_its_groups(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "{}");
	add_case(&scene, "c1024", 1024, 1);
	write_samples("c1024", 800);
	draw(&scene, "sizes");
	expect(&scene.data, "series,kind,x,value\n0,0,1,800\n0,0,2,801\n\n\n0,1,1,800\n0,1,1,800.5\n");
	expect(&scene.settings, "by_group = 1\n");
	expect(&scene.settings, "title_text = \"Title, c1024\"\n");
	end(&scene);
}

/* Of the values of a panel, or as the author says. */
static void
the_axis_is_logarithmic_beyond_thirty(void **state)
{
	static const struct {
		const char *options;
		double range;
		const char *expected;
	} cases[] = {
		{"{}", 30, "x_log = 0\n"},
		{"{}", 30.1, "x_log = 1\n"},
		{"{\"log\": true}", 9, "x_log = 1\n"},
		{"{\"log\": false}", 100, "x_log = 0\n"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct scene scene;
		json_t *document, *item;

		begin(&scene, cases[i].options);
		add_case(&scene, "c16", 16, 1);
		add_case(&scene, "c32", 32, 20);
		document = json_object_get(json_object_get(scene.stats, "cases"), "c16");
		item = json_array_get(json_object_get(json_array_get(json_object_get(document, "metrics"), 0),
						      "items"), 0);
		json_object_set_new(json_object_get(json_array_get(json_object_get(item, "treatments"), 0),
						    "over_samples"),
				    "mean", json_real(100 * cases[i].range)); /* the least is 100 */
		draw(&scene, "bars");
		expect(&scene.settings, cases[i].expected);
		end(&scene);
	}
}

/* ---- all ---- */

static int
enter(void **state)
{
	static char folder[] = "/tmp/assay-figures-XXXXXX";

	*state = folder;
	return mkdtemp(folder) != NULL && chdir(folder) == 0 && mkdir("build", 0777) == 0 &&
		       mkdir("build/samples", 0777) == 0
		       ? 0
		       : -1;
}

static int
leave(void **state)
{
	return chdir("/") == 0 ? file_remove_tree(*state, NULL) : -1;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_are_the_means_and_stand_to_the_fastest),
		cmocka_unit_test(rates_tell_work_over_time_from_the_mean_of_rates),
		cmocka_unit_test(a_form_finds_peaks_in_the_whole_study),
		cmocka_unit_test(pooled_cases_are_one_pool),
		cmocka_unit_test(an_invalid_case_shows_no_number),
		cmocka_unit_test(pairs_are_of_the_smallest_size_and_told_when_they_lack),
		cmocka_unit_test(pairs_follow_the_metric),
		cmocka_unit_test(a_pair_that_is_no_comparison_has_no_interval),
		cmocka_unit_test(sizes_have_a_line_of_means_and_all_samples),
		cmocka_unit_test(one_case_goes_by_its_groups),
		cmocka_unit_test(the_axis_is_logarithmic_beyond_thirty),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}

#include "judge_scene.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

char scene_folder[] = "/tmp/assay-judge-XXXXXX";

void
scene_begin(struct scene *scene)
{
	memset(scene, 0, sizeof *scene);
	scene->treatments[0].name = scene->treatments[0].variant = (char *)"plain";
	scene->treatments[1].name = scene->treatments[1].variant = (char *)"fast";
	scene->comparison = (struct comparison){0, 1};
	scene->metric = (struct setting){(char *)"wall_us", (char *)"lower"};
	scene->plan.case_id = (char *)"c";
	scene->plan.experiment = (char *)"e";
	scene->plan.point = json_pack("{s:i}", "n", 8);
	scene->plan.treatments = scene->treatments;
	scene->plan.treatment_count = 2;
	scene->plan.comparisons = &scene->comparison;
	scene->plan.comparison_count = 1;
	scene->plan.metrics = (struct settings){&scene->metric, 1};
	scene->plan.primary = (char *)"wall_us";
	scene->plan.check.equal = true;
	scene->plan.cpus = (char *)"last";
	scene->cpus = "1";
	scene->plan.design.pairs = 10;
	scene->looks = json_array();
	scene->sessions = json_array();
	buffer_puts(&scene->csv,
		    "run_id,session,case_id,experiment,item,treatment,variant,phase,block,pair,order,slot,"
		    "attempt,sample,started_ns,cpu,status,reason,used,wall_us,cpu_us,process_wall_us,leftovers,check,"
		    "stdout_sha256,cfg_len,cfg_iters,flops,process_user_us,caller_cpu_us,process_sys_us,voluntary_switches,"
		    "involuntary_switches\n");
}

static void
put_told(struct scene *scene, int treatment, double wall_us)
{
	const double of[] = {scene->told[treatment].len, scene->told[treatment].iters,
			     scene->told[treatment].flops, scene->told[treatment].process_cpu * wall_us,
			     scene->told[treatment].caller_cpu * wall_us};
	size_t i;

	for (i = 0; i < sizeof of / sizeof *of; i++)
		of[i] > 0 ? buffer_printf(&scene->csv, ",%.17g", of[i]) : buffer_puts(&scene->csv, ",");
	buffer_printf(&scene->csv, ",0,%d,1\n", scene->told[treatment].voluntary);
}

void
put_samples(struct scene *scene, const char *phase, int treatment, int pair, int slot,
	    const double *wall_us, const double *cpu_us, int count, const char *check,
	    const char *status)
{
	static const char *const names[] = {"plain", "fast", "plain'"};
	int i;

	scene->order++;
	for (i = 0; i < count; i++) {
		buffer_printf(&scene->csv,
			      "r%d,1,c,e,,%d,%s,%s,%d,%d,%d,%d,1,%d,%d000000000,\"%s\",%s,%s,1,%.17g,%.17g,%.17g,%d,%s,",
			      scene->order, treatment, names[treatment], phase, scene->block, pair,
			      scene->order, slot, i + 1, scene->order, scene->cpus, status,
			      strcmp(status, "ok") != 0 ? "it crashed" : scene->remark != NULL ? scene->remark : "",
			      wall_us[i], cpu_us[i],
			      wall_us[i], scene->leftovers[treatment], check);
		put_told(scene, treatment, wall_us[i]);
	}
}

void
put_group(struct scene *scene, const char *phase, int treatment, int pair, int slot, double value,
	  const char *check, const char *status)
{
	const double us[] = {value - 1, value, value + 1};

	put_samples(scene, phase, treatment, pair, slot, us, us, 3, check, status);
}

void
put_pair(struct scene *scene, const char *phase, int pair, bool a_first, double a, double b, int other)
{
	scene->block++;
	put_group(scene, phase, a_first ? 0 : other, pair, 1, a_first ? a : b, "7", "ok");
	put_group(scene, phase, a_first ? other : 0, pair, 2, a_first ? b : a, "7", "ok");
}

void
put_pairs(struct scene *scene, int count, double a, double b)
{
	int i;

	for (i = 0; i < count; i++)
		put_pair(scene, "ab", i + 1, i % 2 == 0, a + i % 5, b + i % 3, 1);
}

json_t *
analyse(struct scene *scene)
{
	char *path = memory_format("%s/samples.csv", scene_folder);
	struct case_options options = case_options_declared(&scene->plan);
	struct observations observations;
	struct error error = {0};
	json_t *document;
	struct case_input input = {.plan = &scene->plan, .observations = &observations,
				   .identity = "abc", .point_text = "n=8", .sessions = scene->sessions,
				   .looks = scene->looks, .identical = scene->identical,
				   .builds = scene->builds,
				   .regime_problem = scene->regime_problem};

	assert_int_equal(file_write(path, scene->csv.bytes, scene->csv.length, 0, &error), 0);
	if (observations_read(path, &observations, &error) != 0)
		fail_msg("%s", error.message);
	document = case_document(&input, &options);
	observations_free(&observations);
	free(path);
	return document;
}

void
scene_end(struct scene *scene, json_t *document)
{
	json_decref(document);
	json_decref(scene->plan.point);
	json_decref(scene->looks);
	json_decref(scene->identical);
	json_decref(scene->builds);
	json_decref(scene->sessions);
	buffer_free(&scene->csv);
}

const json_t *
comparison_of(const json_t *document)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0);
	const json_t *item = json_array_get(json_object_get(metric, "items"), 0);

	return json_array_get(json_object_get(item, "comparisons"), 0);
}

const json_t *
find_warning(const json_t *document, const char *code)
{
	const json_t *warning;
	size_t i;

	json_array_foreach(json_object_get(document, "warnings"), i, warning)
		if (strcmp(json_get_text(warning, "code"), code) == 0)
			return warning;
	return NULL;
}

bool
has_warning(const json_t *document, const char *code)
{
	return find_warning(document, code) != NULL;
}

int
scene_make_folder(void **state)
{
	(void)state;
	return mkdtemp(scene_folder) != NULL ? 0 : -1;
}

int
scene_remove_folder(void **state)
{
	(void)state;
	return file_remove_tree(scene_folder, NULL);
}

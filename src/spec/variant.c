#include "spec/variant.h"

#include <errno.h>
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/item_filter.h"
#include "spec/api.h"
#include "spec/expand.h"
#include "spec/fail.h"
#include "spec/graph_model.h"
#include "spec/need.h"
#include "spec/placeholder.h"
#include "spec/program_model.h"
#include "spec/sandbox.h"
#include "spec/value.h"

static void
read_cfg(const struct fields *fields, struct variant *variant)
{
	static const char *const known[] = {"len", "iters", "flops", NULL};
	struct fields inner;

	if (!fields_open(fields, "cfg", &inner))
		return;
	fields_only(&inner, known, 0);
	variant->cfg_len = fields_text(&inner, "len", NULL);
	variant->cfg_iters = fields_text(&inner, "iters", NULL);
	if (variant->cfg_len == NULL || variant->cfg_iters == NULL)
		fields_fail(&inner, "", "must give both, as in cfg = { len = \"{n}\", iters = \"{iters}\" }");
	variant->cfg_flops = fields_number(&inner, "flops", 0, 0, true, 1e9);
	lua_pop(fields->L, 1);
}

static void
read_work(const struct fields *fields, struct variant *variant)
{
	static const char *const known[] = {"flops", "bytes", NULL};
	struct fields inner;

	if (!fields_open(fields, "work", &inner))
		return;
	fields_only(&inner, known, 0);
	variant->work_flops = fields_text(&inner, "flops", NULL);
	variant->work_bytes = fields_text(&inner, "bytes", NULL);
	if (variant->work_flops == NULL && variant->work_bytes == NULL)
		fields_fail(&inner, "", "must say what a sample does, as in work = { flops = \"{flops}\", bytes = "
			    "\"{bytes}\" }");
	lua_pop(fields->L, 1);
}

static void
check_env(const struct fields *fields, const struct settings *env)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t i;

	for (i = 0; i < env->count; i++) {
		const char *name = env->items[i].name;

		if (name[0] == '\0' || strspn(name, letters) != strlen(name) ||
		    (name[0] >= '0' && name[0] <= '9'))
			fields_fail(fields, "env", "\"%.100s\" is no name of an environment variable", name);
	}
}

static void
read_texts(const struct fields *fields, struct variant *variant)
{
	struct texts stdin_list;

	variant->inputs = fields_texts(fields, "inputs", FIELDS_ONE_OR_LIST, NULL);
	variant->args = fields_texts(fields, "args", FIELDS_LIST_ONLY, &variant->inputs);
	variant->prepare = fields_texts(fields, "prepare", FIELDS_LIST_ONLY, &variant->inputs);
	stdin_list = fields_texts(fields, "stdin", FIELDS_ONE_OR_LIST, NULL);
	if (stdin_list.count > 1)
		fields_fail(fields, "stdin", "must be one file");
	variant->stdin_path = stdin_list.count == 1 ? stdin_list.items[0] : NULL;
	variant->env = fields_settings(fields, "env");
	variant->cwd = fields_text(fields, "cwd", NULL);
	variant->mode = fields_text(fields, "mode", NULL);
	check_env(fields, &variant->env);
}

/* The program of this path, one that is there before one that is skipped; NULL: none. */
static const struct program *
program_at(const struct study *study, const char *path)
{
	const struct program *found = NULL;
	size_t i;

	for (i = 0; i < study->program_count; i++)
		if (strcmp(study->programs[i].path, path) == 0 &&
		    (found == NULL || found->needs.skipped != NULL))
			found = &study->programs[i];
	return found;
}

/* A variant can do without none of the programs that it starts or names in its arguments. */
static void
read_needs(const struct fields *fields, struct variant *variant)
{
	struct host *host = host_of(fields->L);
	struct texts said = {NULL, 0};
	size_t i;

	if (variant->program != VARIANT_FILLED)
		need_add(host->arena, &host->study.programs[variant->program].needs, &variant->needs);
	need_read(fields, &variant->needs, &said);
	for (i = 0; i < variant->inputs.count; i++) {
		const struct program *used = program_at(&host->study, variant->inputs.items[i]);

		if (used != NULL)
			need_add(host->arena, &used->needs, &variant->needs);
	}
}

/* at = { threads = 1 } */
static void
read_at(const struct fields *fields, struct variant *variant)
{
	lua_State *L = fields->L;
	struct fields at;
	const char **names;
	size_t i;

	if (!fields_open(fields, "at", &at))
		return;
	names = sandbox_names(L, at.index, &variant->at.count);
	if (sandbox_sorted_keys(L, at.index) != variant->at.count)
		fields_fail(&at, "", "must be a table dimension = value");
	variant->at.items = arena_alloc(host_of(L)->arena, variant->at.count, sizeof *variant->at.items);
	for (i = 0; i < variant->at.count; i++) {
		fields_push(&at, names[i]);
		variant->at.items[i] = expand_value(&at, names[i], names[i]);
		lua_pop(L, 1);
	}
	lua_pop(L, 3);
}

int
variant_body(lua_State *L)
{
	static const char *const known[] = {"args", "env",  "stdin",	    "cwd",	   "prepare", "inputs",
					    "mode", "cfg",  "lowers_scale", "ignore_exit", "needs",   "work", "at",
					    NULL};
	struct variant *variant = arena_alloc(host_of(L)->arena, 1, sizeof *variant);
	struct fields *fields = &variant->fields;

	api_begin_named(L, fields, "variant");
	fields_only(fields, known, 1);
	api_check_name(fields, "", fields->name, NAME_LABEL);
	variant->name = arena_text(host_of(L)->arena, fields->name);
	variant->program_name = program_template(fields);
	variant->program = variant->program_name != NULL ? VARIANT_FILLED : program_read(fields);
	read_texts(fields, variant);
	read_needs(fields, variant);
	read_cfg(fields, variant);
	read_work(fields, variant);
	variant->lowers_scale = fields_flag(fields, "lowers_scale", false);
	variant->ignore_exit = fields_flag(fields, "ignore_exit", false);
	read_at(fields, variant);
	value_push(L, VALUE_VARIANT, variant, 0);
	return 1;
}

static char *
fill(const struct variant *variant, const char *key, const char *template,
     const struct point *values)
{
	struct arena *arena = host_of(variant->fields.L)->arena;
	struct buffer out = BUFFER_EMPTY, problem = BUFFER_EMPTY;
	bool good = placeholder_fill(template, values, &out, &problem);
	char *text = arena_text(arena, buffer_text(good ? &out : &problem));

	buffer_free(&out);
	buffer_free(&problem);
	if (!good)
		fields_fail(&variant->fields, key, "\"%.300s\": %s", template, text);
	return text;
}

static struct texts
fill_all(const struct variant *variant, const char *key, const struct texts *templates,
	 const struct point *values)
{
	struct arena *arena = host_of(variant->fields.L)->arena;
	struct texts texts = {NULL, 0};
	size_t i;

	for (i = 0; i < templates->count; i++) {
		const char *template = templates->items[i];

		if (strpbrk(template, "{}") == NULL)
			texts_add(arena, &texts, template);
		else
			texts_add(arena, &texts, fill(variant, arena_printf(arena, "%s[%zu]", key, i + 1),
						      template, values));
	}
	return texts;
}

static void
fill_env(const struct variant *variant, const struct point *values, struct settings *env)
{
	struct arena *arena = host_of(variant->fields.L)->arena;
	size_t i;

	env->items = arena_alloc(arena, variant->env.count, sizeof *env->items);
	env->count = variant->env.count;
	for (i = 0; i < env->count; i++) {
		const char *name = variant->env.items[i].name;

		env->items[i].name = arena_text(arena, name);
		env->items[i].value = fill(variant, arena_printf(arena, "env.%s", name),
					   variant->env.items[i].value, values);
	}
}

static void
fill_files(const struct variant *variant, const struct point *values, struct treatment *t)
{
	const struct fields *fields = &variant->fields;
	struct stat status;
	size_t i;

	t->inputs = fill_all(variant, "inputs", &variant->inputs, values);
	api_paths(fields, "inputs", &t->inputs);
	for (i = 0; t->needs.skipped == NULL && i < t->inputs.count; i++)
		graph_measured_with(fields, "inputs", t->inputs.items[i]);
	if (variant->stdin_path != NULL) {
		t->stdin_path = api_path(fields, "stdin", fill(variant, "stdin", variant->stdin_path, values));
		graph_measured_with(fields, "stdin", t->stdin_path);
	}
	if (variant->cwd == NULL)
		return;
	t->cwd = api_path(fields, "cwd", fill(variant, "cwd", variant->cwd, values));
	/* What lies in build/ may still be made. */
	if (!host_of(fields->L)->for_text && strncmp(t->cwd, "build/", 6) != 0 &&
	    (stat(t->cwd, &status) != 0 || !S_ISDIR(status.st_mode)))
		fields_fail(fields, "cwd", "there is no folder \"%.300s\"", t->cwd);
}

/* What an option such as --kernel={name} asks for is what the MODE line must answer. */
static char *
expected_mode(const struct variant *variant, const struct texts *args, bool harness,
	      const struct point *values)
{
	size_t i;

	if (variant->mode != NULL)
		return fill(variant, "mode", variant->mode, values);
	for (i = 0; harness && i < args->count; i++) {
		if (strncmp(args->items[i], "--kernel=", 9) == 0)
			return args->items[i] + 9;
		if (strncmp(args->items[i], "--mode=", 7) == 0)
			return args->items[i] + 7;
	}
	return NULL;
}

static void
add_harness_args(const struct variant *variant, const struct experiment *experiment, struct texts *args)
{
	struct arena *arena = host_of(variant->fields.L)->arena;
	const struct design *design = &experiment->design;
	struct buffer list = BUFFER_EMPTY;
	size_t i;

	for (i = 0; i < args->count; i++)
		if (strncmp(args->items[i], "--samples=", 10) == 0 ||
		    strncmp(args->items[i], "--warmup-samples=", 17) == 0)
			fields_fail(&variant->fields, "args", "\"%s\" is set by the design; write design = { "
				    "samples = …, warmup_samples = … }", args->items[i]);
	texts_add(arena, args, arena_printf(arena, "--samples=%d", design->samples));
	texts_add(arena, args, arena_printf(arena, "--warmup-samples=%d", design->warmup_samples));
	for (i = 0; i < experiment->counters.count; i++)
		buffer_printf(&list, "%s%s", i == 0 ? "--counters=" : ",", experiment->counters.items[i]);
	if (list.length > 0)
		texts_add(arena, args, arena_text(arena, buffer_text(&list)));
	buffer_free(&list);
}

/* The argument that gives the option, or NULL. */
static const char *
find_option(const struct texts *args, const char *name)
{
	size_t length = strlen(name), i;

	for (i = 0; i < args->count; i++)
		if (strncmp(args->items[i], name, length) == 0 &&
		    (args->items[i][length] == '=' || args->items[i][length] == '\0'))
			return args->items[i];
	return NULL;
}

/* What the reader needs of the program, behind the author's own arguments. */
static void
add_benchmark_args(const struct variant *variant, const struct experiment *experiment,
		   struct texts *args)
{
	struct arena *arena = host_of(variant->fields.L)->arena;
	const char *format = find_option(args, "--benchmark_format");
	char *filter;

	if (format == NULL)
		texts_add(arena, args, "--benchmark_format=json");
	else if (strcmp(format, "--benchmark_format=json") != 0)
		fields_fail(&variant->fields, "args", "the reader needs --benchmark_format=json and adds it itself, "
			    "not %s", format);
	if (experiment->design.samples_given) {
		if (find_option(args, "--benchmark_repetitions") != NULL)
			fields_fail(&variant->fields, "args", "--benchmark_repetitions is set by the design's samples; "
				    "leave one of them out");
		texts_add(arena, args,
			  arena_printf(arena, "--benchmark_repetitions=%d", experiment->design.samples));
	}
	if (experiment->items == NULL)
		return;
	if (find_option(args, "--benchmark_filter") != NULL)
		fields_fail(&variant->fields, "args", "--benchmark_filter is set by the experiment's items; leave "
			    "one of them out");
	filter = item_filter_whole(experiment->items);
	texts_add(arena, args, arena_printf(arena, "--benchmark_filter=%s", filter));
	free(filter);
}

static json_int_t
whole_number(const struct variant *variant, const char *key, const char *template,
	     const struct point *values)
{
	const char *text = fill(variant, key, template, values);
	long long number;
	char *end;

	errno = 0;
	number = strtoll(text, &end, 10);
	if (end == text || *end != '\0' || errno != 0 || number < 0)
		fields_fail(&variant->fields, key, "must be a whole number, not \"%.60s\"", text);
	return number;
}

static void
fill_program(const struct variant *variant, const struct point *values, struct treatment *t)
{
	struct host *host = host_of(variant->fields.L);

	t->program = program_find(&variant->fields, fill(variant, "[1]", variant->program_name, values));
	need_add(host->arena, &host->study.programs[t->program].needs, &t->needs);
}

/* 0 where nothing was said. */
static double
amount(const struct variant *variant, const char *key, const char *template,
       const struct point *values)
{
	const char *text;
	double number;
	char *end;

	if (template == NULL)
		return 0;
	text = fill(variant, key, template, values);
	number = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(number) || number < 0)
		fields_fail(&variant->fields, key, "must be a number, 0 or more, not \"%.60s\"", text);
	return number;
}

/* Of a program that is an interpreter with its script: that goes before what the variant says. */
static struct texts
with_script(const struct host *host, size_t program, struct texts args)
{
	char *script = host->declared[program].script;
	struct texts all = {NULL, 0};
	size_t i;

	if (script == NULL)
		return args;
	texts_add(host->arena, &all, script);
	for (i = 0; i < args.count; i++)
		texts_add(host->arena, &all, args.items[i]);
	return all;
}

void
variant_fill(const struct variant *variant, const struct point *values,
	     const struct experiment *experiment, struct treatment *t)
{
	struct host *host = host_of(variant->fields.L);
	bool harness;

	t->name = t->variant = variant->name;
	t->perturbs = variant->perturbs;
	t->perturbation = variant->perturbation;
	t->program = variant->program;
	t->place = variant->fields.place;
	t->expect_flops = variant->cfg_flops;
	t->work.declared = variant->work_flops != NULL || variant->work_bytes != NULL;
	t->work.flops = amount(variant, "work.flops", variant->work_flops, values);
	t->work.bytes = amount(variant, "work.bytes", variant->work_bytes, values);
	t->lowers_scale = variant->lowers_scale;
	t->ignore_exit = variant->ignore_exit;
	t->needs = variant->needs;
	if (t->program == VARIANT_FILLED)
		fill_program(variant, values, t);
	harness = host->declared[t->program].harness;
	t->args = with_script(host, t->program, fill_all(variant, "args", &variant->args, values));
	t->prepare = fill_all(variant, "prepare", &variant->prepare, values);
	fill_env(variant, values, &t->env);
	fill_files(variant, values, t);
	t->expect_mode = expected_mode(variant, &t->args, harness, values);
	if (variant->cfg_len != NULL)
		t->expect_cfg = arena_json(host->arena,
			json_pack("[I, I]", whole_number(variant, "cfg.len", variant->cfg_len, values),
				  whole_number(variant, "cfg.iters", variant->cfg_iters, values)));
	if (harness)
		add_harness_args(variant, experiment, &t->args);
	if (strcmp(experiment->reader, "google-benchmark") == 0)
		add_benchmark_args(variant, experiment, &t->args);
}

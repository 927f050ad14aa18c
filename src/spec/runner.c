#include "spec/runner.h"

#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "spec/api.h"
#include "spec/fail.h"
#include "spec/glob_files.h"
#include "spec/graph_model.h"
#include "spec/program_model.h"
#include "spec/text.h"

#define CC_RULE "runner_cc"
#define LINK_RULE "runner_link"

/*
 * The study's folder is no part of what is compiled: a clone elsewhere gives the same bytes, and
 * build.ninja names no folder of this machine. The shell fills PWD in, Ninja's `$$` is its `$`.
 */
#define PREFIX_MAP "\"-ffile-prefix-map=$$PWD=.\""

const struct toolchain *
runner_default_toolchain(struct host *host)
{
	struct toolchain *toolchain = arena_alloc(host->arena, 1, sizeof *toolchain);

	toolchain->name = arena_text(host->arena, "default");
	texts_add(host->arena, &toolchain->cc, "cc");
	texts_add(host->arena, &toolchain->cflags, "-O2");
	texts_add(host->arena, &toolchain->cflags, "-g");
	texts_add(host->arena, &toolchain->cxx, "c++");
	toolchain->cxxflags = toolchain->cflags;
	return toolchain;
}

static void
add_rules(struct host *host, struct place place)
{
	struct graph_rule *rule;

	if (graph_find_rule(host, CC_RULE) != NULL)
		return;
	rule = graph_add_rule(host, CC_RULE, place);
	settings_add(host->arena, &rule->variables, "command",
		     "$cc $cflags " PREFIX_MAP " -MD -MF $out.d -c $in -o $out");
	settings_add(host->arena, &rule->variables, "depfile", "$out.d");
	settings_add(host->arena, &rule->variables, "deps", "gcc");
	settings_add(host->arena, &rule->variables, "description", "compile $out");
	rule = graph_add_rule(host, LINK_RULE, place);
	settings_add(host->arena, &rule->variables, "command", "$cc $ldflags -o $out $in $libs");
	settings_add(host->arena, &rule->variables, "description", "link $out");
}

static void
append_words(struct buffer *out, const struct texts *words)
{
	size_t i;

	for (i = 0; i < words->count; i++) {
		if (out->length > 0)
			buffer_putc(out, ' ');
		text_shell_word(out, words->items[i]);
	}
}

/* The value of an edge's variable: shell words, escaped for Ninja. */
static void
set_words(struct host *host, struct graph_edge *edge, const char *name, const struct texts *first,
	  const struct texts *second)
{
	struct buffer words = BUFFER_EMPTY;

	append_words(&words, first);
	append_words(&words, second);
	settings_add(host->arena, &edge->variables, name, buffer_text(&words));
	buffer_free(&words);
}

static bool
ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a > b && strcmp(text + a - b, end) == 0;
}

/* Below the runner's own folder: two runners may compile one source with other flags. */
static char *
object_path(struct host *host, const struct runner *runner, const char *source)
{
	if (host->home[0] != '\0' && strncmp(source, host->home, strlen(host->home)) == 0)
		return arena_printf(host->arena, "build/obj/%s/assay/%s.o", runner->name,
				    source + strlen(host->home));
	return arena_printf(host->arena, "build/obj/%s/%s%s.o", runner->name,
			    source[0] == '/' ? "absolute" : "", source);
}

static struct texts
compile_flags(struct host *host, const struct runner *runner, const struct texts *own)
{
	struct texts flags = {NULL, 0};
	size_t i;

	for (i = 0; i < own->count; i++)
		texts_add(host->arena, &flags, own->items[i]);
	if (runner->harness)
		texts_add(host->arena, &flags, arena_printf(host->arena, "-I%skernels", host->home));
	if (host->home[0] != '\0')
		texts_add(host->arena, &flags,
			  arena_printf(host->arena, "-ffile-prefix-map=%s=assay/", host->home));
	return flags;
}

static bool
is_cxx(const char *source)
{
	return ends_with(source, ".cc") || ends_with(source, ".cpp") || ends_with(source, ".cxx");
}

static char *
compile(const struct fields *fields, const struct runner *runner, const char *source,
	const struct texts *own, char *object)
{
	struct host *host = host_of(fields->L);
	const struct toolchain *with = runner->toolchain;
	bool cxx = is_cxx(source);
	struct texts flags = compile_flags(host, runner, own);
	struct graph_edge *edge = graph_add_edge(host, CC_RULE, fields->place);
	struct texts none = {NULL, 0};

	texts_add(host->arena, &edge->outputs, object);
	texts_add(host->arena, &edge->inputs, source);
	set_words(host, edge, "cc", cxx ? &with->cxx : &with->cc, &none);
	set_words(host, edge, "cflags", cxx ? &with->cxxflags : &with->cflags, &flags);
	graph_claim_output(fields, "", object);
	return object;
}

static char *
compile_own(const struct fields *fields, const struct runner *runner, const char *source)
{
	return compile(fields, runner, source, is_cxx(source) ? &runner->cxxflags : &runner->cflags,
		       object_path(host_of(fields->L), runner, source));
}

/* Of a runner that is skipped no edge may stay behind: its compiler is not there. */
static void
add_source(const struct fields *fields, const struct runner *runner, size_t i, struct texts *objects)
{
	struct host *host = host_of(fields->L);
	const char *key = arena_printf(host->arena, "[%zu]", i + 1);
	char *source = api_path(fields, key, runner->sources.items[i]);
	bool compiled = ends_with(source, ".c") || is_cxx(source);

	if (!compiled && !ends_with(source, ".o") && !ends_with(source, ".a"))
		fields_fail(fields, key, "\"%.200s\" is no source in C (.c) or C++ (.cc, .cpp, .cxx), object (.o) "
			    "or archive (.a); compile other languages with rule and build", source);
	if (compiled || runner->needs.skipped == NULL)
		api_needs(fields, key, source);
	if (runner->needs.skipped == NULL)
		texts_add(host->arena, objects, compiled ? compile_own(fields, runner, source) : source);
}

/* With one C++ source its compiler links, since it knows the libraries of the language. */
static const struct texts *
linker(const struct runner *runner)
{
	size_t i;

	for (i = 0; i < runner->sources.count; i++)
		if (is_cxx(runner->sources.items[i]))
			return &runner->toolchain->cxx;
	return &runner->toolchain->cc;
}

/*
 * One for all runners of a toolchain, by its flags alone: what takes the time is not to differ
 * between programs that are compared, and need not be compiled again for each of them.
 */
static const char *
harness_objects(struct host *host, const struct toolchain *with)
{
	struct buffer words = BUFFER_EMPTY;
	char hex[DIGEST_SHA256_HEX];

	append_words(&words, &with->cc);
	append_words(&words, &with->cflags);
	digest_bytes(DIGEST_SHA256, words.bytes, words.length, hex);
	buffer_free(&words);
	return arena_printf(host->arena, "build/obj/harness/%.12s", hex);
}

static void
add_harness(const struct fields *fields, const struct runner *runner, struct texts *objects)
{
	struct host *host = host_of(fields->L);
	const char *folder = arena_printf(host->arena, "%skernels/harness", host->home);
	const char *made = harness_objects(host, runner->toolchain);
	struct texts sources = glob_folder(fields->L, folder, ".c"), none = {NULL, 0};
	size_t i;

	for (i = 0; i < sources.count; i++) {
		const char *source = sources.items[i];
		char *object = arena_printf(host->arena, "%s/%s.o", made, source + strlen(folder) + 1);

		texts_add(host->arena, objects, graph_makes(fields->L, object) ? object
			  : compile(fields, runner, source, &none, object));
	}
}

size_t
runner_lower(const struct fields *fields, const struct runner *runner)
{
	struct host *host = host_of(fields->L);
	struct program program = {0};
	struct texts objects = {NULL, 0}, none = {NULL, 0};
	struct graph_edge *edge;
	size_t i, index;

	program.path = arena_printf(host->arena, "build/runners/%s", runner->name);
	program.built = true;
	program.needs = runner->needs;
	index = program_add(fields, &program,
			    (struct declared){.harness = runner->harness, .text = runner->declared});
	for (i = 0; i < runner->sources.count; i++)
		add_source(fields, runner, i, &objects);
	if (runner->needs.skipped != NULL)
		return index;
	add_rules(host, fields->place);
	if (runner->harness)
		add_harness(fields, runner, &objects);
	edge = graph_add_edge(host, LINK_RULE, fields->place);
	texts_add(host->arena, &edge->outputs, program.path);
	edge->inputs = objects;
	set_words(host, edge, "cc", linker(runner), &none);
	set_words(host, edge, "ldflags", &runner->toolchain->ldflags, &runner->ldflags);
	set_words(host, edge, "libs", &runner->toolchain->libs, &runner->libs);
	graph_claim_output(fields, "", program.path);
	return index;
}

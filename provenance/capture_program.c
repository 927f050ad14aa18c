#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/child.h"
#include "base/file.h"
#include "base/memory.h"
#include "identity/hasher.h"
#include "identity/identity.h"
#include "provenance/build_facts.h"
#include "provenance/capture_parts.h"
#include "provenance/elf_notes.h"
#include "provenance/fact.h"

/*
 * "programs", "toolchain" and "interpreters" of provenance.json. Whole files are hashed, debug
 * information and build id included: this is what was there, where the identity is what counts.
 */

#define COMMANDS_LIMIT ((size_t)256 << 10)

static json_t *
text_or(char *text, const char *reason)
{
	json_t *fact = text != NULL ? fact_text(text) : fact_unavailable("%s", reason);

	free(text);
	return fact;
}

static json_t *
sha256_fact(struct hasher *hasher, const char *path)
{
	char hex[DIGEST_SHA256_HEX];
	struct error problem = {0};

	if (hasher_digest(hasher, HASH_ALL, path, hex, &problem) != 0)
		return fact_unavailable("%s", problem.message);
	return json_string(hex);
}

static json_t *
file_fact(struct hasher *hasher, const char *path)
{
	return json_pack("{s:o, s:o, s:o}", "path", fact_text(path), "sha256",
			 sha256_fact(hasher, path), "build_id",
			 text_or(elf_notes_build_id(path), "the file has none"));
}

/* ---- libraries ---- */

static json_t *
libraries_fact(struct hasher *hasher, const char *loader, const char *path,
	       const struct plan_treatment *treatment)
{
	const struct libraries *libraries =
		hasher_libraries(hasher, loader, path, treatment->cwd, &treatment->env);
	json_t *list;
	size_t i;

	if (libraries->problem != NULL)
		return fact_unavailable("%s", libraries->problem);
	list = json_array();
	for (i = 0; i < libraries->count; i++) {
		const struct library *library = &libraries->items[i];
		json_t *one = library->path != NULL ? file_fact(hasher, library->path)
						    : fact_unavailable("not found");

		json_object_set_new(one, "name", fact_text(library->name));
		json_array_append_new(list, one);
	}
	return list;
}

/* ---- interpreters ---- */

/* Only of programs that are known to answer --version with a line and nothing else. */
static bool
tells_version(const char *name)
{
	static const char *const known[] = {"python", "bash", "perl", "ruby", "node", "lua", "Rscript",
					    "php", "guile"};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (strncmp(name, known[i], strlen(known[i])) == 0)
			return true;
	return false;
}

static json_t *
version_fact(const char *path)
{
	const char *argv[] = {path, "--version", NULL}, *slash = strrchr(path, '/');
	struct child child;
	const char *text;
	json_t *fact;

	if (!tells_version(slash != NULL ? slash + 1 : path))
		return fact_unavailable("it is not known how to ask it");
	if (strncmp(slash != NULL ? slash + 1 : path, "lua", 3) == 0)
		argv[1] = "-v";
	child_run(argv, 4096, &child);
	text = buffer_text(child.out.length > 0 ? &child.out : &child.complaint);
	fact = child.problem != NULL ? fact_unavailable("%s", child.problem)
				     : fact_span(text, strcspn(text, "\n"));
	child_free(&child);
	return fact;
}

/* Where a bare command is found in PATH; the caller frees, NULL: nowhere. */
static char *
search(const char *command)
{
	const char *path = getenv("PATH");
	char *copy = memory_copy_text(path != NULL ? path : "/usr/local/bin:/usr/bin:/bin");
	char *rest = copy, *folder, *found = NULL;

	while (found == NULL && (folder = strsep(&rest, ":")) != NULL) {
		found = memory_format("%s/%s", folder[0] != '\0' ? folder : ".", command);
		if (access(found, X_OK) != 0) {
			free(found);
			found = NULL;
		}
	}
	free(copy);
	return found;
}

/* The interpreter that really runs: for "#!/usr/bin/env python3" python3. The caller frees. */
static char *
interpreter_of(const struct start *start)
{
	const char *slash = strrchr(start->interpreter, '/'), *word = start->argument;
	char *command, *found;

	if (slash == NULL || strcmp(slash + 1, "env") != 0 || word == NULL)
		return memory_copy_text(start->interpreter);
	while (*word == '-' || strchr(word, '=') != NULL) {
		const char *space = strchr(word, ' ');

		if (space == NULL)
			return memory_copy_text(start->interpreter);
		word = space + 1;
	}
	command = memory_copy_span(word, strcspn(word, " \t"));
	found = search(command);
	free(command);
	return found != NULL ? found : memory_copy_text(start->interpreter);
}

static bool
lists(const json_t *list, const char *path)
{
	char *plain = fact_redact(path);
	bool found = false;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		const char *one = json_string_value(json_object_get(json_array_get(list, i), "path"));

		found |= one != NULL && strcmp(one, plain) == 0;
	}
	free(plain);
	return found;
}

static void
add_interpreter(struct hasher *hasher, const struct start *start, json_t *interpreters)
{
	char *path = interpreter_of(start);
	json_t *fact;

	if (!lists(interpreters, path)) {
		fact = file_fact(hasher, path);
		json_object_set_new(fact, "version", version_fact(path));
		json_array_append_new(interpreters, fact);
	}
	free(path);
}

/* ---- programs ---- */

static json_t *
scripts_fact(struct hasher *hasher, const struct texts *scripts)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < scripts->count; i++)
		json_array_append_new(list, json_pack("{s:o, s:o}", "path",
						      fact_text(scripts->items[i]), "sha256",
						      sha256_fact(hasher, scripts->items[i])));
	return list;
}

static json_t *
build_fact(const char *path, bool built)
{
	char *commands = built ? build_commands(path) : NULL;
	json_t *facts = build_facts(path, commands);

	free(commands);
	return facts != NULL ? facts : fact_unavailable("it is no ELF file");
}

static void
add_program(struct hasher *hasher, const struct plan_treatment *treatment, json_t *programs,
	    json_t *interpreters)
{
	const char *path = treatment->program.path;
	const struct start *start = hasher_start(hasher, path);
	json_t *fact = file_fact(hasher, path);

	json_object_set_new(fact, "compiler",
			    text_or(elf_notes_compiler(path), "the file does not say"));
	if (start->loader != NULL)
		json_object_set_new(fact, "libraries",
				    libraries_fact(hasher, start->loader, path, treatment));
	else
		json_object_set_new(fact, "libraries", json_array());
	if (treatment->program.scripts.count > 0)
		json_object_set_new(fact, "scripts",
				    scripts_fact(hasher, &treatment->program.scripts));
	json_object_set_new(fact, "build", build_fact(path, treatment->program.built));
	json_array_append_new(programs, fact);
	if (start->interpreter != NULL)
		add_interpreter(hasher, start, interpreters);
}

/* ---- toolchain ---- */

/* The compiler's version: the last word that starts with a digit of what it says of itself. */
static json_t *
compiler_version(const char *text)
{
	char *copy = memory_copy_text(text), *rest = copy, *word;
	json_t *fact = NULL;

	while ((word = strsep(&rest, " ;")) != NULL)
		if (word[0] >= '0' && word[0] <= '9') {
			json_decref(fact);
			fact = fact_text(word);
		}
	free(copy);
	return fact != NULL ? fact : fact_unavailable("'%s' names no version", text);
}

/* The commands that make the programs, as Ninja has them; it reads build.ninja and runs nothing. */
static json_t *
commands_fact(const struct plan *plan)
{
	const char **argv = memory_zeroed(plan->treatment_count + 4, sizeof *argv);
	size_t count = 0, i;
	struct child child;
	char *rest, *line;
	json_t *fact;

	argv[count++] = "ninja";
	argv[count++] = "-t";
	argv[count++] = "commands";
	for (i = 0; i < plan->treatment_count; i++)
		if (plan->treatments[i].program.built && !plan->treatments[i].left_out)
			argv[count++] = plan->treatments[i].program.path;
	if (count == 3) {
		free(argv);
		return fact_unavailable("the graph builds none of the programs");
	}
	if (!file_exists("build.ninja")) {
		free(argv);
		return fact_unavailable("no build.ninja");
	}
	child_run(argv, COMMANDS_LIMIT, &child);
	if (child.problem != NULL) {
		fact = fact_unavailable("%s", child.problem);
	} else {
		fact = json_array();
		rest = child.out.bytes;
		while (rest != NULL && (line = strsep(&rest, "\n")) != NULL)
			if (line[0] != '\0')
				json_array_append_new(fact, fact_text(line));
	}
	child_free(&child);
	free(argv);
	return fact;
}

static json_t *
toolchain_fact(const struct plan *plan, const json_t *programs)
{
	json_t *fact = json_object();
	const char *compiler = NULL;
	size_t i;

	for (i = 0; compiler == NULL && i < json_array_size(programs); i++)
		compiler = json_string_value(json_object_get(json_array_get(programs, i), "compiler"));
	json_object_set_new(fact, "compiler",
			    compiler != NULL ? json_string(compiler)
					     : fact_unavailable("no program says by what it was made"));
	json_object_set_new(fact, "version",
			    compiler != NULL ? compiler_version(compiler)
					     : fact_unavailable("no program says by what it was made"));
	json_object_set_new(fact, "command", commands_fact(plan));
	return fact;
}

void
capture_programs(const struct plan *plan, json_t *provenance)
{
	struct hasher *hasher = hasher_open(IDENTITY_CACHE);
	json_t *programs = json_array(), *interpreters = json_array();
	size_t i;

	for (i = 0; i < plan->treatment_count; i++)
		if (!plan->treatments[i].left_out && !lists(programs, plan->treatments[i].program.path))
			add_program(hasher, &plan->treatments[i], programs, interpreters);
	json_object_set_new(provenance, "programs", programs);
	json_object_set_new(provenance, "interpreters", interpreters);
	json_object_set_new(provenance, "toolchain", toolchain_fact(plan, programs));
	hasher_close(hasher);
}

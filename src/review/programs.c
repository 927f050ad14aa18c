#include "review/programs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "review/facts.h"
#include "review/rebuild.h"

/* One treatment's program as both sides know it. */
struct pair {
	const struct plan_program *program; /* here */
	json_t *there, *here;               /* the identity's lines of this treatment, without "treatment N " */
	const json_t *provenance_there, *provenance_here;
};

/* ---- reading ---- */

static bool
is_of_program(const char *name)
{
	static const char *const starts[] = {"program", "interpreter ", "library ", "script ", "command",
					     "source "};
	size_t i;

	for (i = 0; i < sizeof starts / sizeof *starts; i++)
		if (strncmp(name, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

static json_t *
program_lines(const char *identity, size_t treatment)
{
	char *prefix = memory_format("treatment %zu ", treatment);
	json_t *all = facts_of_lines(identity), *lines = json_object(), *value;
	const char *name;

	json_object_foreach(all, name, value)
		if (strncmp(name, prefix, strlen(prefix)) == 0 && is_of_program(name + strlen(prefix)))
			json_object_set(lines, name + strlen(prefix), value);
	json_decref(all);
	free(prefix);
	return lines;
}

/* ---- why they are not the same ---- */

/* Of the build of one program, where commands say so: they name it, or its folder of objects. */
static bool
is_for(const char *command, const char *program)
{
	const char *slash = strrchr(program, '/');
	char *objects = memory_format("/obj/%s/", slash != NULL ? slash + 1 : program);
	bool is = strstr(command, program) != NULL || strstr(command, objects) != NULL;

	free(objects);
	return is;
}

/* Those that hold a path are another one in each folder, and say nothing. */
static bool
is_flag(const char *word)
{
	return word[0] == '-' && strchr(word, '/') == NULL && strstr(word, "-prefix-map=") == NULL;
}

/* The compiler and its flags, each once, of the commands that built a program; "" for none. */
static json_t *
flags_of(const json_t *provenance, const char *program)
{
	const json_t *commands = json_object_get(json_object_get(provenance, "toolchain"), "command"), *one;
	json_t *flags = json_object();
	size_t i;

	json_array_foreach((json_t *)commands, i, one) {
		const char *command = json_is_string(one) ? json_string_value(one) : "";
		char *copy = memory_copy_text(rebuild_bare_command(command)), *rest = copy, *word;
		bool first = true;

		while (is_for(command, program) && (word = strsep(&rest, " \"")) != NULL) {
			if (word[0] != '\0' && (first || is_flag(word)))
				json_object_set_new(flags, word, json_true());
			first = false;
		}
		free(copy);
	}
	return flags;
}

/* The names that `other` lacks; the caller frees. */
static char *
lacking(const json_t *flags, const json_t *other)
{
	struct buffer out = BUFFER_EMPTY;
	json_t *ignored;
	const char *name;

	json_object_foreach((json_t *)flags, name, ignored)
		if (json_object_get(other, name) == NULL)
			buffer_printf(&out, " %s", name);
	(void)ignored;
	return buffer_detach(&out);
}

/* NULL: they were built with the same; the caller frees. */
static char *
other_flags(const struct pair *pair)
{
	json_t *there = flags_of(pair->provenance_there, pair->program->path);
	json_t *here = flags_of(pair->provenance_here, pair->program->path);
	char *only_there = lacking(there, here), *only_here = lacking(here, there), *text = NULL;

	if (json_object_size(there) > 0 && json_object_size(here) > 0 &&
	    (only_there[0] != '\0' || only_here[0] != '\0'))
		text = memory_format("the flags; only there:%s; only here:%s",
				     only_there[0] != '\0' ? only_there : " none",
				     only_here[0] != '\0' ? only_here : " none");
	free(only_there);
	free(only_here);
	json_decref(there);
	json_decref(here);
	return text;
}

static const char *
compiler_of(const json_t *provenance, const char *program)
{
	const json_t *list = json_object_get(provenance, "programs"), *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (strcmp(json_get_text(one, "path"), program) == 0)
			return json_get_text(one, "compiler");
	return "";
}

static bool
holds_this_folder(const char *program)
{
	struct buffer bytes = BUFFER_EMPTY;
	char *here = getcwd(NULL, 0);
	bool holds = here != NULL && file_read(program, 0, &bytes, NULL) == 0 &&
		     memmem(buffer_text(&bytes), bytes.length, here, strlen(here)) != NULL;

	buffer_free(&bytes);
	free(here);
	return holds;
}

/* The caller frees. */
static char *
likely_cause(const struct pair *pair)
{
	const char *path = pair->program->path;
	const char *there = compiler_of(pair->provenance_there, path);
	const char *here = compiler_of(pair->provenance_here, path);
	char *flags;

	if (!pair->program->built)
		return memory_copy_text("it is installed here in another version, or comes with other files");
	if (there[0] != '\0' && here[0] != '\0' && strcmp(there, here) != 0)
		return memory_format("the compiler: %s there, %s here", there, here);
	flags = other_flags(pair);
	if (flags != NULL)
		return flags;
	if (holds_this_folder(path))
		return memory_copy_text("the path: it holds the name of the folder that it was built in");
	return memory_copy_text("its sources, or a header or library that they use, are not those that were "
				"measured");
}

/* ---- the list ---- */

/* Names of the lines that start so and are not the same on both sides; without the start. */
static json_t *
other_lines(const struct pair *pair, const char *start)
{
	json_t *list = json_array(), *value;
	const char *name;

	json_object_foreach(pair->here, name, value)
		if (strncmp(name, start, strlen(start)) == 0 &&
		    !json_equal(value, json_object_get(pair->there, name)))
			json_array_append_new(list, json_string(name + strlen(start)));
	json_object_foreach(pair->there, name, value)
		if (strncmp(name, start, strlen(start)) == 0 && json_object_get(pair->here, name) == NULL)
			json_array_append_new(list, json_string(name + strlen(start)));
	return list;
}

static json_t *
without_libraries(const json_t *lines)
{
	json_t *kept = json_object(), *value;
	const char *name;

	json_object_foreach((json_t *)lines, name, value)
		if (strncmp(name, "library ", 8) != 0)
			json_object_set(kept, name, value);
	return kept;
}

static json_t *
compare(const struct pair *pair)
{
	json_t *there = without_libraries(pair->there), *here = without_libraries(pair->here);
	bool same = json_equal(there, here);
	char *cause = same ? memory_copy_text("") : likely_cause(pair);
	json_t *entry = json_pack("{s:s, s:[], s:b, s:s, s:o}", "program", pair->program->path, "treatments",
				  "same", same, "cause", cause, "libraries", other_lines(pair, "library "));

	free(cause);
	json_decref(there);
	json_decref(here);
	return entry;
}

/* The same program, in another treatment or case, with the same answer. */
static json_t *
find_entry(const json_t *list, const json_t *like)
{
	json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (strcmp(json_get_text(one, "program"), json_get_text(like, "program")) == 0 &&
		    json_is_true(json_object_get(one, "same")) == json_is_true(json_object_get(like, "same")))
			return one;
	return NULL;
}

static void
add_name(json_t *names, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach(names, i, one)
		if (strcmp(json_string_value(one), name) == 0)
			return;
	json_array_append_new(names, json_string(name));
}

static void
add_treatment(const struct side_case *there, const struct side_case *here, size_t treatment, json_t *list)
{
	struct pair pair = {
		.program = &here->plan.treatments[treatment].program,
		.there = program_lines(there->identity, treatment),
		.here = program_lines(here->identity, treatment),
		.provenance_there = there->provenance,
		.provenance_here = here->provenance,
	};
	json_t *entry = compare(&pair), *known = find_entry(list, entry);

	add_name(json_object_get(known != NULL ? known : entry, "treatments"),
		 here->plan.treatments[treatment].name);
	if (known == NULL)
		json_array_append(list, entry);
	json_decref(entry);
	json_decref(pair.there);
	json_decref(pair.here);
}

json_t *
programs_compare(const struct side *there, const struct side *here)
{
	json_t *list = json_array();
	size_t i, k;

	for (i = 0; i < here->count; i++) {
		const struct side_case *one = &here->cases[i], *other = side_find(there, one->plan.case_id);

		if (other == NULL || one->identity[0] == '\0' || other->identity[0] == '\0' ||
		    one->provenance == NULL)
			continue;
		for (k = 0; k < one->plan.treatment_count; k++)
			if (!one->plan.treatments[k].left_out)
				add_treatment(other, one, k, list);
	}
	return list;
}

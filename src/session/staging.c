#include "session/staging.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "session/leftovers.h"
#include "session/neighbours.h"

#define PAD_NAME "ASSAY_PAD_00="
/* The lock's variables take a multiple of this, so that a longer token does not show. */
#define LOCK_STEP ((size_t)256)

static const char *const lock_variables[] = {"ASSAY_LOCK_TOKEN", "ASSAY_LOCK_DIR"};
#define COUNT(array) (sizeof (array) / sizeof *(array))

/* ---- lists of name=value ---- */

struct list {
	char **items;
	size_t count, capacity, bytes;
};

/* Takes over `item`. */
static void
add(struct list *list, char *item)
{
	list->items = memory_grow(list->items, list->count, &list->capacity, sizeof *list->items);
	list->items[list->count++] = item;
	if (item != NULL)
		list->bytes += strlen(item) + 1;
}

/* A later value replaces an earlier one of the same name. */
static void
put(struct list *list, const char *name, const char *value)
{
	size_t length = strlen(name), i;

	for (i = 0; i < list->count; i++) {
		if (strncmp(list->items[i], name, length) == 0 && list->items[i][length] == '=') {
			list->bytes -= strlen(list->items[i]) + 1;
			free(list->items[i]);
			list->items[i] = memory_format("%s=%s", name, value);
			list->bytes += strlen(list->items[i]) + 1;
			return;
		}
	}
	add(list, memory_format("%s=%s", name, value));
}

void
staging_free_list(char **list)
{
	size_t i;

	for (i = 0; list != NULL && list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

static const char *
variable_or(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : otherwise;
}

/* Without padding and without the lock's variables, which come and go. */
static void
put_own(struct list *list, const struct plan_treatment *treatment, const char *token)
{
	size_t i;

	put(list, "HOME", variable_or("HOME", "/"));
	put(list, "PATH", variable_or("PATH", "/usr/local/bin:/usr/bin:/bin"));
	put(list, "LC_ALL", "C");
	put(list, "TZ", "UTC");
	for (i = 0; i < treatment->env.count; i++)
		put(list, treatment->env.items[i].name, treatment->env.items[i].value);
	put(list, LEFTOVERS_VARIABLE, token);
}

/* One pad at least, as many as make the entries equal; the last takes all bytes that lack. */
static void
put_pads(struct list *list, size_t entries, size_t bytes)
{
	while (list->count < entries) {
		char *pad = memory_copy_text(PAD_NAME);
		size_t used = strlen(pad) + 1;

		pad[10] = (char)('0' + (entries - list->count) / 10 % 10);
		pad[11] = (char)('0' + (entries - list->count) % 10);
		if (list->count + 1 == entries && bytes > list->bytes + used) {
			size_t more = bytes - list->bytes - used;

			pad = memory_resize(pad, used + more, 1);
			memset(pad + used - 1, 'x', more);
			pad[used - 1 + more] = '\0';
		}
		add(list, pad);
	}
}

char **
staging_environment(const struct staging *staging, const struct plan *plan, int treatment)
{
	struct list list = {0};
	size_t i, own, room;

	put_own(&list, plan_treatment(plan, treatment), staging->token);
	own = list.bytes;
	for (i = 0; i < COUNT(lock_variables); i++)
		if (getenv(lock_variables[i]) != NULL)
			put(&list, lock_variables[i], getenv(lock_variables[i]));
	room = (list.bytes - own + LOCK_STEP - 1) / LOCK_STEP * LOCK_STEP;
	put_pads(&list, staging->environment_entries, staging->environment_bytes + room);
	add(&list, NULL);
	return list.items;
}

char **
staging_arguments(const struct staging *staging, const struct plan *plan, int treatment)
{
	const struct texts *args = &plan_treatment(plan, treatment)->args;
	struct list list = {0};
	size_t i;

	add(&list, memory_copy_text(staging->programs[treatment].path));
	for (i = 0; i < args->count; i++)
		add(&list, memory_copy_text(args->items[i]));
	add(&list, NULL);
	return list.items;
}

/* ---- the folder ---- */

static void
size_environments(struct staging *staging, const struct plan *plan)
{
	size_t entries = 0, bytes = 0, i;

	for (i = 0; i < plan->treatment_count; i++) {
		struct list list = {0};

		if (plan->treatments[i].left_out)
			continue;
		put_own(&list, &plan->treatments[i], staging->token);
		entries = list.count > entries ? list.count : entries;
		bytes = list.bytes > bytes ? list.bytes : bytes;
		add(&list, NULL);
		staging_free_list(list.items);
	}
	staging->environment_entries = entries + COUNT(lock_variables) + 1;
	staging->environment_bytes = bytes + staging->environment_entries * sizeof PAD_NAME;
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static size_t
longest_name(const struct plan *plan)
{
	size_t longest = 0, i;

	for (i = 0; i < plan->treatment_count; i++) {
		size_t length = strlen(base_name(plan->treatments[i].program.path));

		if (plan->treatments[i].left_out)
			continue;
		longest = length > longest ? length : longest;
	}
	return longest;
}

/* The program keeps its name, which some programs act on; its folder makes up for the length. The
 * folders in between are for its neighbours. */
static char *
staged_path(const struct staging *staging, size_t index, const char *name, size_t longest)
{
	size_t pad = longest - strlen(name), i;
	struct buffer path = BUFFER_EMPTY;

	buffer_printf(&path, "%s/%03zu", staging->folder, index);
	for (i = 0; i < pad; i++)
		buffer_putc(&path, '_');
	for (i = 0; i < NEIGHBOURS_UP; i++)
		buffer_puts(&path, "/in");
	buffer_printf(&path, "/%s", name);
	return buffer_detach(&path);
}

static int
stage_programs(const struct plan *plan, struct staging *staging, struct error *error)
{
	size_t longest = longest_name(plan), i;

	staging->count = plan->treatment_count + 1;
	staging->programs = memory_zeroed(staging->count, sizeof *staging->programs);
	for (i = 0; i < staging->count; i++) {
		const struct plan_treatment *treatment = plan_treatment(plan, (int)i);
		const struct plan_program *program = &treatment->program;
		struct staged_program *staged = &staging->programs[i];

		if (treatment->left_out)
			continue;
		staged->path = staged_path(staging, i, base_name(program->path), longest);
		if (file_copy(program->path, staged->path, error) != 0 ||
		    neighbours_link(program, staged->path, error) != 0 ||
		    digest_file(DIGEST_SHA256, staged->path, staged->sha256, error) != 0)
			return -1;
	}
	return 0;
}

int
staging_make(const struct plan *plan, const char *token, struct staging *staging,
	     struct error *error)
{
	char *root = get_current_dir_name();

	memset(staging, 0, sizeof *staging);
	staging->token = memory_copy_text(token);
	if (root == NULL)
		return error_set_errno(error, "cannot tell the study's folder");
	staging->folder = memory_format("%s/build/stage/%s", root, plan->case_id);
	free(root);
	staging->stdout_path = memory_format("%s/stdout", staging->folder);
	staging->stderr_path = memory_format("%s/stderr", staging->folder);
	if (file_remove_tree(staging->folder, error) != 0 ||
	    file_make_folder(staging->folder, error) != 0 ||
	    stage_programs(plan, staging, error) != 0)
		return -1;
	size_environments(staging, plan);
	return 0;
}

void
staging_end(struct staging *staging)
{
	size_t i;

	if (staging->folder != NULL)
		file_remove_tree(staging->folder, NULL); /* build/ is scratch; made afresh next time */
	for (i = 0; i < staging->count; i++)
		free(staging->programs[i].path);
	free(staging->programs);
	free(staging->token);
	free(staging->folder);
	free(staging->stdout_path);
	free(staging->stderr_path);
	memset(staging, 0, sizeof *staging);
}

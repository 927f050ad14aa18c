#include "identity/recorded.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

static int
is_identity(const struct dirent *entry)
{
	return strlen(entry->d_name) == 16 && strspn(entry->d_name, "0123456789abcdef") == 16;
}

static int
is_number(const struct dirent *entry)
{
	return strspn(entry->d_name, "0123456789") == strlen(entry->d_name);
}

static int
by_number(const struct dirent **a, const struct dirent **b)
{
	long left = strtol((*a)->d_name, NULL, 10), right = strtol((*b)->d_name, NULL, 10);

	return (left > right) - (left < right);
}

static char *
text_in(const char *folder, const char *session, const char *file, const char *key)
{
	char *path = memory_format("%s/sessions/%s/%s", folder, session, file);
	json_t *object = file_exists(path) ? json_read_file(path, NULL) : NULL;
	char *text = memory_copy_text(json_get_text(object, key));

	json_decref(object);
	free(path);
	return text;
}

/* When the last session that says so was measured. */
static char *
measured_at(const char *folder)
{
	char *sessions = memory_format("%s/sessions", folder), *time = memory_copy_text("");
	struct dirent **names = NULL;
	int count = scandir(sessions, &names, is_number, by_number), i;

	for (i = count - 1; i >= 0; i--) {
		if (time[0] == '\0') {
			free(time);
			time = text_in(folder, names[i]->d_name, "provenance.json", "started");
		}
		if (time[0] == '\0') {
			free(time);
			time = text_in(folder, names[i]->d_name, "end.json", "ended");
		}
		free(names[i]);
	}
	free(names);
	free(sessions);
	return time;
}

static int
fill(const char *case_id, const char *name, struct recorded *one)
{
	char *folder = memory_format("results/%s/%s", case_id, name);
	char *path = memory_format("%s/identity.txt", folder);
	struct buffer text = BUFFER_EMPTY;
	int result = file_read(path, 0, &text, NULL);

	memset(one, 0, sizeof *one);
	if (result == 0) {
		identity_from_text(buffer_text(&text), &one->identity);
		result = strncmp(one->identity.hex, name, 16) == 0 ? 0 : -1;
		if (result != 0)
			identity_free(&one->identity);
	}
	if (result == 0) {
		memcpy(one->folder, name, 16);
		one->measured_at = measured_at(folder);
	}
	buffer_free(&text);
	free(path);
	free(folder);
	return result;
}

static int
newest_first(const void *left, const void *right)
{
	const struct recorded *a = left, *b = right;
	int order = strcmp(b->measured_at, a->measured_at);

	return order != 0 ? order : strcmp(a->folder, b->folder);
}

struct recorded *
recorded_list(const char *case_id, size_t *count)
{
	char *folder = memory_format("results/%s", case_id);
	struct dirent **names = NULL;
	int found = scandir(folder, &names, is_identity, alphasort), i;
	struct recorded *list = memory_zeroed(found > 0 ? (size_t)found : 0, sizeof *list);

	*count = 0;
	for (i = 0; i < found; i++) {
		if (fill(case_id, names[i]->d_name, &list[*count]) == 0)
			(*count)++;
		free(names[i]);
	}
	free(names);
	free(folder);
	qsort(list, *count, sizeof *list, newest_first);
	return list;
}

void
recorded_free(struct recorded *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		identity_free(&list[i].identity);
		free(list[i].measured_at);
	}
	free(list);
}

static bool
is_of_machine(const struct identity *identity, const char *machine)
{
	static const char name[] = "\nmachine id = ";
	const char *id = strstr(identity->text, name);

	return strcmp(machine, "recorded") == 0 ||
	       (id != NULL && strncmp(id + strlen(name), machine, strlen(machine)) == 0);
}

static bool
concerns_machine(const char *line)
{
	return strncmp(line, "cpu ", 4) == 0 || strncmp(line, "machine ", 8) == 0;
}

/* Whether nothing but the machine differs. */
static bool
fits(const struct identity *a, const struct identity *b)
{
	struct buffer changes = BUFFER_EMPTY;
	char *rest, *line;
	bool result = true;

	identity_diff(a->text, b->text, &changes);
	for (rest = changes.bytes; rest != NULL && (line = strsep(&rest, "\n")) != NULL;)
		if (line[0] != '\0' && !concerns_machine(line))
			result = false;
	buffer_free(&changes);
	return result;
}

int
recorded_choose(const char *case_id, const char *machine, const struct identity *present,
		struct identity *identity, struct error *error)
{
	size_t count, i, best;
	struct recorded *list = recorded_list(case_id, &count);

	best = count;
	for (i = 0; i < count; i++)
		if (is_of_machine(&list[i].identity, machine) &&
		    (best == count || (!fits(&list[best].identity, present) &&
				       fits(&list[i].identity, present))))
			best = i;
	if (best < count) {
		identity_from_text(list[best].identity.text, identity);
		identity->recorded = true;
	}
	recorded_free(list, count);
	if (best < count)
		return 0;
	return error_set(error, EXIT_NOTHING,
			 "case %s has no results of machine '%s' in results/; copy them there, or "
			 "measure here without ASSAY_MACHINE and study{ machine }", case_id, machine);
}

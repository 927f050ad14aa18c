#include "history/named.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "history/overlay.h"
#include "revision/git.h"
#include "revision/tree.h"
#include "session/interrupt.h"
#include "spec/git_source.h"
#include "spec/host.h"

#define ENTRY "build.ninja.lua"

/* The branches' evaluation. */
struct branches {
	struct named *named;
	struct repository repository;
	struct step step;
	char *scratch; /* a temporary folder */
	json_t *seen;  /* id of a commit's tree: what it came to, as in sources */
};

/* ---- one study ---- */

static void
add_source(struct named *named, const char *name, json_t *cases)
{
	json_array_append_new(named->sources, json_pack("{s:s, s:o}", "name", name, "cases", cases));
}

static int
take_study(struct named *named, const struct study *study)
{
	int count = 0;
	size_t i, k;

	for (i = 0; i < study->experiment_count; i++)
		for (k = 0; k < study->experiments[i].case_count; k++, count++)
			json_object_set_new(named->cases, study->experiments[i].cases[k].case_id, json_true());
	for (i = 0; i < study->environment.count; i++)
		if (strcmp(study->environment.items[i].name, "PATH") != 0) /* asked for each bare program */
			json_object_set_new(named->environment, study->environment.items[i].name, json_true());
	return count;
}

/* The study of the current folder: how many cases it names, -1 with *error. */
static int
evaluate(struct named *named, struct error *error)
{
	struct host *host = host_new();
	const struct study *study;
	int count = -1;

	host_for_text(host);
	study = host_load(host, ENTRY, error);
	if (study != NULL)
		count = take_study(named, study);
	host_free(host);
	return count;
}

static int
evaluate_in(struct named *named, const char *folder, struct error *error)
{
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), count = -1;

	if (here < 0 || chdir(folder) != 0)
		error_set_errno(error, "cannot go to %s", folder);
	else
		count = evaluate(named, error);
	if (here >= 0 && fchdir(here) != 0)
		count = error_set_errno(error, "cannot go back to the study's folder");
	if (here >= 0)
		close(here);
	return count;
}

/* ---- the work tree ---- */

static int
take_work_tree(struct named *named, struct error *error)
{
	int count = evaluate(named, error);

	if (count < 0) {
		error_prefix(error, "the work tree");
		return -1;
	}
	add_source(named, "the work tree", json_integer(count));
	return 0;
}

/* What was generated last, maybe with other variables of the environment. */
static int
take_plans(struct named *named, struct error *error)
{
	DIR *folder = opendir("build/plan");
	struct dirent *entry;
	int count = 0;

	if (folder == NULL && file_exists("build/plan"))
		return error_set_errno(error, "cannot read the folder build/plan");
	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		size_t length = strlen(entry->d_name);
		char *case_id;

		if (length <= 5 || strcmp(entry->d_name + length - 5, ".json") != 0)
			continue;
		case_id = memory_copy_span(entry->d_name, length - 5);
		json_object_set_new(named->cases, case_id, json_true());
		free(case_id);
		count++;
	}
	if (folder != NULL)
		closedir(folder);
	add_source(named, "build/plan", json_integer(count));
	return 0;
}

/* ---- branches ---- */

static bool
is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The study among the exported files: a count, null where there is none; NULL with *error. */
static json_t *
take_export(struct branches *all, const char *top, struct error *error)
{
	const char *prefix = all->repository.prefix;
	char *folder = memory_format("%s%s%s", top, prefix[0] != '\0' ? "/" : "", prefix);
	char *entry = memory_format("%s/" ENTRY, folder);
	json_t *cases = NULL;
	int count;

	if (!is_folder(folder)) {
		cases = json_null();
	} else if (overlay_untracked(folder, error) == 0) {
		if (!file_exists(entry))
			cases = json_null();
		else if ((count = evaluate_in(all->named, folder, error)) >= 0)
			cases = json_integer(count);
	}
	free(entry);
	free(folder);
	return cases;
}

static json_t *
export_and_take(struct branches *all, const char *commit, struct error *error)
{
	char *top = memory_format("%s/tree", all->scratch);
	struct tree tree;
	json_t *cases = NULL;

	if (tree_make(&all->repository, commit, top, &all->step, &tree, error) == 0)
		cases = take_export(all, top, error);
	tree_free(&tree);
	if (file_remove_tree(top, cases != NULL ? error : NULL) != 0 && cases != NULL) {
		json_decref(cases);
		cases = NULL;
	}
	free(top);
	return cases;
}

/* "<commit> <tree> <name>", cut up in place. Branches of equal files say the same. */
static int
take_branch(struct branches *all, char *line, struct error *error)
{
	const char *commit = strsep(&line, " "), *tree = strsep(&line, " ");
	char *name = memory_format("branch %s", line != NULL ? line : "");
	json_t *cases = json_incref(json_object_get(all->seen, tree));
	int result = 0;

	if (cases == NULL)
		cases = export_and_take(all, commit, error);
	if (cases == NULL) {
		error_prefix(error, "%s", name);
		result = -1;
	} else {
		json_object_set(all->seen, tree, cases);
		add_source(all->named, name, cases);
	}
	free(name);
	return result;
}

static int
take_all_branches(struct branches *all, struct error *error)
{
	static const char *const words[] = {
		"for-each-ref", "--format=%(objectname) %(tree) %(refname:short)", "refs/heads", NULL};
	struct buffer list = BUFFER_EMPTY;
	int result = git_ask(all->repository.folder, words, &list, error);
	char *rest = list.bytes, *line;

	while (result == 0 && rest != NULL && (line = strsep(&rest, "\n")) != NULL)
		if (line[0] != '\0')
			result = take_branch(all, line, error);
	buffer_free(&list);
	return result;
}

static int
take_branches(struct branches *all, struct error *error)
{
	char *log, *token = memory_format("gc-%d", (int)getpid());
	int result = -1;

	all->scratch = scratch_folder("gc", error);
	if (all->scratch != NULL) {
		log = memory_format("%s/log", all->scratch);
		all->step = (struct step){NULL, log, token, interrupt_flag()};
		all->seen = json_object();
		result = take_all_branches(all, error);
		json_decref(all->seen);
		file_remove_tree(all->scratch, NULL);
		free(log);
	}
	free(all->scratch);
	free(token);
	return result;
}

/* Where git refuses to speak of a repository that is there, nothing is known. */
static bool
is_repository_around(void)
{
	char *here = realpath(".", NULL);
	bool is = here == NULL || git_source_top(here) > 0;

	free(here);
	return is;
}

int
named_find(struct named *named, struct error *error)
{
	struct branches all = {.named = named};
	int result;

	*named = (struct named){json_object(), json_array(), json_object(), is_repository_around()};
	if (take_work_tree(named, error) != 0 || take_plans(named, error) != 0)
		return -1;
	if (!named->in_repository)
		return 0;
	result = repository_open(".", &all.repository, error);
	if (result == 0)
		result = take_branches(&all, error);
	else
		error_prefix(error, "there is a repository around this folder, but git does not read it");
	repository_close(&all.repository);
	return result;
}

void
named_free(struct named *named)
{
	json_decref(named->cases);
	json_decref(named->sources);
	json_decref(named->environment);
}

bool
named_has(const struct named *named, const char *case_id)
{
	return json_object_get(named->cases, case_id) != NULL;
}

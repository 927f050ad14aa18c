#ifndef ASSAY_GIT_SOURCE_H
#define ASSAY_GIT_SOURCE_H

#include "spec/fields.h"

/*
 * git { "folder", rev = "main" }: the sources of a program at a revision. Nothing is asked of git
 * here: what "main" is today is found out by an edge of the graph, `assay source look`, each time
 * that Ninja runs, and `assay source make` makes the program again when it became another commit.
 */

/* What `rev` says for the work tree as it is. */
#define GIT_SOURCE_WORKTREE "WORKTREE"

struct git_source {
	char *repository; /* a folder in its work tree, as written */
	char *revision;
	char *prefix;     /* of that folder in the work tree: "" or "bench" */
};

void api_open_git(lua_State *L);

/* The length of the path of the work tree around the folder, whose path is absolute and without
 * links; 0: there is none. */
size_t git_source_top(const char *folder);

/* Where all of a program's sources lie: of one length for all names, as the length of paths moves
 * memory layout. */
#define GIT_SOURCE_FOLDER sizeof "build/source/0123456789ab"
void git_source_folder(const char *program_name, char folder[GIT_SOURCE_FOLDER]);
/* A path of the tree, as seen from the build's folder ("" for that itself), below
 * git_source_folder. NULL: it leads out of the tree. */
char *git_source_path(struct arena *arena, const char *folder, const char *prefix,
		      const char *path);

/* The source at `key`, which must be one; NULL: the key is missing. */
const struct git_source *git_source_read(const struct fields *fields, const char *key);

/* What `assay source make` is told of; paths as seen from the folder where the build runs. */
struct git_source_build {
	const char *folder;   /* git_source_folder */
	const char *program;  /* what must be there afterwards, and may be run; NULL: none */
	struct texts scripts; /* what else must be there */
	struct texts commands; /* of a shell */
};

/* The edges that make the program: `look`, whose file changes with the commit, and `make`. */
void git_source_lower(const struct fields *fields, const struct git_source *source,
		      const struct git_source_build *build);

#endif

#ifndef ASSAY_FIELDS_H
#define ASSAY_FIELDS_H

#include <lua.h>
#include <stdbool.h>

#include "spec/host_state.h"

/*
 * Reading the table of an API call: every key known, every value of the right type and within
 * its bounds, else an error at the key's own line. Reads raw, so a metatable of the author's
 * plays no part. Texts go to the arena.
 */
struct fields {
	lua_State *L;
	int index;           /* of the table on the stack */
	struct place place;  /* of the call */
	const char *callee;  /* "experiment" */
	const char *name;    /* "fused", or NULL */
	const char *within;  /* "" or "design": the key of the call's table that holds this one */
	const struct fields *over; /* a table whose keys come before this one's; NULL */
};

#define FIELDS_LIST 1024 * 16 /* items at most */
#define FIELDS_TEXT 100000    /* bytes at most: what the kernel takes as one argument */

/* Refuses keys that are not in `known` (NULL at the end) and more than `items` list items; -1:
 * any number. */
void fields_only(const struct fields *fields, const char *const *known, int items);

bool fields_has(const struct fields *fields, const char *key);
/* Pushes the value, nil when there is none. Returns its type. */
int fields_push(const struct fields *fields, const char *key);
/* `otherwise` when the key is missing. */
char *fields_text(const struct fields *fields, const char *key, const char *otherwise);
bool fields_flag(const struct fields *fields, const char *key, bool otherwise);
long long fields_count(const struct fields *fields, const char *key, long long otherwise,
		       long long least, long long most);
/* With `above`, `least` itself is too small. */
double fields_number(const struct fields *fields, const char *key, double otherwise, double least,
		     bool above, double most);
/* One of the names in `choices` (NULL at the end): its number; `otherwise` when missing. */
int fields_choice(const struct fields *fields, const char *key, const char *const *choices,
		  int otherwise);

enum fields_list {
	FIELDS_LIST_ONLY = 0,
	FIELDS_ONE_OR_LIST = 1, /* a single text stands for a list of one */
};
/* Texts, numbers, programs and inputs (their paths); lists inside the list are joined in. The
 * paths of inputs and programs are added to *used when it is not NULL. */
struct texts fields_texts(const struct fields *fields, const char *key, enum fields_list form,
			  struct texts *used);
/* The same for the list items of the table itself, from the `first` on. */
struct texts fields_items(const struct fields *fields, int first);
/* A table name = text, sorted by name. */
struct settings fields_settings(const struct fields *fields, const char *key);

/* Opens the table at a key; false when it is missing. Pushes it. */
bool fields_open(const struct fields *fields, const char *key, struct fields *inner);
/* The same for list item `item`, which must be a table. */
void fields_open_item(const struct fields *fields, const char *key, int item,
		      struct fields *inner);

/* The value on the stack as text, or NULL: texts, numbers, programs, inputs. Refuses what is no
 * UTF-8. `path` names it in messages. */
char *fields_value_text(const struct fields *fields, int index, const char *path);

struct place fields_place(const struct fields *fields, const char *path);
/* "experiment "fused": design.pairs: message" at the key's line. `path` is inside this table. */
_Noreturn void fields_fail(const struct fields *fields, const char *path, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
_Noreturn void fields_fail_unknown(const struct fields *fields, const char *path,
				   const char *wrong, const char *const *names, size_t count,
				   const char *format, ...)
	__attribute__((format(printf, 6, 7)));

void texts_add(struct arena *arena, struct texts *texts, const char *text);

#endif

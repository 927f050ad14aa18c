#ifndef ASSAY_PROGRAM_MODEL_H
#define ASSAY_PROGRAM_MODEL_H

#include "spec/fields.h"

/*
 * Whether the call's name was declared before, with its index. Specs that stand alone may declare
 * the same program each; `declared` is the text of all that the call says, and another text
 * under the same name is an error.
 */
bool program_known(const struct fields *fields, const char *declared, size_t *index);
/* Adds a program under the call's name and place; its index. */
size_t program_add(const struct fields *fields, const struct program *program,
		   struct declared declared);
/* The program at list item 1 of the call's table: a value or a declared name. */
size_t program_read(const struct fields *fields);
/* List item 1 where it is a name with placeholders, else NULL. */
char *program_template(const struct fields *fields);
/* The program of this name; an error at the call where there is none. */
size_t program_find(const struct fields *fields, const char *name);
/* What a session can launch; checked when all is read. */
bool program_is_executable(const char *path);

#endif

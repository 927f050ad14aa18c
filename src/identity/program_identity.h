#ifndef ASSAY_PROGRAM_IDENTITY_H
#define ASSAY_PROGRAM_IDENTITY_H

#include "base/buffer.h"
#include "base/error.h"
#include "identity/hasher.h"
#include "schedule/plan.h"

/*
 * Appends the identity lines of a treatment's program, each name with `prefix` in front:
 *
 *	program = <digest>			what it brings into memory, or the script's bytes
 *	interpreter python3 = <digest>		of a script, with env's search in PATH
 *	library libc.so.6 = <digest>		of the program or its interpreter
 *	script kernels/k.py = <digest>		further files that are part of the program
 *
 * and where the program is identified by what it is made of, in place of `program`:
 *
 *	command = <compiler and command line>
 *	source kernels/k.cu = <digest>
 *
 * -1 with *error naming the file that is missing. Files of a source at a revision have the same name
 * whatever the program is called: two of the same content are known to be the same.
 */
int program_identity(struct hasher *hasher, const struct plan_treatment *treatment,
		     const char *prefix, struct buffer *out, struct error *error);
/* "source:tree/x" for "build/source/0123456789ab/tree/x" of the program's own source, else the path
 * itself. The caller frees. */
char *program_identity_name(const struct plan_program *program, const char *path);

#endif

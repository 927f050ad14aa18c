#ifndef ASSAY_ERROR_H
#define ASSAY_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

/* Exit codes of every command (docs/design.md); also the `code` of an error. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,      /* something outside our hands failed */
	EXIT_USAGE = 2,       /* the command line is wrong */
	EXIT_NOT_HELD = 3,    /* a claim or a check does not hold */
	EXIT_BAD_INPUT = 4,   /* a spec, a record or a bundle is wrong */
	EXIT_NOTHING = 5,     /* timeout, or nothing was measured */
	EXIT_INTERRUPTED = 130,
};

/*
 * Why something failed: filled by the function that returned -1, read by its caller.
 * Starts zeroed. `file` is empty where there is no place in a text to point at.
 * The message says what happened, where, and what to do; no newline at the end.
 */
struct error {
	enum exit_code code;
	int line;
	char file[512];
	char message[2048];
};

/* Fills *error (ignored when NULL) and returns -1, so that callers write `return error_set(…)`. */
int error_set(struct error *error, enum exit_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int error_set_at(struct error *error, enum exit_code code, const char *file, int line,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));
/* As error_set with EXIT_FAILED; appends ": " and strerror(errno). */
int error_set_errno(struct error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Puts "text: " in front of the message. */
void error_prefix(struct error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Prints "assay: file:line: message" on stderr; returns the code, for mains. */
int error_print(const struct error *error);

#endif

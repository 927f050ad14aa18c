#ifndef ASSAY_COMMAND_H
#define ASSAY_COMMAND_H

/*
 * One subcommand. `run` gets argv with argv[0] = the command's name and returns an exit code
 * (base/error.h). `--help` is answered by main.c from `usage`.
 */
struct command {
	const char *name;
	const char *about; /* one line for `assay --help` */
	const char *usage; /* whole help text, starts with "usage: assay NAME …" */
	int (*run)(int argc, char **argv);
};

/* misuse.c: prints "assay NAME: message" and "try 'assay NAME --help'" on stderr; returns EXIT_USAGE. */
int command_misuse(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The table in main.c, for completion and tests; ends with NULL. */
extern const struct command *const commands[];

#endif

#ifndef ASSAY_FINDING_H
#define ASSAY_FINDING_H

#include <jansson.h>
#include <stddef.h>

/* What `assay doctor` found out about one thing that can spoil measurements. */

enum finding_level {
	FINDING_OK,
	FINDING_UNKNOWN, /* it cannot be seen here; `seen` says why */
	FINDING_MINOR,   /* costs precision, or is a risk */
	FINDING_SERIOUS, /* likely to spoil a result, or to cost most of the precision */
};

struct finding {
	const char *name;   /* "governor"; static */
	enum finding_level level;
	char *seen;         /* what there is */
	const char *why;    /* one sentence: why it matters; static */
	char *command;      /* what changes it, for a shell; NULL: nothing to change, or no command can */
	const char *advice; /* what to do besides; static, NULL: nothing */
};

struct findings {
	struct finding *items;
	size_t count, capacity;
};

/* A new finding, FINDING_OK and nothing seen; borrowed, until the next is added. */
struct finding *findings_add(struct findings *findings, const char *name, const char *why);
void findings_free(struct findings *findings);
/* The one of that name, or NULL. */
const struct finding *findings_get(const struct findings *findings, const char *name);

/* Sets `seen`; bytes that no terminal should get become '?'. */
void finding_see(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void finding_command(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The text of a fact (provenance/fact.h), borrowed; or NULL, and the finding says why it cannot
 * be seen. `fact` may be NULL. */
const char *finding_text(struct finding *finding, const json_t *fact);

const char *finding_level_name(enum finding_level level);
/* A new array of objects, in the order of the findings. */
json_t *findings_json(const struct findings *findings);

#endif

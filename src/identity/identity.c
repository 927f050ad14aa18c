#include "identity/identity.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "identity/escape.h"
#include "identity/machine.h"
#include "identity/program_identity.h"

static void
put_value(struct buffer *out, const char *value)
{
	buffer_puts(out, " = ");
	escape_put(out, value, "");
	buffer_putc(out, '\n');
}

static void
put(struct buffer *out, const char *name, const char *value)
{
	buffer_puts(out, name);
	put_value(out, value);
}

static void
put_count(struct buffer *out, const char *name, long long count)
{
	buffer_printf(out, "%s = %lld\n", name, count);
}

static void
put_named(struct buffer *out, const char *prefix, const char *kind, const char *name,
	  const char *value)
{
	buffer_printf(out, "%s%s ", prefix, kind);
	escape_put(out, name, "=");
	put_value(out, value);
}

static void
put_numbered(struct buffer *out, const char *prefix, const char *kind, const struct texts *values)
{
	size_t i;

	for (i = 0; i < values->count; i++) {
		buffer_printf(out, "%s%s %zu", prefix, kind, i + 1);
		put_value(out, values->items[i]);
	}
}

/* A rule that says which groups are data: declared later, it must not be laid over data seen. */
static void
put_rule(struct buffer *out, const char *name, double limit)
{
	if (limit > 0)
		buffer_printf(out, "%s = %.17g\n", name, limit);
}

/* Which blocks choose is a rule that must be there before the data are. */
static void
put_search(struct buffer *out, const struct plan *plan)
{
	size_t i;

	if (plan->search.name == NULL)
		return;
	buffer_printf(out, "search = %.17g of the pairs, %zu against", plan->search.share,
		      plan->search.against);
	for (i = 0; i < plan->search.candidate_count; i++)
		buffer_printf(out, " %zu", plan->search.candidates[i]);
	buffer_putc(out, '\n');
}

/* What a blocked dimension asks for is told of each treatment. */
static bool
have_own_cpus(const struct plan *plan)
{
	return plan->treatment_count > 0 && plan->treatments[0].cpus != NULL;
}

static void
put_design(struct buffer *out, const struct plan *plan)
{
	const struct design *design = &plan->design;

	if (!have_own_cpus(plan))
		put(out, "pinning", plan->cpus);
	put(out, "order", design->alternate ? "alternate" : "balanced");
	put(out, "aa placement", design->aa_first ? "first" : "strata");
	put_count(out, "samples", design->samples);
	put_count(out, "warm-up samples", design->warmup_samples);
	put_count(out, "warm-ups", design->warmups);
	put_count(out, "treatments", (long long)plan_measured(plan, NULL));
	put_rule(out, "invalid if load above", plan->load_above);
	put_rule(out, "invalid if preempted above", plan->preempted_above);
	put_search(out, plan);
}

static int
by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The inputs of all treatments, sorted, each once. */
static int
put_inputs(struct buffer *out, struct hasher *hasher, const struct plan *plan,
	   struct error *error)
{
	char hex[DIGEST_SHA256_HEX];
	const char **paths = NULL;
	size_t count = 0, i, k;
	int result = 0;

	for (i = 0; i < plan->treatment_count; i++) {
		const struct texts *inputs = &plan->treatments[i].inputs;

		if (plan->treatments[i].left_out)
			continue;
		paths = memory_resize(paths, count + inputs->count, sizeof *paths);
		for (k = 0; k < inputs->count; k++)
			paths[count++] = inputs->items[k];
	}
	qsort(paths, count, sizeof *paths, by_text);
	for (i = 0; result == 0 && i < count; i++) {
		if (i > 0 && strcmp(paths[i], paths[i - 1]) == 0)
			continue;
		result = hasher_digest(hasher, HASH_ALL, paths[i], hex, error);
		if (result == 0)
			put_named(out, "", "input", paths[i], hex);
		else
			error_prefix(error, "input of case %s", plan->case_id);
	}
	free(paths);
	return result;
}

static int
put_stdin(struct buffer *out, struct hasher *hasher, const char *prefix,
	  const struct plan_treatment *treatment, struct error *error)
{
	char hex[DIGEST_SHA256_HEX];

	if (treatment->stdin_path == NULL)
		return 0;
	if (hasher_digest(hasher, HASH_ALL, treatment->stdin_path, hex, error) != 0) {
		error_prefix(error, "stdin of treatment '%s'", treatment->name);
		return -1;
	}
	buffer_printf(out, "%sstdin = %s\n", prefix, hex);
	return 0;
}

static int
put_treatment(struct buffer *out, struct hasher *hasher, size_t number,
	      const struct plan_treatment *treatment, struct error *error)
{
	char prefix[48];
	size_t i;

	snprintf(prefix, sizeof prefix, "treatment %zu ", number);
	put_numbered(out, prefix, "argument", &treatment->args);
	for (i = 0; i < treatment->env.count; i++)
		put_named(out, prefix, "env", treatment->env.items[i].name,
			  treatment->env.items[i].value);
	if (treatment->cwd != NULL) {
		char *folder = program_identity_name(&treatment->program, treatment->cwd);

		buffer_printf(out, "%sfolder", prefix);
		put_value(out, folder);
		free(folder);
	}
	if (treatment->cpus != NULL) {
		buffer_printf(out, "%spinning", prefix);
		put_value(out, treatment->cpus);
	}
	for (i = 0; i < treatment->needs.count; i++)
		put_named(out, prefix, "need", treatment->needs.items[i].name,
			  treatment->needs.items[i].value);
	put_numbered(out, prefix, "prepare", &treatment->prepare);
	if (put_stdin(out, hasher, prefix, treatment, error) != 0)
		return -1;
	return program_identity(hasher, treatment, prefix, out, error);
}

static void
identity_clear(struct identity *identity)
{
	memset(identity, 0, sizeof *identity);
}

void
identity_from_text(const char *text, struct identity *identity)
{
	identity_clear(identity);
	identity->text = memory_copy_text(text);
	digest_bytes(DIGEST_SHA256, text, strlen(text), identity->hex);
}

int
identity_compute_with(struct hasher *hasher, const char *machine, const struct plan *plan,
		      struct identity *identity, struct error *error)
{
	struct buffer text = BUFFER_EMPTY;
	int result;
	size_t i;

	identity_clear(identity);
	put(&text, "identity", "1");
	buffer_puts(&text, machine);
	put_design(&text, plan);
	result = put_inputs(&text, hasher, plan, error);
	for (i = 0; result == 0 && i < plan->treatment_count; i++)
		if (!plan->treatments[i].left_out)
			result = put_treatment(&text, hasher, i, &plan->treatments[i], error);
	if (result == 0)
		identity_from_text(buffer_text(&text), identity);
	buffer_free(&text);
	return result;
}

static int
compute(const char *cache_path, const struct plan *plan, struct identity *identity,
	struct error *error)
{
	struct hasher *hasher = hasher_open(cache_path);
	struct buffer machine = BUFFER_EMPTY;
	int result;

	machine_identity(&machine);
	result = identity_compute_with(hasher, buffer_text(&machine), plan, identity, error);
	buffer_free(&machine);
	hasher_close(hasher);
	return result;
}

int
identity_compute(const struct plan *plan, struct identity *identity, struct error *error)
{
	return compute(IDENTITY_CACHE, plan, identity, error);
}

int
identity_verify(const struct plan *plan, struct identity *identity, struct error *error)
{
	return compute(NULL, plan, identity, error);
}

void
identity_free(struct identity *identity)
{
	free(identity->text);
	identity->text = NULL;
}

int
identity_read(const char *path, struct identity *identity, struct error *error)
{
	struct buffer bytes = BUFFER_EMPTY;
	char hex[DIGEST_SHA256_HEX];
	char *text, *note;
	bool is_recorded = false, is_whole = false;

	identity_clear(identity);
	if (file_read(path, 0, &bytes, error) != 0)
		return -1;
	text = bytes.length >= DIGEST_SHA256_HEX ? bytes.bytes + DIGEST_SHA256_HEX : NULL;
	note = text != NULL ? strstr(text, "\n# ") : NULL;
	if (note != NULL) {
		is_recorded = strstr(note, "\n# recorded\n") != NULL;
		is_whole = strstr(note, "\n# whole\n") != NULL;
		note[1] = '\0';
	}
	if (text != NULL) {
		memcpy(hex, bytes.bytes, DIGEST_SHA256_HEX - 1);
		hex[DIGEST_SHA256_HEX - 1] = '\0';
		identity_from_text(text, identity);
		identity->recorded = is_recorded;
		identity->whole = is_whole;
	}
	buffer_free(&bytes);
	if (identity->text != NULL && strcmp(hex, identity->hex) == 0)
		return 0;
	identity_free(identity);
	return error_set_at(error, EXIT_BAD_INPUT, path, 1,
			    "the identity does not fit its text; remove the file and run ninja again");
}

/* ---- treatments that are skipped ---- */

bool
identity_has_treatment(const char *text, size_t number)
{
	char mark[48];

	snprintf(mark, sizeof mark, "\ntreatment %zu ", number);
	return strstr(text, mark) != NULL;
}

void
identity_settle(const struct identity *identity, struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->treatment_count; i++) {
		struct plan_treatment *one = &plan->treatments[i];

		one->left_out = one->skipped != NULL && !identity_has_treatment(identity->text, i);
		if (identity->recorded && !one->left_out) {
			free(one->skipped);
			one->skipped = NULL;
		}
	}
}

/* ---- diff ---- */

/* Lines of one text; name and value are cut out of a copy of it. */
struct line {
	char *name, *value;
	bool matched;
};

static struct line *
split(char *text, size_t *count)
{
	struct line *lines = NULL;
	size_t capacity = 0;
	char *line;

	*count = 0;
	while ((line = strsep(&text, "\n")) != NULL) {
		char *sign = strstr(line, " = ");

		if (sign == NULL)
			continue;
		*sign = '\0';
		lines = memory_grow(lines, *count, &capacity, sizeof *lines);
		lines[(*count)++] = (struct line){line, sign + 3, false};
	}
	return lines;
}

static struct line *
find(struct line *lines, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!lines[i].matched && strcmp(lines[i].name, name) == 0)
			return &lines[i];
	return NULL;
}

void
identity_changes(const char *old_text, const char *new_text, identity_visit *visit, void *context)
{
	char *old_copy = memory_copy_text(old_text), *new_copy = memory_copy_text(new_text);
	size_t old_count, new_count, i;
	struct line *old = split(old_copy, &old_count), *new = split(new_copy, &new_count);

	for (i = 0; i < new_count; i++) {
		struct line *before = find(old, old_count, new[i].name);

		if (before != NULL)
			before->matched = true;
		if (before == NULL || strcmp(before->value, new[i].value) != 0)
			visit(context, &(struct identity_change){
				      new[i].name, before != NULL ? before->value : NULL, new[i].value});
	}
	for (i = 0; i < old_count; i++)
		if (!old[i].matched)
			visit(context, &(struct identity_change){old[i].name, old[i].value, NULL});
	free(old);
	free(new);
	free(old_copy);
	free(new_copy);
}

void
identity_put_value(const char *value, struct buffer *out)
{
	if (value == NULL)
		buffer_puts(out, "none");
	else if (strlen(value) == DIGEST_SHA256_HEX - 1 &&
		 strspn(value, "0123456789abcdef") == DIGEST_SHA256_HEX - 1)
		buffer_append(out, value, 12);
	else
		buffer_puts(out, value[0] != '\0' ? value : "empty");
}

static void
put_change(void *out, const struct identity_change *change)
{
	buffer_printf(out, "%s: ", change->name);
	identity_put_value(change->old, out);
	buffer_puts(out, " -> ");
	identity_put_value(change->now, out);
	buffer_putc(out, '\n');
}

void
identity_diff(const char *old_text, const char *new_text, struct buffer *out)
{
	identity_changes(old_text, new_text, put_change, out);
}

#define TOLD_DIFFERENCES 3

char *
identity_difference(const char *old_text, const char *new_text)
{
	struct buffer lines = BUFFER_EMPTY, told = BUFFER_EMPTY;
	size_t count = 0, length;
	const char *line;

	identity_diff(old_text, new_text, &lines);
	for (line = buffer_text(&lines); *line != '\0'; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		if (count++ < TOLD_DIFFERENCES)
			buffer_printf(&told, "%s%.*s", count > 1 ? "; " : "", (int)length, line);
	}
	if (count > TOLD_DIFFERENCES)
		buffer_printf(&told, " and %zu more", count - TOLD_DIFFERENCES);
	buffer_free(&lines);
	return buffer_detach(&told);
}

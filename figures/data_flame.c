#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/writers.h"

/*
 * flame: where a variant's instructions go, by the stacks that callgrind counted: a frame for each
 * function in its place, as wide as all that is done in it. Options: variant (the first that was
 * diagnosed), from (the function that the picture begins with; default "main", where there is one).
 * Columns: depth (from 0), begin, end (shares of the picture), share, shade, text.
 */

#define LEAST_SHARE 0.002  /* of the picture, drawn at all */
#define DEPTH 100          /* frames of a stack; deeper ones are part of the last of them */
#define STACKS 5000 /* what is pooled by src/diagnose has some hundred */
#define PICTURE_PIXELS 720 /* of 800 */
#define LETTER_PIXELS 7.2

/* A frame: all stacks below it, by name. */
struct frame {
	char *name;
	double self, all;
	struct frame *inner;
	size_t count;
};

struct flame {
	struct buffer *data;
	double whole;
	int depth; /* the deepest that is drawn */
};

static struct frame *
inner_frame(struct frame *frame, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < frame->count; i++)
		if (strlen(frame->inner[i].name) == length && strncmp(frame->inner[i].name, name, length) == 0)
			return &frame->inner[i];
	frame->inner = memory_resize(frame->inner, frame->count + 1, sizeof *frame->inner);
	frame->inner[frame->count] = (struct frame){.name = memory_copy_span(name, length)};
	return &frame->inner[frame->count++];
}

static void
free_frame(struct frame *frame)
{
	size_t i;

	for (i = 0; i < frame->count; i++)
		free_frame(&frame->inner[i]);
	free(frame->inner);
	free(frame->name);
}

/* The stack from the function on; NULL: it is not in it. */
static const char *
begin_at(const char *stack, const char *from)
{
	size_t length = strlen(from);

	while (stack != NULL && (strncmp(stack, from, length) != 0 || (stack[length] != ';' && stack[length] != '\0'))) {
		stack = strchr(stack, ';');
		stack += stack != NULL;
	}
	return stack;
}

static void
add_stack(struct frame *root, const char *stack, double self)
{
	struct frame *at = root;
	size_t length, depth;

	at->all += self;
	for (depth = 0; *stack != '\0' && depth < DEPTH; depth++, stack += length + (stack[length] == ';')) {
		length = strcspn(stack, ";");
		at = inner_frame(at, stack, length);
		at->all += self;
	}
	at->self += self;
}

static int
by_name(const void *x, const void *y)
{
	return strcmp(((const struct frame *)x)->name, ((const struct frame *)y)->name);
}

/* As many letters of the name as the frame has room for. */
static void
put_text(struct buffer *out, const char *name, double share)
{
	size_t room = (size_t)(share * PICTURE_PIXELS / LETTER_PIXELS), length = strlen(name);
	char *shown;

	if (length <= room)
		shown = memory_copy_text(name);
	else
		shown = room < 4 ? memory_copy_text("") : memory_format("%.*s..", (int)room - 2, name);
	csv_put_text(out, shown, '\n');
	free(shown);
}

static void
put_frame(struct flame *flame, struct frame *frame, int depth, double begin)
{
	double share = frame->all / flame->whole, at = begin;
	size_t i;

	if (share < LEAST_SHARE)
		return;
	flame->depth = depth > flame->depth ? depth : flame->depth;
	csv_put_integer(flame->data, depth, ',');
	csv_put_number(flame->data, begin, ',');
	csv_put_number(flame->data, begin + share, ',');
	csv_put_number(flame->data, share, ',');
	csv_put_number(flame->data, frame->self / frame->all, ',');
	put_text(flame->data, frame->name, share);
	if (frame->count > 0)
		qsort(frame->inner, frame->count, sizeof *frame->inner, by_name);
	for (i = 0; i < frame->count; i++) {
		put_frame(flame, &frame->inner[i], depth + 1, at);
		at += frame->inner[i].all / flame->whole;
	}
}

/* ---- which run ---- */

static const json_t *
find_run(const struct figure_input *input, const json_t *document)
{
	const char *variant = json_string_value(figure_option(input, "variant"));
	const json_t *run, *first = NULL;
	size_t i;

	json_array_foreach(json_object_get(document, "runs"), i, run) {
		if (strcmp(json_get_text(run, "tool"), "callgrind") != 0)
			continue;
		if (variant == NULL ? first == NULL : strcmp(json_get_text(run, "name"), variant) == 0)
			first = run;
	}
	return first;
}

static const json_t *
stacks_of(const json_t *run)
{
	return json_object_get(json_object_get(run, "result"), "stacks");
}

/* All stacks from the function on; all of them where none has it. */
static void
read_stacks(const struct figure_input *input, const json_t *stacks, struct frame *root)
{
	const char *from = json_string_value(figure_option(input, "from")), *stack, *begin;
	json_t *self;

	from = from != NULL ? from : "main";
	json_object_foreach((json_t *)stacks, stack, self)
		if ((begin = begin_at(stack, from)) != NULL)
			add_stack(root, begin, json_number_value(self));
	if (root->count == 0)
		json_object_foreach((json_t *)stacks, stack, self)
			add_stack(root, stack, json_number_value(self));
}

static void
put_all(const struct figure_input *input, const json_t *run, struct buffer *data, struct buffer *settings,
	struct buffer *notes)
{
	struct flame flame = {.data = data, .depth = -1};
	struct frame root = {0};
	double instructions = json_get_number(json_object_get(json_object_get(run, "result"), "values"), "instructions");
	double at = 0;
	char *title;
	size_t i;

	read_stacks(input, stacks_of(run), &root);
	flame.whole = root.all;
	for (i = 0; root.all > 0 && i < root.count; i++) {
		put_frame(&flame, &root.inner[i], 0, at);
		at += root.inner[i].all / flame.whole;
	}
	if (flame.depth < 0)
		buffer_printf(notes, "callgrind of %s: %s. ", json_get_text(run, "name"), json_get_text(run, "reason"));
	else
		buffer_printf(notes, "A frame is as wide as the instructions that are done in it and in what it calls; what no "
			      "frame covers it does itself, and the darker it is the more. %.4g million instructions of %.4g "
			      "million of the process, counted by callgrind: no time. ", root.all / 1e6, instructions / 1e6);
	title = memory_format("instructions of %s", json_get_text(run, "name"));
	figure_put_text(settings, "title_text", title);
	figure_put_number(settings, "depths", flame.depth + 1);
	figure_put_number(settings, "HEIGHT", 110 + 24 * (double)(flame.depth > 2 ? flame.depth + 1 : 3));
	free(title);
	free_frame(&root);
}

int
figure_flame(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	     struct buffer *notes, struct error *error)
{
	const char *experiment = json_get_text(input->experiment, "name");
	char *path = memory_format("build/diagnose/%s.json", experiment);
	json_t *document = json_read_file(path, error);
	const json_t *run = find_run(input, document);
	bool many;

	free(path);
	if (document == NULL)
		return -1;
	buffer_puts(data, "depth,begin,end,share,shade,text\n");
	many = json_object_size(stacks_of(run)) > STACKS;
	if (run != NULL && !many)
		put_all(input, run, data, settings, notes);
	json_decref(document);
	if (many)
		return error_set(error, EXIT_BAD_INPUT, "build/diagnose/%s.json: has more than %d stacks; remove it, and "
				 "the diagnosis is made again", experiment, STACKS);
	if (run == NULL)
		return error_set(error, EXIT_BAD_INPUT, "figure \"%s\" of %s: callgrind was asked of no such variant; list "
				 "it in `diagnose`", json_get_text(input->figure, "label"), experiment);
	return 0;
}

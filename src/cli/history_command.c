#include "cli/history_command.h"

#include <getopt.h>
#include <stdio.h>

#include "base/json.h"
#include "session/lock.h"

/* Records may come from elsewhere: without what a terminal would obey. */
static void
print_plain(struct buffer *text)
{
	size_t i;

	for (i = 0; i < text->length; i++) {
		unsigned char byte = (unsigned char)text->bytes[i];

		if ((byte < ' ' && byte != '\n') || byte == 0x7f)
			text->bytes[i] = '?';
	}
	fputs(buffer_text(text), stdout);
}

static void
show(const struct history_command *what, const json_t *document, bool as_json)
{
	struct buffer text = BUFFER_EMPTY;

	if (as_json) {
		json_print(document, stdout);
		return;
	}
	what->put(document, &text);
	print_plain(&text);
	buffer_free(&text);
}

static int
answer(const struct history_command *what, char *const *arguments, bool as_json, struct error *error)
{
	struct past past;
	json_t *document = NULL;

	if (past_read(arguments[0], &past, error) == 0)
		document = what->document(&past, arguments + 1, error);
	past_free(&past);
	if (document == NULL)
		return -1;
	show(what, document, as_json);
	json_decref(document);
	return 0;
}

int
history_command_run(const struct history_command *what, int argc, char **argv)
{
	static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
	struct error error = {0};
	struct lock *lock;
	bool as_json = false;
	int option, result = -1;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'j')
			return command_misuse(what->command, "unknown option");
		as_json = true;
	}
	if (optind + 1 + what->names != argc)
		return command_misuse(what->command, "%s", what->needs);
	lock = lock_open(what->command->name, &error);
	if (lock != NULL && lock_acquire(lock, LOCK_SHARED, &error) == 0)
		result = answer(what, argv + optind, as_json, &error);
	lock_close(lock);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

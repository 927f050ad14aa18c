#include "graph/shell.h"

#include <string.h>

static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			   "_-./+=:,@%";

/* Words that sh does not look up as a program, or does itself in its own way. */
static const char *const special[] = {
	"!",    "{",     "(",      ".",    ":",    "[",      "alias",  "bg",    "case",  "cd",
	"command", "do", "done",   "echo", "elif", "else",   "esac",   "eval",  "exec",  "exit",
	"export", "false", "fg",   "fi",   "for",  "function", "getopts", "hash", "if",  "jobs",
	"kill", "local", "printf", "pwd",  "read", "readonly", "return", "set",  "shift", "source",
	"test", "then",  "time",   "times", "trap", "true",  "type",   "ulimit", "umask", "unalias",
	"unset", "until", "wait",  "while",
};

void
shell_put_word(struct buffer *out, const char *text)
{
	if (text[0] != '\0' && text[strspn(text, safe)] == '\0') {
		buffer_puts(out, text);
		return;
	}
	buffer_putc(out, '\'');
	for (; *text != '\0'; text++)
		if (*text == '\'')
			buffer_puts(out, "'\\''");
		else
			buffer_putc(out, *text);
	buffer_putc(out, '\'');
}

bool
shell_is_simple(const char *command)
{
	size_t length, i;

	command += strspn(command, " \t");
	length = strcspn(command, " \t");
	if (length == 0 || memchr(command, '=', length) != NULL)
		return false;
	for (i = 0; i < sizeof special / sizeof special[0]; i++)
		if (strlen(special[i]) == length && strncmp(command, special[i], length) == 0)
			return false;
	return command[strcspn(command, ";&|(){}`\n#")] == '\0';
}

#include "provenance/fact.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"

#define FILE_LIMIT 65536

json_t *
fact_unavailable(const char *format, ...)
{
	char reason[1024];
	va_list arguments;
	json_t *fact = json_object();

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	json_object_set_new(fact, "unavailable", fact_text(reason));
	return fact;
}

/* ---- paths that tell who and where ---- */

/* A folder's name ends where a path does not go on with the same name. */
static bool
ends_name(char byte)
{
	return !(isalnum((unsigned char)byte) || byte == '_' || byte == '-' || byte == '.' ||
		 (unsigned char)byte >= 0x80);
}

static void
replace_folder(struct buffer *text, const char *folder, const char *with)
{
	struct buffer out = BUFFER_EMPTY;
	size_t length = strlen(folder);
	const char *from = buffer_text(text), *hit;

	if (length < 2) /* "/" is nobody's home */
		return;
	while ((hit = strstr(from, folder)) != NULL) {
		const char *after = hit + length;

		buffer_append(&out, from, (size_t)(hit - from));
		from = after;
		if (!ends_name(*after)) {
			buffer_append(&out, hit, length);
		} else if (with[0] != '\0') {
			buffer_puts(&out, with);
		} else if (*after == '/' && after[1] != '\0' && !isspace((unsigned char)after[1])) {
			from++; /* /home/me/study/kernels/a.c -> kernels/a.c */
		} else {
			buffer_putc(&out, '.');
		}
	}
	buffer_puts(&out, from);
	buffer_free(text);
	*text = out;
}

/* Under the name it has and the one that links in it hide. */
static void
replace_home(struct buffer *text, const char *home)
{
	char *real = home != NULL ? realpath(home, NULL) : NULL;

	if (home != NULL)
		replace_folder(text, home, "~");
	if (real != NULL)
		replace_folder(text, real, "~");
	free(real);
}

char *
fact_redact(const char *text)
{
	const struct passwd *user = getpwuid(getuid());
	struct buffer out = BUFFER_EMPTY;
	char here[PATH_MAX];

	buffer_puts(&out, text);
	if (strchr(text, '/') != NULL) {
		if (getcwd(here, sizeof here) != NULL)
			replace_folder(&out, here, "");
		replace_home(&out, getenv("HOME"));
		if (user != NULL)
			replace_home(&out, user->pw_dir);
	}
	return buffer_detach(&out);
}

/* ---- texts ---- */

/* How many bytes from here are one UTF-8 character; 0: none. */
static size_t
utf8_length(const char *text)
{
	size_t length;
	json_t *probe;

	for (length = 1; length <= 4 && text[length - 1] != '\0'; length++) {
		probe = json_stringn(text, length);
		if (probe != NULL) {
			json_decref(probe);
			return length;
		}
	}
	return 0;
}

static json_t *
escape(const char *text)
{
	struct buffer out = BUFFER_EMPTY;
	json_t *fact;

	while (*text != '\0') {
		size_t length = utf8_length(text);

		if (length > 0)
			buffer_append(&out, text, length);
		else
			buffer_printf(&out, "%%%02X", (unsigned char)*text);
		text += length > 0 ? length : 1;
	}
	fact = json_string(buffer_text(&out));
	buffer_free(&out);
	return fact;
}

json_t *
fact_text(const char *text)
{
	char *plain = fact_redact(text);
	json_t *fact = json_string(plain);

	if (fact == NULL)
		fact = escape(plain);
	free(plain);
	return fact;
}

json_t *
fact_span(const char *text, size_t length)
{
	char *copy;
	json_t *fact;

	while (length > 0 && isspace((unsigned char)*text))
		text++, length--;
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	copy = memory_copy_span(text, length);
	fact = fact_text(copy);
	free(copy);
	return fact;
}

/* ---- files ---- */

char *
fact_place(const char *path)
{
	const char *root = getenv("ASSAY_SYSROOT");

	return memory_format("%s%s", root != NULL ? root : "", path);
}

bool
fact_exists(const char *path)
{
	char *place = fact_place(path);
	bool there = access(place, F_OK) == 0;

	free(place);
	return there;
}

char *
fact_read(const char *path, size_t limit)
{
	char *full = fact_place(path), *bytes = memory_alloc(limit + 1);
	int fd = open(full, O_RDONLY | O_CLOEXEC), saved;
	size_t length = 0;
	ssize_t got = -1;

	while (fd >= 0 && length < limit && (got = read(fd, bytes + length, limit - length)) > 0)
		length += (size_t)got;
	saved = errno;
	if (fd >= 0)
		close(fd);
	free(full);
	if (fd < 0 || (got < 0 && length == 0)) {
		free(bytes);
		errno = saved;
		return NULL;
	}
	bytes[length] = '\0';
	return bytes;
}

json_t *
fact_file(const char *path)
{
	char *text = fact_read(path, FILE_LIMIT);
	json_t *fact = text != NULL ? fact_span(text, strlen(text))
				    : fact_unavailable("%s: %s", path, strerror(errno));

	free(text);
	return fact;
}

json_t *
fact_integer_file(const char *path)
{
	char *text = fact_read(path, FILE_LIMIT), *end;
	json_t *fact;
	long long value;

	if (text == NULL)
		return fact_unavailable("%s: %s", path, strerror(errno));
	errno = 0;
	value = strtoll(text, &end, 10);
	if (end == text || errno != 0 || end[strspn(end, " \n")] != '\0')
		fact = fact_unavailable("%s: '%.40s' is no number", path, text);
	else
		fact = json_integer(value);
	free(text);
	return fact;
}

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "provenance/bundle.h"
#include "provenance/bundle_folder.h"
#include "provenance/bundle_stream.h"

/* Verifying and unpacking: two uses of the readers. */

#define FORM_BEGIN "data/study/build/form/"
#define FORM_END "/stats.json"

void
bundle_facts_add(struct bundle_facts *facts, const char *name)
{
	const char *form = name + strlen(FORM_BEGIN), *end;

	facts->files++;
	if (strncmp(name, FORM_BEGIN, strlen(FORM_BEGIN)) != 0)
		return;
	end = strchrnul(form, '/');
	if (strcmp(end, FORM_END) == 0)
		buffer_printf(&facts->forms, "%s%.*s", facts->forms.length > 0 ? ", " : "", (int)(end - form),
			      form);
}

void
bundle_facts_free(struct bundle_facts *facts)
{
	free(facts->name);
	buffer_free(&facts->forms);
	memset(facts, 0, sizeof *facts);
}

static int
read_either(const char *path, const struct bundle_limits *limits, const struct bundle_sink *sink,
	    struct bundle_facts *facts, struct error *error)
{
	struct stat status;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return bundle_folder_read(path, limits, sink, facts, error);
	return bundle_stream_read(path, limits, sink, facts, error);
}

int
bundle_verify(const char *path, const struct bundle_limits *limits, struct bundle_facts *facts,
	      struct error *error)
{
	return read_either(path, limits, NULL, facts, error);
}

/* ---- unpacking ---- */

struct unpacking {
	char *folder; /* made by us a moment ago, so that no link of somebody else's is in it */
	char *file;   /* being written */
	int fd;
};

static int
create(const char *path, bool executable)
{
	return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    executable ? 0777 : 0666);
}

static int
begin(void *context, const char *name, bool executable, struct error *error)
{
	struct unpacking *to = context;

	free(to->file);
	to->file = memory_format("%s/%s", to->folder, name);
	to->fd = create(to->file, executable);
	if (to->fd < 0 && errno == ENOENT) { /* the first one in its folder */
		if (file_make_parent(to->file, error) != 0)
			return -1;
		to->fd = create(to->file, executable);
	}
	if (to->fd < 0 && errno == EEXIST)
		return error_set(error, EXIT_BAD_INPUT, "a name is both a file and a folder: '%s'", name);
	return to->fd < 0 ? error_set_errno(error, "cannot create %s", to->file) : 0;
}

static int
data(void *context, const char *bytes, size_t length, struct error *error)
{
	struct unpacking *to = context;

	while (length > 0) {
		ssize_t done = write(to->fd, bytes, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return error_set_errno(error, "cannot write %s", to->file);
		bytes += done;
		length -= (size_t)done;
	}
	return 0;
}

static int
end(void *context, struct error *error)
{
	struct unpacking *to = context;
	int fd = to->fd;

	to->fd = -1;
	return close(fd) != 0 ? error_set_errno(error, "cannot write %s", to->file) : 0;
}

/* An empty folder of that name gives way; anything else is an error. */
static int
publish(const struct unpacking *to, const char *folder, struct error *error)
{
	mode_t mask = umask(0);

	umask(mask);
	if (chmod(to->folder, 0777 & ~mask) != 0 || rename(to->folder, folder) != 0)
		return error_set_errno(error, "cannot unpack into %s; it must be new or empty", folder);
	return 0;
}

int
bundle_unpack(const char *path, const char *folder, const struct bundle_limits *limits,
	      struct bundle_facts *facts, struct error *error)
{
	struct unpacking to = {.fd = -1};
	struct bundle_sink sink = {begin, data, end, &to};
	int result;

	memset(facts, 0, sizeof *facts);
	if (rmdir(folder) != 0 && errno != ENOENT)
		return error_set_errno(error, "cannot unpack into %s; it must be new or empty", folder);
	if (file_make_parent(folder, error) != 0)
		return -1;
	to.folder = memory_format("%s.tmp.XXXXXX", folder);
	if (mkdtemp(to.folder) == NULL) {
		result = error_set_errno(error, "cannot make a folder beside %s", folder);
		free(to.folder);
		return result;
	}
	result = read_either(path, limits, &sink, facts, error);
	if (to.fd >= 0)
		close(to.fd);
	if (result == 0)
		result = publish(&to, folder, error);
	if (result != 0)
		file_remove_tree(to.folder, NULL);
	free(to.file);
	free(to.folder);
	return result;
}

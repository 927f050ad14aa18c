#include "identity/hasher.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "identity/elf_content.h"
#include "identity/escape.h"

struct entry {
	enum hash_kind kind;
	char *path;
	char hex[DIGEST_SHA256_HEX];
	int64_t hashed_ns;
	struct file_signature signature;
	bool seen; /* looked at by this hasher */
};

/* What a loader answered, under a text of all that was asked. */
struct answer {
	char *question;
	struct libraries libraries;
};

struct known_start {
	char *path;
	struct start start;
};

struct hasher {
	char *cache_path;
	struct entry *entries; /* sorted by path, then kind */
	size_t count, capacity;
	struct answer *answers;
	size_t answer_count;
	struct known_start *starts;
	size_t start_count;
	struct sightings sightings;
	bool learnt;
};

/* ---- entries ---- */

static int
compare(const struct entry *entry, enum hash_kind kind, const char *path)
{
	int order = strcmp(entry->path, path);

	return order != 0 ? order : (int)entry->kind - (int)kind;
}

/* The index of the first entry that does not come before (path, kind). */
static size_t
position(const struct hasher *hasher, enum hash_kind kind, const char *path)
{
	size_t low = 0, high = hasher->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&hasher->entries[middle], kind, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The entry, made when there was none. Valid until the next call. */
static struct entry *
entry_for(struct hasher *hasher, enum hash_kind kind, const char *path)
{
	size_t at = position(hasher, kind, path);
	struct entry *entry;

	if (at < hasher->count && compare(&hasher->entries[at], kind, path) == 0)
		return &hasher->entries[at];
	hasher->entries = memory_grow(hasher->entries, hasher->count, &hasher->capacity,
				      sizeof *hasher->entries);
	entry = &hasher->entries[at];
	memmove(entry + 1, entry, (hasher->count - at) * sizeof *entry);
	hasher->count++;
	memset(entry, 0, sizeof *entry);
	entry->kind = kind;
	entry->path = memory_copy_text(path);
	return entry;
}

static int
hash(struct entry *entry, struct error *error)
{
	if (entry->kind == HASH_LOADED)
		return elf_content_digest(entry->path, entry->hex, error);
	return digest_file(DIGEST_SHA256, entry->path, entry->hex, error);
}

int
hasher_digest(struct hasher *hasher, enum hash_kind kind, const char *path,
	      char hex[DIGEST_SHA256_HEX], struct error *error)
{
	struct entry *entry = entry_for(hasher, kind, path);
	int64_t now = clock_realtime_ns();
	struct file_signature signature;

	if (!entry->seen) {
		if (file_signature(path, &signature) != 0)
			return error_set_errno(error, "cannot read %s", path);
		if (entry->hex[0] == '\0' || !sighting_settled(&entry->signature, entry->hashed_ns) ||
		    !file_signature_equal(&signature, &entry->signature)) {
			if (hash(entry, error) != 0)
				return -1;
			entry->signature = signature;
			entry->hashed_ns = now;
			hasher->learnt = true;
		}
		entry->seen = true;
		sightings_add_seen(&hasher->sightings, path, &signature);
	}
	memcpy(hex, entry->hex, DIGEST_SHA256_HEX);
	return 0;
}

/* ---- the cache file ---- */

static void
read_line(struct hasher *hasher, char *line)
{
	struct entry one, *entry;
	int kind, used = 0;
	unsigned long long device, inode, size;
	long long hashed, modified, changed;

	if (sscanf(line, "%d %64[0-9a-f] %lld %llu %llu %llu %lld %lld %n", &kind, one.hex, &hashed,
		   &device, &inode, &size, &modified, &changed, &used) != 8 ||
	    used == 0 || line[used] == '\0' || strlen(one.hex) != DIGEST_SHA256_HEX - 1 ||
	    (kind != HASH_ALL && kind != HASH_LOADED))
		return;
	escape_undo(line + used);
	entry = entry_for(hasher, (enum hash_kind)kind, line + used);
	memcpy(entry->hex, one.hex, sizeof entry->hex);
	entry->hashed_ns = hashed;
	entry->signature = (struct file_signature){device, inode, size, modified, changed};
}

static void
read_cache(struct hasher *hasher)
{
	struct buffer bytes = BUFFER_EMPTY;
	char *rest, *line;

	if (file_read(hasher->cache_path, 0, &bytes, NULL) == 0) {
		rest = bytes.bytes;
		while (rest != NULL && (line = strsep(&rest, "\n")) != NULL)
			read_line(hasher, line);
	}
	buffer_free(&bytes);
}

static void
write_line(const struct entry *entry, struct buffer *out)
{
	const struct file_signature *signature = &entry->signature;

	buffer_printf(out, "%d %s %lld %llu %llu %llu %lld %lld ", (int)entry->kind, entry->hex,
		      (long long)entry->hashed_ns, (unsigned long long)signature->device,
		      (unsigned long long)signature->inode, (unsigned long long)signature->size,
		      (long long)signature->mtime_ns, (long long)signature->ctime_ns);
	escape_put(out, entry->path, "");
	buffer_putc(out, '\n');
}

/* Files that are gone are forgotten, or the cache would grow forever. */
static void
write_cache(const struct hasher *hasher)
{
	struct buffer bytes = BUFFER_EMPTY;
	size_t i;

	for (i = 0; i < hasher->count; i++)
		if (hasher->entries[i].hex[0] != '\0' &&
		    (hasher->entries[i].seen || file_exists(hasher->entries[i].path)))
			write_line(&hasher->entries[i], &bytes);
	file_write(hasher->cache_path, buffer_text(&bytes), bytes.length, 0, NULL);
	buffer_free(&bytes);
}

struct hasher *
hasher_open(const char *cache_path)
{
	struct hasher *hasher = memory_zeroed(1, sizeof *hasher);

	if (cache_path != NULL) {
		hasher->cache_path = memory_copy_text(cache_path);
		read_cache(hasher);
	}
	return hasher;
}

void
hasher_close(struct hasher *hasher)
{
	size_t i;

	if (hasher->cache_path != NULL && hasher->learnt)
		write_cache(hasher);
	for (i = 0; i < hasher->count; i++)
		free(hasher->entries[i].path);
	for (i = 0; i < hasher->answer_count; i++) {
		free(hasher->answers[i].question);
		libraries_free(&hasher->answers[i].libraries);
	}
	for (i = 0; i < hasher->start_count; i++) {
		free(hasher->starts[i].path);
		free(hasher->starts[i].start.loader);
		free(hasher->starts[i].start.interpreter);
		free(hasher->starts[i].start.argument);
	}
	free(hasher->starts);
	free(hasher->answers);
	free(hasher->entries);
	sightings_free(&hasher->sightings);
	free(hasher->cache_path);
	free(hasher);
}

struct sightings *
hasher_sightings(struct hasher *hasher)
{
	return &hasher->sightings;
}

/* ---- how a file is started ---- */

#define SHEBANG_LIMIT 256 /* the kernel reads no more (BINPRM_BUF_SIZE) */

static void
read_shebang(const char *path, struct start *start)
{
	int fd = file_open(path);
	char line[SHEBANG_LIMIT + 1], *from, *to;
	ssize_t got = fd >= 0 ? read(fd, line, SHEBANG_LIMIT) : -1;

	if (fd >= 0)
		close(fd);
	if (got < 2 || line[0] != '#' || line[1] != '!')
		return;
	line[got] = '\0';
	line[strcspn(line, "\n")] = '\0';
	from = line + 2 + strspn(line + 2, " \t");
	to = from + strcspn(from, " \t");
	if (to > from)
		start->interpreter = memory_copy_span(from, (size_t)(to - from));
	from = to + strspn(to, " \t");
	for (to = from + strlen(from); to > from && (to[-1] == ' ' || to[-1] == '\t'); to--)
		;
	if (to > from)
		start->argument = memory_copy_span(from, (size_t)(to - from));
}

const struct start *
hasher_start(struct hasher *hasher, const char *path)
{
	struct known_start *known;
	size_t i;

	for (i = 0; i < hasher->start_count; i++)
		if (strcmp(hasher->starts[i].path, path) == 0)
			return &hasher->starts[i].start;
	hasher->starts = memory_resize(hasher->starts, hasher->start_count + 1,
				       sizeof *hasher->starts);
	known = &hasher->starts[hasher->start_count++];
	memset(known, 0, sizeof *known);
	known->path = memory_copy_text(path);
	known->start.loader = elf_content_loader(path);
	if (known->start.loader == NULL)
		read_shebang(path, &known->start);
	return &known->start;
}

/* ---- libraries ---- */

/* The part of an environment that a dynamic loader heeds. */
static bool
concerns_loader(const char *name)
{
	return strncmp(name, "LD_", 3) == 0 || strcmp(name, "GLIBC_TUNABLES") == 0;
}

static char *
make_question(const char *program, const char *cwd, const struct settings *env)
{
	struct buffer text = BUFFER_EMPTY;
	size_t i;

	escape_put(&text, program, " ");
	buffer_putc(&text, ' ');
	escape_put(&text, cwd != NULL ? cwd : "", " ");
	for (i = 0; i < env->count; i++) {
		if (!concerns_loader(env->items[i].name))
			continue;
		buffer_printf(&text, " %s=", env->items[i].name);
		escape_put(&text, env->items[i].value, " ");
	}
	return buffer_detach(&text);
}

static void
see_folder(struct sightings *seen, const char *cwd, const char *folder)
{
	char *path = folder[0] != '/' && cwd != NULL ? memory_format("%s/%s", cwd, folder)
						     : memory_copy_text(folder);

	sightings_add(seen, path[0] != '\0' ? path : ".");
	free(path);
}

/* A library put into a folder that is searched earlier hides the one found now. */
static void
see_search_folders(struct sightings *seen, const char *object, const char *cwd)
{
	struct texts folders = {NULL, 0};
	size_t i;

	if (elf_content_search(object, &folders) != 0)
		seen->never_holds = true;
	for (i = 0; i < folders.count; i++) {
		see_folder(seen, cwd, folders.items[i]);
		free(folders.items[i]);
	}
	free(folders.items);
}

static void
see_environment(struct sightings *seen, const char *cwd, const struct settings *env)
{
	size_t i;

	for (i = 0; i < env->count; i++) {
		char *copy, *rest, *folder;

		if (strcmp(env->items[i].name, "LD_LIBRARY_PATH") != 0)
			continue;
		rest = copy = memory_copy_text(env->items[i].value);
		while ((folder = strsep(&rest, ":;")) != NULL)
			see_folder(seen, cwd, folder);
		if (strchr(env->items[i].value, '$') != NULL)
			seen->never_holds = true;
		free(copy);
	}
}

static void
see_answer(struct sightings *seen, const char *program, const char *cwd,
	     const struct settings *env, const struct libraries *libraries)
{
	size_t i;

	see_search_folders(seen, program, cwd);
	see_environment(seen, cwd, env);
	for (i = 0; i < libraries->count; i++) {
		if (libraries->items[i].path == NULL)
			seen->never_holds = true; /* it may come to any folder */
		else
			see_search_folders(seen, libraries->items[i].path, cwd);
	}
	if (libraries->problem != NULL)
		seen->never_holds = true;
}

const struct libraries *
hasher_libraries(struct hasher *hasher, const char *loader, const char *program, const char *cwd,
		 const struct settings *env)
{
	char *question = make_question(program, cwd, env);
	struct answer *answer;
	size_t i;

	for (i = 0; i < hasher->answer_count; i++)
		if (strcmp(hasher->answers[i].question, question) == 0) {
			free(question);
			return &hasher->answers[i].libraries;
		}
	if (hasher->answer_count == 0) {
		sightings_add(&hasher->sightings, "/etc/ld.so.cache");
		sightings_add(&hasher->sightings, "/etc/ld.so.preload");
	}
	hasher->answers = memory_resize(hasher->answers, hasher->answer_count + 1,
					sizeof *hasher->answers);
	answer = &hasher->answers[hasher->answer_count++];
	answer->question = question;
	libraries_resolve(loader, program, cwd, env, &answer->libraries);
	see_answer(&hasher->sightings, program, cwd, env, &answer->libraries);
	return &answer->libraries;
}

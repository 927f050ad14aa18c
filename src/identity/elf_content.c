#include "identity/elf_content.h"

#include <fcntl.h>
#include <gelf.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"

/* An open ELF file; elf is NULL when it is none. */
struct object {
	int fd;
	Elf *elf;
	GElf_Ehdr header;
};

static int
object_open(const char *path, struct object *object)
{
	elf_version(EV_CURRENT);
	object->elf = NULL;
	object->fd = file_open(path);
	if (object->fd < 0)
		return -1;
	/* Not the mmap kind: a file cut short meanwhile would end us. */
	object->elf = elf_begin(object->fd, ELF_C_READ, NULL);
	if (object->elf != NULL && (elf_kind(object->elf) != ELF_K_ELF ||
				    gelf_getehdr(object->elf, &object->header) == NULL)) {
		elf_end(object->elf);
		object->elf = NULL;
	}
	return 0;
}

static void
object_close(struct object *object)
{
	if (object->elf != NULL)
		elf_end(object->elf);
	if (object->fd >= 0)
		close(object->fd);
}

static void
put(struct digest *digest, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
put(struct digest *digest, const char *format, ...)
{
	char line[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	digest_update(digest, line, strlen(line));
}

static void
put_header(struct digest *digest, const GElf_Ehdr *header)
{
	put(digest, "elf %u %u %u %u %x %llx\n", header->e_ident[EI_CLASS],
	    header->e_ident[EI_DATA], header->e_machine, header->e_type, header->e_flags,
	    (unsigned long long)header->e_entry);
}

static int
put_segments(struct digest *digest, Elf *elf)
{
	size_t count, i;
	GElf_Phdr segment;

	if (elf_getphdrnum(elf, &count) != 0)
		return -1;
	for (i = 0; i < count; i++) {
		if (gelf_getphdr(elf, (int)i, &segment) == NULL)
			return -1;
		put(digest, "segment %x %x %llx %llx %llx\n", segment.p_type, segment.p_flags,
		    (unsigned long long)segment.p_vaddr, (unsigned long long)segment.p_memsz,
		    (unsigned long long)segment.p_align);
	}
	return 0;
}

static bool
counts(const GElf_Shdr *header, const char *name)
{
	return (header->sh_flags & SHF_ALLOC) != 0 && strcmp(name, ".note.gnu.build-id") != 0 &&
	       strcmp(name, ".note.go.buildid") != 0;
}

static int
put_section(struct digest *digest, Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	Elf_Data *data = NULL;

	put(digest, "section %s %x %llx %llx %llx %llx\n", name, header->sh_type,
	    (unsigned long long)header->sh_flags, (unsigned long long)header->sh_addr,
	    (unsigned long long)header->sh_size, (unsigned long long)header->sh_addralign);
	if (header->sh_type == SHT_NOBITS || header->sh_size == 0)
		return 0;
	data = elf_rawdata(section, NULL);
	if (data == NULL || data->d_size != header->sh_size || data->d_buf == NULL)
		return -1;
	digest_update(digest, data->d_buf, data->d_size);
	return 0;
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static size_t
section_count(Elf *elf)
{
	size_t count;

	return elf_getshdrnum(elf, &count) == 0 ? count : 0;
}

/* Puts the sections and tells where the last part of the file that a header names ends. */
static int
put_sections(struct digest *digest, const struct object *object, uint64_t *end)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(object->elf, &names) != 0)
		return -1;
	*end = object->header.e_shoff +
	       (uint64_t)section_count(object->elf) * object->header.e_shentsize;
	while ((section = elf_nextscn(object->elf, section)) != NULL) {
		GElf_Shdr header;
		const char *name;

		if (gelf_getshdr(section, &header) == NULL)
			return -1;
		if (header.sh_type != SHT_NOBITS)
			*end = larger(*end, header.sh_offset + header.sh_size);
		name = elf_strptr(object->elf, names, header.sh_name);
		if (counts(&header, name != NULL ? name : "") &&
		    put_section(digest, section, &header, name != NULL ? name : "") != 0)
			return -1;
	}
	return 0;
}

static int
put_appended(struct digest *digest, int fd, uint64_t from)
{
	char chunk[65536];
	struct stat status;
	ssize_t got;

	if (fstat(fd, &status) != 0)
		return -1;
	if ((uint64_t)status.st_size <= from)
		return 0;
	put(digest, "appended %llu\n", (unsigned long long)((uint64_t)status.st_size - from));
	while ((got = pread(fd, chunk, sizeof chunk, (off_t)from)) > 0) {
		digest_update(digest, chunk, (size_t)got);
		from += (uint64_t)got;
	}
	return got < 0 ? -1 : 0;
}

static int
put_object(struct digest *digest, const struct object *object)
{
	uint64_t end = 0;

	put_header(digest, &object->header);
	if (put_segments(digest, object->elf) != 0 || put_sections(digest, object, &end) != 0)
		return -1;
	return put_appended(digest, object->fd, end);
}

int
elf_content_digest(const char *path, char hex[DIGEST_SHA256_HEX], struct error *error)
{
	struct object object;
	struct digest *digest;
	int result;

	if (object_open(path, &object) != 0)
		return error_set_errno(error, "cannot read %s", path);
	if (object.elf == NULL || section_count(object.elf) == 0) {
		object_close(&object);
		return digest_file(DIGEST_SHA256, path, hex, error);
	}
	digest = digest_begin(DIGEST_SHA256);
	result = put_object(digest, &object);
	digest_end(digest, hex);
	object_close(&object);
	/* A damaged ELF may still run as far as it goes: all its bytes count. */
	return result != 0 ? digest_file(DIGEST_SHA256, path, hex, error) : 0;
}

static char *
read_span(int fd, uint64_t offset, uint64_t size)
{
	char text[4096];
	ssize_t got;

	if (size == 0 || size >= sizeof text)
		return NULL;
	got = pread(fd, text, (size_t)size, (off_t)offset);
	if (got <= 0)
		return NULL;
	text[got] = '\0';
	return memory_copy_text(text);
}

char *
elf_content_loader(const char *path)
{
	struct object object;
	char *loader = NULL;
	GElf_Phdr segment;
	size_t count = 0, i;

	if (object_open(path, &object) != 0)
		return NULL;
	if (object.elf != NULL && elf_getphdrnum(object.elf, &count) != 0)
		count = 0;
	for (i = 0; i < count && loader == NULL; i++)
		if (gelf_getphdr(object.elf, (int)i, &segment) != NULL &&
		    segment.p_type == PT_INTERP)
			loader = read_span(object.fd, segment.p_offset, segment.p_filesz);
	object_close(&object);
	return loader;
}

static void
add_text(struct texts *texts, char *text)
{
	texts->items = memory_resize(texts->items, texts->count + 1, sizeof *texts->items);
	texts->items[texts->count++] = text;
}

static char *
replace_origin(const char *folder, const char *origin)
{
	struct buffer out = BUFFER_EMPTY;

	while (*folder != '\0') {
		size_t length = strncmp(folder, "$ORIGIN", 7) == 0     ? 7
				: strncmp(folder, "${ORIGIN}", 9) == 0 ? 9
								       : 0;

		if (length > 0)
			buffer_puts(&out, origin);
		else
			buffer_putc(&out, *folder);
		folder += length > 0 ? length : 1;
	}
	return buffer_detach(&out);
}

static int
add_folders(const char *list, const char *origin, struct texts *folders)
{
	char *copy = memory_copy_text(list), *rest = copy, *folder;
	int result = 0;

	while ((folder = strsep(&rest, ":")) != NULL) {
		char *filled = replace_origin(folder[0] != '\0' ? folder : ".", origin);

		if (strchr(filled, '$') != NULL)
			result = -1;
		add_text(folders, filled);
	}
	free(copy);
	return result;
}

static int
add_dynamic(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *origin,
	    struct texts *folders)
{
	Elf_Data *data = elf_getdata(section, NULL);
	int result = 0, i;
	GElf_Dyn entry;

	for (i = 0; data != NULL && gelf_getdyn(data, i, &entry) != NULL; i++) {
		const char *list;

		if (entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH)
			continue;
		list = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
		if (list != NULL && add_folders(list, origin, folders) != 0)
			result = -1;
	}
	return result;
}

int
elf_content_search(const char *path, struct texts *folders)
{
	char *real = realpath(path, NULL);
	Elf_Scn *section = NULL;
	struct object object;
	int result = 0;

	if (real == NULL || object_open(path, &object) != 0) {
		free(real);
		return 0;
	}
	dirname(real);
	while (object.elf != NULL && (section = elf_nextscn(object.elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_DYNAMIC &&
		    add_dynamic(object.elf, section, &header, real, folders) != 0)
			result = -1;
	}
	free(real);
	object_close(&object);
	return result;
}

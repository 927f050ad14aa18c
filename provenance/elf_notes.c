#include "provenance/elf_notes.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"

/* NULL for what is no ELF file; *fd is then closed. Not the mmap kind of reading: a file cut
 * short meanwhile would end us. */
static Elf *
open_elf(const char *path, int *fd)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	*fd = file_open(path);
	if (*fd < 0)
		return NULL;
	elf = elf_begin(*fd, ELF_C_READ, NULL);
	if (elf != NULL && elf_kind(elf) == ELF_K_ELF)
		return elf;
	if (elf != NULL)
		elf_end(elf);
	close(*fd);
	return NULL;
}

/* ---- build id ---- */

static char *
hex_of(const unsigned char *bytes, size_t length)
{
	struct buffer out = BUFFER_EMPTY;
	size_t i;

	for (i = 0; i < length; i++)
		buffer_printf(&out, "%02x", bytes[i]);
	return buffer_detach(&out);
}

static char *
build_id_in(Elf_Data *data)
{
	size_t at = 0, next, name, description;
	GElf_Nhdr note;

	while (data != NULL && (next = gelf_getnote(data, at, &note, &name, &description)) > 0) {
		const char *bytes = data->d_buf;

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
		    memcmp(bytes + name, "GNU", sizeof "GNU") == 0)
			return hex_of((const unsigned char *)bytes + description, note.n_descsz);
		at = next;
	}
	return NULL;
}

char *
elf_notes_build_id(const char *path)
{
	size_t count = 0, i;
	char *id = NULL;
	int fd;
	Elf *elf = open_elf(path, &fd);

	if (elf == NULL)
		return NULL;
	if (elf_getphdrnum(elf, &count) != 0)
		count = 0;
	for (i = 0; i < count && id == NULL; i++) {
		GElf_Phdr segment;

		if (gelf_getphdr(elf, (int)i, &segment) == NULL || segment.p_type != PT_NOTE)
			continue;
		id = build_id_in(elf_getdata_rawchunk(elf, (int64_t)segment.p_offset,
						      segment.p_filesz,
						      segment.p_align == 8 ? ELF_T_NHDR8
									   : ELF_T_NHDR));
	}
	elf_end(elf);
	close(fd);
	return id;
}

/* ---- compiler ---- */

static Elf_Data *
section_data(Elf *elf, const char *wanted)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;
		const char *name;

		if (gelf_getshdr(section, &header) == NULL)
			return NULL;
		name = elf_strptr(elf, names, header.sh_name);
		if (name != NULL && strcmp(name, wanted) == 0)
			return elf_rawdata(section, NULL);
	}
	return NULL;
}

static void
add_once(struct buffer *out, const char *text)
{
	if (text[0] == '\0' || (out->length > 0 && strstr(out->bytes, text) != NULL))
		return;
	buffer_printf(out, "%s%s", out->length > 0 ? "; " : "", text);
}

char *
elf_notes_compiler(const char *path)
{
	struct buffer out = BUFFER_EMPTY;
	int fd;
	Elf *elf = open_elf(path, &fd);
	Elf_Data *data = elf != NULL ? section_data(elf, ".comment") : NULL;
	size_t at = 0;

	while (data != NULL && data->d_buf != NULL && at < data->d_size) {
		const char *text = (const char *)data->d_buf + at;
		size_t length = strnlen(text, data->d_size - at);
		char *one = memory_copy_span(text, length);

		add_once(&out, one);
		free(one);
		at += length + 1;
	}
	if (elf != NULL) {
		elf_end(elf);
		close(fd);
	}
	return out.length > 0 ? buffer_detach(&out) : NULL;
}

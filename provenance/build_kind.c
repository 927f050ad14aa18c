#include "provenance/build_kind.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* The start of a symbol that only such a build has. */
static const struct {
	const char *symbol, *kind;
} marks[] = {
	{"__asan_init", "AddressSanitizer"},
	{"__tsan_init", "ThreadSanitizer"},
	{"__msan_init", "MemorySanitizer"},
	{"__ubsan_handle_", "UndefinedBehaviorSanitizer"},
	{"mcount", "gprof"},
	{"_mcount", "gprof"},
	{"__fentry__", "gprof"},
	{"__gcov_init", "coverage"},
	{"__llvm_profile_", "coverage"},
};
#define MARKS (sizeof marks / sizeof *marks)

static void
add_kind(json_t *kinds, const char *kind)
{
	size_t i;

	for (i = 0; i < json_array_size(kinds); i++)
		if (strcmp(json_string_value(json_array_get(kinds, i)), kind) == 0)
			return;
	json_array_append_new(kinds, json_string(kind));
}

/* "mcount@GLIBC_2.2.5" is mcount; a mark that ends in '_' is the start of many. */
static bool
bears(const char *symbol, const char *mark)
{
	size_t length = strlen(mark);

	return strncmp(symbol, mark, length) == 0 &&
	       (mark[length - 1] == '_' || symbol[length] == '\0' || symbol[length] == '@');
}

static void
read_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, json_t *kinds)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize > 0 ? header->sh_size / header->sh_entsize : 0, i, m;
	const char *name;
	GElf_Sym symbol;

	for (i = 0; data != NULL && i < count && gelf_getsym(data, (int)i, &symbol) != NULL; i++) {
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		for (m = 0; name != NULL && m < MARKS; m++)
			if (bears(name, marks[m].symbol))
				add_kind(kinds, marks[m].kind);
	}
}

/* "GNU C17 12.2.0 -mtune=generic -g -O2": no -O at all is -O0. */
static bool
is_unoptimised(const char *producer)
{
	const char *option = strstr(producer, " -O");

	if (strncmp(producer, "GNU C", 5) != 0 || strstr(producer, " -m") == NULL)
		return false; /* another compiler, or one that was told not to write its options */
	return option == NULL || option[3] == '0';
}

/* The texts of the debug information; the producers are among them. */
static void
read_producers(Elf_Scn *section, const GElf_Shdr *header, json_t *kinds)
{
	Elf_Data *data;
	size_t at = 0, length;
	const char *text;

	if ((header->sh_flags & SHF_COMPRESSED) != 0 && elf_compress(section, 0, 0) < 0)
		return;
	data = elf_getdata(section, NULL);
	while (data != NULL && data->d_buf != NULL && at < data->d_size) {
		text = (const char *)data->d_buf + at;
		length = strnlen(text, data->d_size - at);
		if (at + length < data->d_size && is_unoptimised(text))
			add_kind(kinds, "-O0");
		at += length + 1;
	}
}

static void
read_sections(Elf *elf, json_t *kinds)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;
		const char *name;

		if (gelf_getshdr(section, &header) == NULL)
			return;
		name = elf_strptr(elf, names, header.sh_name);
		if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
			read_symbols(elf, section, &header, kinds);
		else if (name != NULL && strcmp(name, ".debug_str") == 0)
			read_producers(section, &header, kinds);
	}
}

json_t *
build_kind(const char *path)
{
	json_t *kinds = json_array();
	int fd = file_open(path);
	Elf *elf;

	elf_version(EV_CURRENT);
	if (fd < 0)
		return kinds;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf != NULL && elf_kind(elf) == ELF_K_ELF)
		read_sections(elf, kinds);
	if (elf != NULL)
		elf_end(elf);
	close(fd);
	return kinds;
}

#include "provenance/elf_build.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* A browser's debug information is larger, and no session waits for it. */
#define SECTION_LIMIT ((GElf_Xword)256 << 20)

/* What such a build calls. A name that ends with a star is a beginning. */
static const struct {
	const char *symbol, *kind;
} kinds[] = {
	{"__asan_*", "AddressSanitizer"},
	{"__hwasan_*", "HWAddressSanitizer"},
	{"__tsan_*", "ThreadSanitizer"},
	{"__msan_*", "MemorySanitizer"},
	{"__ubsan_handle_*", "UndefinedBehaviorSanitizer"},
	{"mcount", "gprof (-pg)"},
	{"_mcount", "gprof (-pg)"},
	{"__fentry__", "gprof (-pg)"},
	{"__gcov_*", "gcov (--coverage)"},
	{"__llvm_profile_*", "clang's profile counters"},
	{"__cyg_profile_func_enter", "-finstrument-functions"},
};

static void
add_once(json_t *list, const char *text)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
		if (strcmp(json_string_value(one), text) == 0)
			return;
	json_array_append_new(list, json_string(text));
}

/* ---- symbols ---- */

static bool
matches(const char *name, const char *symbol)
{
	size_t length = strlen(symbol);

	return symbol[length - 1] == '*' ? strncmp(name, symbol, length - 1) == 0 : strcmp(name, symbol) == 0;
}

static void
read_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, json_t *instrumented)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;
	size_t k;
	int i;

	for (i = 0; data != NULL && gelf_getsym(data, i, &symbol) != NULL; i++) {
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

		for (k = 0; name != NULL && k < sizeof kinds / sizeof *kinds; k++)
			if (matches(name, kinds[k].symbol))
				add_once(instrumented, kinds[k].kind);
	}
}

/* ---- debug information ---- */

static bool
is_level(const char *word, size_t length)
{
	return length >= 2 && length <= 5 && word[0] == '-' && word[1] == 'O';
}

/* gcc's DW_AT_producer, "GNU C17 12.2.0 -mtune=generic -g -O2 …": the last level counts, none is -O0. */
static void
read_producer(const char *text, json_t *optimise)
{
	char level[8] = "-O0";
	const char *word;

	if (strncmp(text, "GNU ", 4) != 0 || strncmp(text, "GNU AS", 6) == 0 || strchr(text, '-') == NULL)
		return;
	for (word = text; *word != '\0'; word += strcspn(word, " "), word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");

		if (!is_level(word, length))
			continue;
		memcpy(level, word, length);
		level[length] = '\0';
	}
	add_once(optimise, strcmp(level, "-O") == 0 ? "-O1" : level);
}

/* The texts of .debug_str, each ended by a zero byte. */
static void
read_texts(Elf_Scn *section, const GElf_Shdr *header, json_t *optimise)
{
	Elf_Data *data;
	size_t at = 0;

	if ((header->sh_flags & SHF_COMPRESSED) != 0 && elf_compress(section, 0, 0) < 0)
		return;
	data = elf_getdata(section, NULL);
	if (data == NULL || data->d_buf == NULL)
		return;
	while (at < data->d_size) {
		const char *text = (const char *)data->d_buf + at;
		size_t length = strnlen(text, data->d_size - at);

		if (at + length < data->d_size)
			read_producer(text, optimise);
		at += length + 1;
	}
}

static void
read_section(Elf *elf, Elf_Scn *section, size_t names, json_t *instrumented, json_t *optimise)
{
	GElf_Shdr header;
	const char *name;

	if (gelf_getshdr(section, &header) == NULL || header.sh_size > SECTION_LIMIT)
		return;
	name = elf_strptr(elf, names, header.sh_name);
	if (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB)
		read_symbols(elf, section, &header, instrumented);
	else if (name != NULL && (strcmp(name, ".debug_str") == 0 || strcmp(name, ".debug_line_str") == 0))
		read_texts(section, &header, optimise);
}

json_t *
elf_build(const char *path)
{
	json_t *instrumented, *optimise;
	Elf_Scn *section = NULL;
	size_t names;
	Elf *elf;
	int fd;

	elf_version(EV_CURRENT);
	fd = file_open(path);
	if (fd < 0)
		return NULL;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf == NULL || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) != 0) {
		elf_end(elf);
		close(fd);
		return NULL;
	}
	instrumented = json_array();
	optimise = json_array();
	while ((section = elf_nextscn(elf, section)) != NULL)
		read_section(elf, section, names, instrumented, optimise);
	elf_end(elf);
	close(fd);
	return json_pack("{s:o, s:o}", "instrumented", instrumented, "optimise", optimise);
}

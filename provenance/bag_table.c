#include "provenance/bag_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"

#define DIGEST_BYTES 16
#define TOLD 10

struct entry {
	uint32_t name; /* offset into names */
	bool found, listed;
	unsigned char found_digest[DIGEST_BYTES], listed_digest[DIGEST_BYTES];
};

struct bag_table {
	struct entry *entries;
	size_t count, capacity;
	uint32_t *slots; /* 0, or 1 + an entry's index; open addressing */
	size_t slot_count;
	char *names;
	size_t names_length, names_capacity;
	uint64_t max_entries;
};

struct bag_table *
bag_table_new(uint64_t max_entries)
{
	struct bag_table *table = memory_zeroed(1, sizeof *table);

	table->max_entries = max_entries;
	table->slot_count = 1024;
	table->slots = memory_zeroed(table->slot_count, sizeof *table->slots);
	return table;
}

void
bag_table_free(struct bag_table *table)
{
	free(table->entries);
	free(table->slots);
	free(table->names);
	free(table);
}

static const char *
name_of(const struct bag_table *table, const struct entry *entry)
{
	return table->names + entry->name;
}

/* A digest, so that nobody can make up names that fall into one slot. */
static uint64_t
hash(const char *name)
{
	char hex[DIGEST_SHA256_HEX];

	digest_bytes(DIGEST_SHA256, name, strlen(name), hex);
	hex[16] = '\0';
	return strtoull(hex, NULL, 16);
}

/* The slot of a name, or the empty one where it would go. */
static size_t
find_slot(const struct bag_table *table, const char *name)
{
	size_t slot = hash(name) & (table->slot_count - 1);

	while (table->slots[slot] != 0 &&
	       strcmp(name_of(table, &table->entries[table->slots[slot] - 1]), name) != 0)
		slot = (slot + 1) & (table->slot_count - 1);
	return slot;
}

static void
grow_slots(struct bag_table *table)
{
	size_t i;

	free(table->slots);
	table->slot_count *= 2;
	table->slots = memory_zeroed(table->slot_count, sizeof *table->slots);
	for (i = 0; i < table->count; i++)
		table->slots[find_slot(table, name_of(table, &table->entries[i]))] =
			(uint32_t)i + 1;
}

/* By half, not by doubling: a table near its bounds must stay small. */
static void
grow_names(struct bag_table *table, size_t length)
{
	if (table->names_length + length <= table->names_capacity)
		return;
	table->names_capacity = table->names_capacity + table->names_capacity / 2 + length + 4096;
	table->names = memory_resize(table->names, table->names_capacity, 1);
}

static struct entry *
add(struct bag_table *table, const char *name, struct error *error)
{
	size_t length = strlen(name) + 1;
	struct entry *entry;

	if (table->count >= table->max_entries) {
		error_set(error, EXIT_BAD_INPUT, "it has more than %llu files",
			  (unsigned long long)table->max_entries);
		return NULL;
	}
	if (table->names_length + length > BAG_NAMES_BYTES) {
		error_set(error, EXIT_BAD_INPUT, "the names of its files take more than %zu MiB",
			  BAG_NAMES_BYTES >> 20);
		return NULL;
	}
	if (table->count + 1 > table->slot_count / 2)
		grow_slots(table);
	if (table->count == table->capacity) {
		table->capacity += table->capacity / 2 + 256;
		table->entries = memory_resize(table->entries, table->capacity,
					       sizeof *table->entries);
	}
	grow_names(table, length);
	entry = &table->entries[table->count++];
	memset(entry, 0, sizeof *entry);
	entry->name = (uint32_t)table->names_length;
	memcpy(table->names + table->names_length, name, length);
	table->names_length += length;
	table->slots[find_slot(table, name)] = (uint32_t)table->count;
	return entry;
}

static struct entry *
find(const struct bag_table *table, const char *name)
{
	uint32_t at = table->slots[find_slot(table, name)];

	return at != 0 ? &table->entries[at - 1] : NULL;
}

static int
digit(char hex)
{
	return hex <= '9' ? hex - '0' : (hex | 0x20) - 'a' + 10;
}

static void
keep(unsigned char digest[DIGEST_BYTES], const char *hex)
{
	size_t i;

	for (i = 0; i < DIGEST_BYTES; i++)
		digest[i] = (unsigned char)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
}

int
bag_table_add_found(struct bag_table *table, const char *name, const char *sha512,
		    struct error *error)
{
	struct entry *entry = find(table, name);

	if (entry == NULL)
		entry = add(table, name, error);
	if (entry == NULL)
		return -1;
	if (entry->found)
		return error_set(error, EXIT_BAD_INPUT, "a file is in it twice: '%s'", name);
	entry->found = true;
	keep(entry->found_digest, sha512);
	return 0;
}

int
bag_table_add_listed(struct bag_table *table, const char *name, const char *sha512,
		     struct error *error)
{
	struct entry *entry = find(table, name);

	if (entry == NULL)
		entry = add(table, name, error);
	if (entry == NULL)
		return -1;
	if (entry->listed)
		return error_set(error, EXIT_BAD_INPUT, "the manifests list %s twice", name);
	entry->listed = true;
	keep(entry->listed_digest, sha512);
	return 0;
}

bool
bag_table_has_found(const struct bag_table *table, const char *name)
{
	const struct entry *entry = find(table, name);

	return entry != NULL && entry->found;
}

static const char *
difference(const struct entry *entry)
{
	if (!entry->listed)
		return "is not listed in the manifest";
	if (!entry->found)
		return "is listed in the manifest and missing";
	if (memcmp(entry->found_digest, entry->listed_digest, DIGEST_BYTES) != 0)
		return "is not what the manifest says: its SHA-512 differs";
	return NULL;
}

size_t
bag_table_differences(const struct bag_table *table, const char *exempt, struct buffer *out)
{
	size_t i, count = 0;

	for (i = 0; i < table->count; i++) {
		const char *text = difference(&table->entries[i]);
		const char *name = name_of(table, &table->entries[i]);

		if (text == NULL || (strcmp(name, exempt) == 0 && !table->entries[i].listed))
			continue;
		if (count++ < TOLD)
			buffer_printf(out, "%s%s %s", count > 1 ? "\n" : "", name, text);
	}
	if (count > TOLD)
		buffer_printf(out, "\nand %zu more", count - TOLD);
	return count;
}

char *
bag_table_conflict(const struct bag_table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++) {
		char *name = memory_copy_text(name_of(table, &table->entries[i])), *slash;

		while ((slash = strrchr(name, '/')) != NULL) {
			*slash = '\0';
			if (find(table, name) != NULL)
				return name;
		}
		free(name);
	}
	return NULL;
}

/*
 * Bundles as others may send them: damaged, changed, and made to do harm. Each is made with
 * libarchive from a list of entries; none may get past the reader, and nothing may be written.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <archive.h>
#include <archive_entry.h>

#include "base/digest.h"
#include "bundle_study.h"

#define BUNDLE "../b.tar.zst"
#define OUT "../out"

/* ---- making ---- */

/* One entry of an archive; its content is `text`, or `zeros` bytes. */
struct item {
	const char *name, *text;
	mode_t type;
	const char *link;
	uint64_t zeros;
	int in_manifest; /* 0: by its name; -1: not listed */
};

struct making {
	struct archive *archive;
	struct buffer manifest, tags;
};

static void
put_header(struct making *to, const char *name, const struct item *item, uint64_t size)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, item->type != 0 ? item->type : AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, (la_int64_t)size);
	if (item->type == AE_IFLNK)
		archive_entry_set_symlink(entry, item->link);
	else if (item->link != NULL)
		archive_entry_set_hardlink(entry, item->link);
	if (archive_write_header(to->archive, entry) < ARCHIVE_WARN)
		fail_msg("%s", archive_error_string(to->archive));
	archive_entry_free(entry);
}

static void
put_zeros(struct making *to, uint64_t count)
{
	static const char zeros[65536];

	while (count > 0) {
		size_t part = count < sizeof zeros ? (size_t)count : sizeof zeros;

		archive_write_data(to->archive, zeros, part);
		count -= part;
	}
}

static void
list(struct making *to, const char *name, const char *text)
{
	char hex[DIGEST_SHA512_HEX];

	digest_bytes(DIGEST_SHA512, text, strlen(text), hex);
	buffer_printf(strncmp(name, "data/", 5) == 0 ? &to->manifest : &to->tags, "%s  %s\n", hex,
		      name);
}

/* Below the top folder "demo" and listed, unless the item says otherwise. */
static void
put_item(struct making *to, const struct item *item)
{
	bool outside = item->name[0] == '/' || strncmp(item->name, "../", 3) == 0 ||
		       strncmp(item->name, "other/", 6) == 0 || strncmp(item->name, "dem", 3) == 0;
	char *name = outside ? memory_copy_text(item->name) : memory_format("demo/%s", item->name);
	const char *text = item->text != NULL ? item->text : "";
	bool has_data = item->type == 0 && item->link == NULL;

	put_header(to, name, item, item->zeros > 0 ? item->zeros : has_data ? strlen(text) : 0);
	if (item->zeros > 0)
		put_zeros(to, item->zeros);
	else if (has_data)
		archive_write_data(to->archive, text, strlen(text));
	if (has_data && !outside && item->in_manifest == 0)
		list(to, item->name, text);
	free(name);
}

static void
put_text(struct making *to, const char *name, const char *text)
{
	struct item item = {.name = name, .text = text, .in_manifest = -1};

	put_item(to, &item);
}

static void
begin_bag(struct making *to)
{
	*to = (struct making){.archive = archive_write_new()};
	archive_write_set_format_pax_restricted(to->archive);
	archive_write_add_filter_zstd(to->archive);
	assert_int_equal(archive_write_open_filename(to->archive, BUNDLE), ARCHIVE_OK);
}

static void
end_bag(struct making *to)
{
	assert_int_equal(archive_write_close(to->archive), ARCHIVE_OK);
	archive_write_free(to->archive);
	buffer_free(&to->manifest);
	buffer_free(&to->tags);
}

static const struct item good[] = {
	{.name = "bagit.txt", .text = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"},
	{.name = "data/study/a.txt", .text = "hello\n"},
	{.name = "data/study/deep/er/b.txt", .text = ""},
};

/* A whole bag, and what the test adds to it. */
static void
make_bag(const struct item *more, size_t count)
{
	struct making to;
	size_t i;

	begin_bag(&to);
	for (i = 0; i < sizeof good / sizeof *good; i++)
		put_item(&to, &good[i]);
	for (i = 0; i < count; i++)
		put_item(&to, &more[i]);
	put_text(&to, "manifest-sha512.txt", buffer_text(&to.manifest));
	list(&to, "manifest-sha512.txt", buffer_text(&to.manifest));
	put_text(&to, "tagmanifest-sha512.txt", buffer_text(&to.tags));
	end_bag(&to);
}

/* A bag with the manifests given. */
static void
make_bag_with(const char *manifest, const char *tags)
{
	struct making to;
	size_t i;

	begin_bag(&to);
	for (i = 0; i < sizeof good / sizeof *good; i++)
		put_item(&to, &good[i]);
	if (manifest != NULL)
		put_text(&to, "manifest-sha512.txt", manifest);
	if (tags != NULL)
		put_text(&to, "tagmanifest-sha512.txt", tags);
	end_bag(&to);
}

/* ---- judging ---- */

/* Both uses of the reader refuse, for the same reason, and leave nothing behind. */
static void
assert_refused_within(const struct bundle_limits *limits, enum exit_code code, const char *reason)
{
	struct bundle_facts facts;
	struct error error = {0};

	assert_int_equal(bundle_verify(BUNDLE, limits, &facts, &error), -1);
	if (strstr(error.message, reason) == NULL)
		fail_msg("it was refused for another reason: %s", error.message);
	assert_int_equal(error.code, code);
	assert_int_equal(strncmp(error.message, BUNDLE ": ", strlen(BUNDLE) + 2), 0);
	bundle_facts_free(&facts);
	memset(&error, 0, sizeof error);
	assert_int_equal(bundle_unpack(BUNDLE, OUT, limits, &facts, &error), -1);
	assert_int_equal(error.code, code);
	bundle_facts_free(&facts);
	shell("test \"$(ls .. | tr '\\n' ' ')\" = 'b.tar.zst study '");
}

static void
assert_refused(enum exit_code code, const char *reason)
{
	assert_refused_within(NULL, code, reason);
}

static void
assert_item_refused(struct item item, const char *reason)
{
	make_bag(&item, 1);
	assert_refused(EXIT_BAD_INPUT, reason);
}

static void
assert_verified(uint64_t files)
{
	struct bundle_facts facts;
	struct error error = {0};

	if (bundle_verify(BUNDLE, NULL, &facts, &error) != 0)
		fail_msg("%s", error.message);
	assert_string_equal(facts.name, "demo");
	assert_int_equal(facts.files, files);
	bundle_facts_free(&facts);
}

/* ---- what is fine ---- */

static void
test_good_bag(void **state)
{
	struct bundle_facts facts;
	struct error error = {0};
	char *text;

	(void)state;
	make_bag(NULL, 0);
	assert_verified(5);
	if (bundle_unpack(BUNDLE, OUT, NULL, &facts, &error) != 0)
		fail_msg("%s", error.message);
	text = read_all(OUT "/data/study/a.txt");
	assert_string_equal(text, "hello\n");
	assert_true(file_exists(OUT "/data/study/deep/er/b.txt"));
	free(text);
	bundle_facts_free(&facts);
}

/* As `tar` packs an unpacked bundle again: another order, folders as entries, another format. */
static void
test_packed_again_by_tar(void **state)
{
	struct item item = {.name = "data/study/m\xc3\xbcll.txt", .text = "x"};
	struct bundle_facts facts;
	struct error error = {0};
	char name[256] = "data/study/";

	(void)state;
	memset(name + strlen(name), 'l', 200);
	setlocale(LC_ALL, "C.UTF-8");
	make_bag((struct item[]){item, {.name = name, .text = "long"}}, 2);
	setlocale(LC_ALL, "C");
	assert_verified(7);
	assert_int_equal(bundle_unpack(BUNDLE, "../demo", NULL, &facts, &error), 0);
	bundle_facts_free(&facts);
	shell("cd .. && rm b.tar.zst && tar -c --format=gnu demo | zstd -q -o b.tar.zst");
	assert_verified(7);
	shell("cd .. && rm b.tar.zst && tar -c --format=pax demo | zstd -q -o b.tar.zst");
	assert_verified(7);
}

/* The bundles that this tool writes, with their long names, in another locale and zone. */
static void
test_own_bundle(void **state)
{
	struct bundle_request request = {.output = BUNDLE};
	struct bundle_facts facts;
	struct error error = {0};

	(void)state;
	put("kernels/\xe6\xbc\xa2\xe5\xad\x97.c", "int u;\n");
	assert_int_equal(bundle_write(&request, &error), 0);
	if (bundle_verify(BUNDLE, NULL, &facts, &error) != 0)
		fail_msg("%s", error.message);
	assert_true(facts.files > 20);
	bundle_facts_free(&facts);
}

static void
test_unpack_needs_a_new_folder(void **state)
{
	struct bundle_facts facts;
	struct error error = {0};

	(void)state;
	make_bag(NULL, 0);
	put(OUT "/mine", "keep\n");
	assert_int_equal(bundle_unpack(BUNDLE, OUT, NULL, &facts, &error), -1);
	assert_non_null(strstr(error.message, "it must be new or empty"));
	assert_true(file_exists(OUT "/mine"));
	assert_false(file_exists(OUT "/data"));
	unlink(OUT "/mine");
	assert_int_equal(bundle_unpack(BUNDLE, OUT, NULL, &facts, &error), 0);
	bundle_facts_free(&facts);
}

/* ---- not what the manifest says: exit code 3 ---- */

static void
test_changed_byte_names_the_file(void **state)
{
	struct bundle_request request = {.output = BUNDLE};
	struct bundle_facts facts;
	struct error error = {0};

	(void)state;
	assert_int_equal(bundle_write(&request, &error), 0);
	assert_int_equal(bundle_unpack(BUNDLE, "../demo", NULL, &facts, &error), 0);
	bundle_facts_free(&facts);
	put("../demo/data/study/kernels/k.c", "#include \"k.h\"\nint K;\n");
	shell("cd .. && rm b.tar.zst && tar -c demo | zstd -q -o b.tar.zst && rm -r demo");
	assert_refused(EXIT_NOT_HELD, "data/study/kernels/k.c is not what the manifest says");
}

static void
test_missing_and_extra_files(void **state)
{
	struct item extra = {.name = "data/extra.txt", .text = "x", .in_manifest = -1};
	struct item tag = {.name = "extra.txt", .text = "x", .in_manifest = -1};
	char hex[DIGEST_SHA512_HEX], *lines;
	struct making to;

	(void)state;
	make_bag(&extra, 1);
	assert_refused(EXIT_NOT_HELD, "data/extra.txt is not listed in the manifest");
	make_bag(&tag, 1);
	assert_refused(EXIT_NOT_HELD, "extra.txt is not listed in the manifest");
	digest_bytes(DIGEST_SHA512, "", 0, hex);
	lines = memory_format("%s  data/gone.txt\n", hex);
	begin_bag(&to);
	put_item(&to, &good[0]);
	put_text(&to, "manifest-sha512.txt", lines);
	list(&to, "manifest-sha512.txt", lines);
	put_text(&to, "tagmanifest-sha512.txt", buffer_text(&to.tags));
	end_bag(&to);
	assert_refused(EXIT_NOT_HELD, "data/gone.txt is listed in the manifest and missing");
	free(lines);
}

/* Someone who changes a file and its line in the manifest still has the manifest's own digest. */
static void
test_changed_manifest(void **state)
{
	char hex[DIGEST_SHA512_HEX], *lines, *tags;

	(void)state;
	digest_bytes(DIGEST_SHA512, "hello\n", 6, hex);
	lines = memory_format("%s  data/study/a.txt\n", hex);
	digest_bytes(DIGEST_SHA512, "other", 5, hex);
	tags = memory_format("%s  manifest-sha512.txt\n", hex);
	make_bag_with(lines, tags);
	assert_refused(EXIT_NOT_HELD, "manifest-sha512.txt is not what the manifest says");
	free(tags);
	free(lines);
}

/* ---- no bundle: exit code 4 ---- */

static void
test_missing_manifest(void **state)
{
	(void)state;
	make_bag_with(NULL, NULL);
	assert_refused(EXIT_BAD_INPUT, "manifest-sha512.txt is missing");
	make_bag_with("", NULL);
	assert_refused(EXIT_BAD_INPUT, "tagmanifest-sha512.txt is missing");
}

static void
test_bad_manifest(void **state)
{
	char hex[DIGEST_SHA512_HEX], *lines;

	(void)state;
	make_bag_with("no digest  data/study/a.txt\n", "");
	assert_refused(EXIT_BAD_INPUT, "a line that is none of a manifest");
	digest_bytes(DIGEST_SHA512, "hello\n", 6, hex);
	lines = memory_format("%s  data/study/a.txt", hex);
	make_bag_with(lines, "");
	assert_refused(EXIT_BAD_INPUT, "the last line is not whole");
	free(lines);
	lines = memory_format("%s  data/../../a.txt\n", hex);
	make_bag_with(lines, "");
	assert_refused(EXIT_BAD_INPUT, "a name that has no place there");
	free(lines);
	lines = memory_format("%s  data/study/a.txt\n%s  data/study/a.txt\n", hex, hex);
	make_bag_with(lines, "");
	assert_refused(EXIT_BAD_INPUT, "the manifests list data/study/a.txt twice");
	free(lines);
}

static void
test_no_archive(void **state)
{
	struct bundle_facts facts;
	struct error error = {0};

	(void)state;
	put(BUNDLE, "hello, I am no archive\n");
	assert_refused(EXIT_BAD_INPUT, "damaged, cut off or no .tar.zst");
	put(BUNDLE, "");
	assert_refused(EXIT_BAD_INPUT, "damaged, cut off or no .tar.zst");
	assert_int_equal(bundle_verify("/dev/zero", NULL, &facts, &error), -1);
	assert_non_null(strstr(error.message, "/dev/zero: it is no file"));
	bundle_facts_free(&facts);
	assert_int_equal(bundle_verify("../none", NULL, &facts, &error), -1);
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	bundle_facts_free(&facts);
}

/* Even where all files are there and only what fills the archive up is cut off. */
static void
test_truncated_filling(void **state)
{
	struct bundle_facts facts;
	struct error error = {0};

	(void)state;
	make_bag(NULL, 0);
	assert_int_equal(bundle_unpack(BUNDLE, "../demo", NULL, &facts, &error), 0);
	bundle_facts_free(&facts);
	shell("cd .. && rm b.tar.zst && tar -c -b 2000 demo | zstd -q -o b.tar.zst && rm -r demo");
	assert_verified(5);
	shell("truncate -s -3 " BUNDLE);
	assert_refused(EXIT_BAD_INPUT, "damaged, cut off");
}

/* At every byte: nothing that is cut off passes. */
static void
test_truncated(void **state)
{
	struct buffer whole = BUFFER_EMPTY;
	struct bundle_facts facts;
	size_t length;

	(void)state;
	make_bag(NULL, 0);
	assert_int_equal(file_read(BUNDLE, 0, &whole, NULL), 0);
	for (length = 0; length < whole.length; length++) {
		struct error error = {0};

		assert_int_equal(file_write(BUNDLE, whole.bytes, length, 0, NULL), 0);
		if (bundle_verify(BUNDLE, NULL, &facts, &error) == 0)
			fail_msg("%zu of %zu bytes passed", length, whole.length);
		assert_int_equal(error.code, EXIT_BAD_INPUT);
		bundle_facts_free(&facts);
	}
	buffer_free(&whole);
}

static void
assert_unpacked_is_good(void)
{
	struct bundle_facts facts;
	struct error error = {0};
	char *text;

	if (bundle_unpack(BUNDLE, OUT, NULL, &facts, &error) != 0)
		fail_msg("verified but not unpacked: %s", error.message);
	text = read_all(OUT "/data/study/a.txt");
	assert_string_equal(text, "hello\n");
	free(text);
	bundle_facts_free(&facts);
	file_remove_tree(OUT, NULL);
}

/* Any bit of a packed file: refused, or harmless. It never passes with another content. */
static void
test_flipped_bits(void **state)
{
	struct buffer whole = BUFFER_EMPTY;
	struct bundle_facts facts;
	size_t at;

	(void)state;
	make_bag(NULL, 0);
	assert_int_equal(file_read(BUNDLE, 0, &whole, NULL), 0);
	for (at = 0; at < whole.length; at++) {
		struct error error = {0};

		whole.bytes[at] ^= 1 << at % 8;
		assert_int_equal(file_write(BUNDLE, whole.bytes, whole.length, 0, NULL), 0);
		whole.bytes[at] ^= 1 << at % 8;
		if (bundle_verify(BUNDLE, NULL, &facts, &error) == 0)
			assert_unpacked_is_good();
		bundle_facts_free(&facts);
	}
	buffer_free(&whole);
}

/* A second archive behind the end mark of the first, and bytes that are none. */
static void
test_hidden_behind_the_end(void **state)
{
	struct item item = {.name = "data/extra.txt", .text = "x", .in_manifest = -1};

	(void)state;
	make_bag(&item, 1);
	shell("zstd -qd ../b.tar.zst -o ../extra.tar");
	make_bag(NULL, 0);
	shell("cd .. && zstd -qd b.tar.zst -o one.tar && cat one.tar extra.tar | zstd -qf -o "
	      "b.tar.zst && rm *.tar");
	assert_refused(EXIT_BAD_INPUT, "a file is in it twice: 'bagit.txt'");
	make_bag(NULL, 0);
	shell("echo garbage >>../b.tar.zst");
	assert_refused(EXIT_BAD_INPUT, "damaged");
}

static void
test_names_that_lead_elsewhere(void **state)
{
	static const char reason[] = "a name that is absolute, leads elsewhere or is no plain UTF-8";

	(void)state;
	assert_item_refused((struct item){.name = "../evil", .text = "x"}, reason);
	assert_item_refused((struct item){.name = "demo/../../evil", .text = "x"}, reason);
	assert_item_refused((struct item){.name = "data/../../../evil", .text = "x"}, reason);
	assert_item_refused((struct item){.name = "/tmp/assay-evil", .text = "x"}, reason);
	assert_item_refused((struct item){.name = "data/./a", .text = "x"}, reason);
	assert_item_refused((struct item){.name = "data//a", .text = "x"}, reason);
	assert_item_refused((struct item){.name = "data/new\nline", .text = "x"}, reason);
	assert_item_refused((struct item){.name = "data/bad\xff", .text = "x"}, reason);
	assert_false(file_exists("/tmp/assay-evil"));
}

static void
test_outside_of_the_top_folder(void **state)
{
	static const char reason[] = "a file lies outside of its one top folder";

	(void)state;
	assert_item_refused((struct item){.name = "other/a", .text = "x"}, reason);
	assert_item_refused((struct item){.name = "dem/a", .text = "x"}, reason);
	assert_item_refused((struct item){.name = "demolition", .text = "x"}, reason);
	assert_item_refused((struct item){.name = "demo", .text = "x"}, reason);
}

static void
test_links_and_devices(void **state)
{
	static const char special[] = "something that is no regular file";

	(void)state;
	assert_item_refused((struct item){.name = "data/l", .type = AE_IFLNK, .link = "/etc"},
			    "a link is in it");
	assert_item_refused((struct item){.name = "data/l", .type = AE_IFLNK, .link = "study"},
			    "a link is in it");
	assert_item_refused((struct item){.name = "data/h", .link = "demo/bagit.txt"},
			    "a link is in it");
	assert_item_refused((struct item){.name = "data/c", .type = AE_IFCHR}, special);
	assert_item_refused((struct item){.name = "data/b", .type = AE_IFBLK}, special);
	assert_item_refused((struct item){.name = "data/p", .type = AE_IFIFO}, special);
}

static void
test_duplicates(void **state)
{
	struct item twice = {.name = "data/study/a.txt", .text = "evil\n", .in_manifest = -1};
	struct item below = {.name = "data/study/a.txt/b", .text = "x"};
	struct item above = {.name = "data/study/deep", .text = "x"};

	(void)state;
	make_bag(&twice, 1);
	assert_refused(EXIT_BAD_INPUT, "a file is in it twice: 'data/study/a.txt'");
	make_bag(&below, 1);
	assert_refused(EXIT_BAD_INPUT, "a name is both a file and a folder: 'data/study/a.txt'");
	make_bag(&above, 1);
	assert_refused(EXIT_BAD_INPUT, "a name is both a file and a folder: 'data/study/deep'");
}

/* ---- too much ---- */

static void
test_too_many_entries(void **state)
{
	const struct bundle_limits limits = {.entries = 100};
	char names[101][32];
	struct item items[101];
	size_t i;

	(void)state;
	memset(items, 0, sizeof items);
	for (i = 0; i < 101; i++) {
		snprintf(names[i], sizeof names[i], "data/%zu", i);
		items[i].name = names[i];
	}
	make_bag(items, 95);
	assert_verified(100);
	make_bag(items, 101);
	assert_refused_within(&limits, EXIT_BAD_INPUT, "more than 100 entries");
}

/* A manifest can name more files than there are. */
static void
test_too_many_lines(void **state)
{
	const struct bundle_limits limits = {.entries = 100};
	struct buffer lines = BUFFER_EMPTY;
	char hex[DIGEST_SHA512_HEX];
	size_t i;

	(void)state;
	digest_bytes(DIGEST_SHA512, "", 0, hex);
	for (i = 0; i < 200; i++)
		buffer_printf(&lines, "%s  data/%zu\n", hex, i);
	make_bag_with(buffer_text(&lines), "");
	assert_refused_within(&limits, EXIT_BAD_INPUT, "more than 100 files");
	buffer_free(&lines);
}

static void
test_declared_size(void **state)
{
	const struct bundle_limits limits = {.bytes = 10000}, enough = {.bytes = 20000};
	struct item items[] = {{.name = "data/a", .zeros = 6000, .in_manifest = -1},
			       {.name = "data/b", .zeros = 6000, .in_manifest = -1}};

	(void)state;
	make_bag(items, 2);
	assert_refused_within(&limits, EXIT_BAD_INPUT, "more than 10000 bytes, at demo/data/b");
	assert_refused_within(&enough, EXIT_NOT_HELD, "data/a is not listed");
}

/* 10 GiB of zeros in a small file: refused at its header, in little memory. */
static void
test_zero_bomb(void **state)
{
	struct making to;
	struct item bomb = {.name = "data/bomb", .zeros = (uint64_t)10 << 30, .in_manifest = -1};

	(void)state;
	begin_bag(&to);
	put_item(&to, &good[0]);
	put_header(&to, "demo/data/bomb", &bomb, bomb.zeros);
	put_zeros(&to, 1 << 20); /* the rest is never asked for */
	archive_write_close(to.archive);
	end_bag(&to);
	assert_refused(EXIT_BAD_INPUT, "at demo/data/bomb");
}

/* Zeros behind the end of the archive, which are no entry: they too must end. */
static void
test_endless_filling(void **state)
{
	const struct bundle_limits limits = {.bytes = 10000};

	(void)state;
	make_bag(NULL, 0);
	shell("cd .. && zstd -qd b.tar.zst -o b.tar && truncate -s +64M b.tar && zstd -qf --rm b.tar");
	assert_refused_within(&limits, EXIT_BAD_INPUT, "it goes on after");
}

/* The same as a hole, which takes no space in the archive at all. */
static void
test_holes(void **state)
{
	(void)state;
	make_bag(NULL, 0);
	shell("cd .. && zstd -qd --rm b.tar.zst && tar -xf b.tar && truncate -s 10G "
	      "demo/data/hole && echo end >>demo/data/hole && tar -cSf b.tar demo && "
	      "zstd -q --rm b.tar && rm -r demo");
	assert_refused(EXIT_BAD_INPUT, "a file with holes is in it: 'demo/data/hole'");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_study, tear_down_study)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_good_bag),
		TEST(test_packed_again_by_tar),
		TEST(test_own_bundle),
		TEST(test_unpack_needs_a_new_folder),
		TEST(test_changed_byte_names_the_file),
		TEST(test_missing_and_extra_files),
		TEST(test_changed_manifest),
		TEST(test_missing_manifest),
		TEST(test_bad_manifest),
		TEST(test_no_archive),
		TEST(test_truncated),
		TEST(test_truncated_filling),
		TEST(test_flipped_bits),
		TEST(test_hidden_behind_the_end),
		TEST(test_names_that_lead_elsewhere),
		TEST(test_outside_of_the_top_folder),
		TEST(test_links_and_devices),
		TEST(test_duplicates),
		TEST(test_too_many_entries),
		TEST(test_too_many_lines),
		TEST(test_declared_size),
		TEST(test_zero_bomb),
		TEST(test_endless_filling),
		TEST(test_holes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

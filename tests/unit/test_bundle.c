/*
 * Bundles of a study made by hand: what is in them, what stays out, and that equal contents give
 * equal bytes.
 */
#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include <archive.h>
#include <archive_entry.h>

#include "base/digest.h"
#include "base/json.h"
#include "bundle_packed.h"
#include "provenance/secrets.h"

static char *
pack_and_read(const char *name)
{
	char *path = memory_format(ROOT "/%s", name), *text;

	free(pack());
	text = read_all(path);
	free(path);
	return text;
}

static void
digest_of_bundle(char hex[DIGEST_SHA256_HEX])
{
	struct bundle_request request = {.output = OUT};
	struct error error = {0};

	if (bundle_write(&request, &error) != 0)
		fail_msg("%s", error.message);
	assert_int_equal(digest_file(DIGEST_SHA256, OUT, hex, &error), 0);
	unlink(OUT);
}

/* ---- what is in it ---- */

static void
test_holds_what_a_stranger_needs(void **state)
{
	(void)state;
	free(pack());
	shell("cd " ROOT " && sha512sum --quiet -c manifest-sha512.txt tagmanifest-sha512.txt");
	shell("cd " STUDY " && test -x run.sh && test ! -x kernels/k.c && test -e build/plan/C1.json "
	      "&& test -e build/identity/C1 && test -e build/samples/C1.csv");
	shell("cd " STUDY " && test -e build/stats/C1.json && test -e build/stats.json && "
	      "test -e build/report/report.html && test -e build/report/figures/e-runs.svg");
	shell("diff -r -x running -x '*.tmp.*' results/C1/" HEX " " STUDY "results/C1/" HEX);
	shell("diff -r kernels " STUDY "kernels && diff -r experiments " STUDY "experiments");
	assert_true(file_exists(ROOT "/README.md"));
	assert_true(file_exists(ROOT "/bagit.txt"));
}

static void
test_leaves_out_what_does_not_belong(void **state)
{
	(void)state;
	free(pack());
	assert_false(file_exists(STUDY "results/C1/" OLD_HEX));
	assert_false(file_exists(STUDY "results/C1/" HEX "/running"));
	assert_false(file_exists(STUDY STUDY_SESSION "/0002-aa-0.log.tmp.x1y2z3"));
	assert_false(file_exists(STUDY "build/stats/gone.json"));
	assert_false(file_exists(STUDY "build/report/gate"));
	assert_false(file_exists(STUDY "build/report/figures/old-runs.svg"));
	assert_false(file_exists(STUDY "build.ninja"));
	assert_false(file_exists(ROOT "/data/tool"));
}

static void
test_private_paths_stay_out(void **state)
{
	char *left_out;

	(void)state;
	put(STUDY_SESSION "/untracked/hidden/h.h", "int secret;\n");
	put(STUDY_SESSION "/diff.patch", "diff --git a/hidden/x b/hidden/x\n");
	put("results/C1/" HEX "/sessions/002/diff.patch", "diff --git a/k.c b/k.c\n");
	shell("ln -s hidden/secret.txt alias");
	left_out = pack_and_read("data/left-out.txt");
	assert_false(file_exists(STUDY "hidden"));
	assert_false(file_exists(STUDY "alias"));
	assert_false(file_exists(STUDY STUDY_SESSION "/untracked"));
	assert_false(file_exists(STUDY STUDY_SESSION "/diff.patch"));
	assert_true(file_exists(STUDY "results/C1/" HEX "/sessions/002/diff.patch"));
	assert_non_null(strstr(left_out, "study/hidden: private, says the study\n"));
	assert_non_null(strstr(left_out, "diff.patch: it shows what is private"));
	free(left_out);
}

/* What the sources were when they were measured, whatever has become of them since. */
static void
test_ships_what_was_measured(void **state)
{
	char *kept;

	(void)state;
	put(STUDY_SESSION "/diff.patch", "diff --git a/kernels/k.c b/kernels/k.c\n");
	put(STUDY_SESSION "/untracked/kernels/k.h", "int as_measured;\n");
	put("kernels/k.h", "int changed_since;\n");
	free(pack());
	kept = read_all(STUDY STUDY_SESSION "/untracked/kernels/k.h");
	assert_string_equal(kept, "int as_measured;\n");
	assert_true(file_exists(STUDY STUDY_SESSION "/diff.patch"));
	shell("diff kernels/k.h " STUDY "kernels/k.h");
	free(kept);
}

static void
test_repository(void **state)
{
	char *told;

	(void)state;
	put(".gitignore", "/build/\n/results/\n*.o\nbuild.ninja\n");
	shell("git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -q -m one");
	put("kernels/k.h", "int untracked_but_included;\n");
	put("notes.txt", "mine\n");
	put("kernels/k.o", "ignored\n");
	put("experiments/e.md", "# e, as it is now\n");
	shell("rm run.sh");
	told = pack();
	shell("diff experiments/e.md " STUDY "experiments/e.md");
	assert_true(file_exists(STUDY ".gitignore"));
	assert_true(file_exists(STUDY "kernels/k.h"));
	assert_false(file_exists(STUDY "notes.txt"));
	assert_false(file_exists(STUDY "kernels/k.o"));
	assert_false(file_exists(STUDY "run.sh"));
	assert_false(file_exists(STUDY "hidden"));
	assert_false(file_exists(STUDY ".git"));
	assert_non_null(strstr(told, "notes.txt: left out: git does not track it"));
	free(told);
}

/* Its files are here; of one that is not checked out it is said that nothing is. */
static void
test_repository_with_a_submodule(void **state)
{
	char *left_out;

	(void)state;
	shell("git init -q ../library && cd ../library && echo a >'\xc3\xbc' && git add . && "
	      "git -c user.name=a -c user.email=a@b commit -q -m one");
	put(".gitignore", "/build/\n/results/\nbuild.ninja\n");
	shell("git init -q . && git -c protocol.file.allow=always submodule --quiet add ../library lib && "
	      "git add -A && git -c user.name=a -c user.email=a@b commit -q -m one");
	free(pack());
	assert_true(file_exists(STUDY "lib/\xc3\xbc"));
	assert_true(file_exists(STUDY ".gitmodules"));
	assert_false(file_exists(STUDY "lib/.git"));
	shell("git submodule --quiet deinit lib");
	left_out = pack_and_read("data/left-out.txt");
	assert_non_null(strstr(left_out, "study/lib: a folder that git does not look into"));
	free(left_out);
}

/* Ignored files and notes would get in without anybody's wish. */
static void
test_repository_that_git_cannot_read(void **state)
{
	struct bundle_request request = {.output = OUT};
	char *path = memory_copy_text(getenv("PATH"));
	struct error error = {0};
	int result;

	(void)state;
	shell("git init -q .");
	setenv("PATH", "/nonexistent", 1);
	result = bundle_write(&request, &error);
	setenv("PATH", path, 1);
	assert_int_equal(result, -1);
	assert_non_null(strstr(error.message, "git is not installed"));
	assert_false(file_exists(OUT));
	free(path);
}

static void
test_hidden_files_without_a_repository(void **state)
{
	char *left_out;

	(void)state;
	put(".env", "PASSWORD=x\n");
	put(".gitignore", "build\n");
	left_out = pack_and_read("data/left-out.txt");
	assert_false(file_exists(STUDY ".env"));
	assert_true(file_exists(STUDY ".gitignore"));
	assert_non_null(strstr(left_out, "study/.env: hidden"));
	free(left_out);
}

static void
test_links(void **state)
{
	char *left_out, *text;

	(void)state;
	put("../outside", "not the study's\n");
	shell("ln -s kernels/k.c inside.c && ln -s ../outside out && ln -s /etc/passwd absolute");
	shell("ln -s kernels folder && ln -s nowhere dangling");
	left_out = pack_and_read("data/left-out.txt");
	text = read_all(STUDY "inside.c");
	assert_string_equal(text, "#include \"k.h\"\nint k;\n");
	shell("cd " STUDY " && test ! -e out && test ! -e absolute && test ! -e folder && "
	      "test ! -e dangling");
	assert_non_null(strstr(left_out, "study/out: a link to no file of the study\n"));
	assert_non_null(strstr(left_out, "study/inside.c: a link; what it leads to is here"));
	shell("test -z \"$(find " ROOT " -type l)\"");
	free(left_out);
	free(text);
}

static void
test_names_no_manifest_can_hold(void **state)
{
	char *left_out;

	(void)state;
	put("two\nlines", "a");
	put("bad\xff", "b");
	put("100%0A.txt", "c");
	put("100%.txt", "fine");
	put("back\\slash and space", "fine");
	left_out = pack_and_read("data/left-out.txt");
	shell("cd " ROOT " && sha512sum --quiet -c manifest-sha512.txt");
	assert_true(file_exists(STUDY "100%.txt"));
	assert_true(file_exists(STUDY "back\\slash and space"));
	assert_non_null(strstr(left_out, "study/two%0Alines: a name that no manifest can hold"));
	assert_non_null(strstr(left_out, "study/bad%FF: "));
	assert_non_null(strstr(left_out, "study/100%250A.txt: "));
	free(left_out);
}

static void
test_tool_sources_of_another_study(void **state)
{
	(void)state;
	shell("mkdir -p ../home/kernels/harness ../home/src ../home/build ../home/.git");
	shell("touch ../home/kernels/harness/h.c ../home/src/main.c ../home/bootstrap ../home/build/x");
	setenv("ASSAY_HOME", "../home", 1);
	free(pack());
	assert_true(file_exists(ROOT "/data/tool/kernels/harness/h.c"));
	assert_true(file_exists(ROOT "/data/tool/src/main.c"));
	assert_true(file_exists(ROOT "/data/tool/bootstrap"));
	assert_false(file_exists(ROOT "/data/tool/build"));
	assert_false(file_exists(ROOT "/data/tool/.git"));
}

static void
test_readme(void **state)
{
	char *readme = pack_and_read("README.md");

	(void)state;
	assert_non_null(strstr(readme, "# A demonstration\n"));
	assert_non_null(strstr(readme, "sha512sum -c"));
	assert_non_null(strstr(readme, "| C1 | b is faster \\| than a | e | e-runs.svg | supported |"));
	assert_non_null(strstr(readme, "2 sessions of measuring took 100 seconds"));
	assert_non_null(strstr(readme, "Planted 9000, kernel 6.6.6, commit c0ffee with changes"));
	free(readme);
}

static void
test_tells_reviewers_what_to_run(void **state)
{
	char *readme = pack_and_read("README.md");
	const char *first = strstr(readme, "\n    ");

	(void)state;
	assert_non_null(first);
	assert_int_equal(strncmp(first, "\n    sh review.sh\n", 18), 0);
	assert_non_null(strstr(readme, "assay reanalyse ."));
	assert_non_null(strstr(readme, "assay reproduce --smoke ."));
	shell("sh -n " ROOT "/review.sh");
	free(readme);
}

/* ---- a folder that it was unpacked to ---- */

static void
refused_folder(enum exit_code code, const char *word)
{
	struct bundle_facts facts;
	struct error error = {0};

	assert_int_equal(bundle_verify(ROOT, NULL, &facts, &error), -1);
	bundle_facts_free(&facts);
	assert_int_equal(error.code, code);
	if (strstr(error.message, word) == NULL)
		fail_msg("no '%s' in: %s", word, error.message);
}

static void
test_takes_from_a_folder_what_is_listed(void **state)
{
	struct bundle_facts facts;
	struct error error = {0};

	(void)state;
	free(pack());
	put(ROOT "/assay/build/bin/assay", "a tool that was built there\n");
	if (bundle_unpack(ROOT, "../again", NULL, &facts, &error) != 0)
		fail_msg("%s", error.message);
	bundle_facts_free(&facts);
	assert_false(file_exists("../again/assay"));
	file_remove_tree(ROOT "/assay", NULL);
	shell("diff -r " ROOT " ../again && test -x ../again/data/study/run.sh");
}

static void
test_a_changed_folder_is_refused(void **state)
{
	(void)state;
	free(pack());
	put(STUDY "kernels/k.c", "int other;\n");
	refused_folder(EXIT_NOT_HELD, "data/study/kernels/k.c: not what the manifest says");
	shell("rm " STUDY "kernels/k.c");
	refused_folder(EXIT_NOT_HELD, "data/study/kernels/k.c: missing");
	shell("ln -s /etc/passwd " STUDY "kernels/k.c");
	refused_folder(EXIT_BAD_INPUT, "a link is in it: 'data/study/kernels/k.c'");
	free(pack());
	shell("sed -i 's|data/study/run.sh|data/study/../run|' " ROOT "/manifest-sha512.txt && cd " ROOT
	      " && sed -i '/ manifest-sha512.txt/d' tagmanifest-sha512.txt && sha512sum manifest-sha512.txt "
	      ">>tagmanifest-sha512.txt");
	refused_folder(EXIT_BAD_INPUT, "manifest-sha512.txt");
	shell("rm " ROOT "/tagmanifest-sha512.txt");
	refused_folder(EXIT_BAD_INPUT, "no bundle of Assay's");
}

/* ---- secrets ---- */

static void
test_warns_of_keys(void **state)
{
	char *told, *warnings;

	(void)state;
	put("kernels/key.c", "const char *key = \"-----BEGIN " "RSA PRIVATE KEY-----\";\n");
	put("cloud.txt", "id = AKIA" "ABCDEFGHIJKLMNOP\n");
	put("server.pem", "x\n");
	told = pack();
	warnings = read_all(ROOT "/data/warnings.txt");
	assert_non_null(strstr(warnings, "study/kernels/key.c: holds what looks like a private key\n"));
	assert_non_null(strstr(warnings, "study/cloud.txt: holds what looks like an AWS access key\n"));
	assert_non_null(strstr(warnings, "study/server.pem: its name is that of"));
	assert_null(strstr(warnings, "kernels/k.c"));
	assert_non_null(strstr(told, "study/cloud.txt: holds what looks like"));
	free(told);
	free(warnings);
}

/* Where this machine's folder is told, the user hears of it; the bundle's bytes do not change. */
static void
test_warns_of_the_home_folder(void **state)
{
	char *text = memory_format("path = %s/x\n", test_folder), *told, *warnings;

	(void)state;
	put("kernels/path.txt", text);
	told = pack();
	warnings = read_all(ROOT "/data/warnings.txt");
	assert_non_null(strstr(told, "kernels/path.txt: holds the path of your home folder"));
	assert_string_equal(warnings, "Nothing looks like a key or a password.\n");
	free(warnings);
	free(told);
	free(text);
}

static void
test_secret_across_windows(void **state)
{
	size_t length = ((size_t)1 << 20) + 100;
	char *bytes = memory_alloc(length + 1), *warnings;

	(void)state;
	memset(bytes, ' ', length);
	bytes[length] = '\0';
	memcpy(bytes + (1 << 20) - 10, "AKIA" "ABCDEFGHIJKLMNOP", 20);
	put("large.txt", bytes);
	warnings = pack_and_read("data/warnings.txt");
	assert_non_null(strstr(warnings, "large.txt: holds what looks like an AWS access key"));
	free(warnings);
	free(bytes);
}

static void
test_what_is_no_secret(void **state)
{
	static const char text[] = "AKIA and ghp_ alone, MAKIAABCDEFGHIJKLMNOP, -----BEGIN "
				   "CERTIFICATE-----";

	(void)state;
	assert_int_equal(secrets_find(text, strlen(text)), 0);
	assert_null(secrets_in_name("src/key.c"));
	assert_non_null(secrets_in_name("a/b/.env"));
}

/* ---- equal bytes ---- */

static char *
long_name(char byte)
{
	char *name = memory_alloc(201);

	memset(name, byte, 200);
	name[200] = '\0';
	return name;
}

/* The same study again: another folder, other times, another order on disk. */
static void
copy_study(void)
{
	shell("mkdir ../elsewhere && cp -r . ../elsewhere/copied && cd ../elsewhere/copied && "
	      "find . -exec touch -d 2001-01-01 {} + && mkdir x && mv kernels x/ && mv x/kernels . "
	      "&& rmdir x");
}

static void
test_equal_contents_give_equal_bytes(void **state)
{
	char one[DIGEST_SHA256_HEX], other[DIGEST_SHA256_HEX], *name = long_name('n');
	char *home = memory_format("%s/elsewhere/copied", test_folder);
	mode_t mask;

	(void)state;
	put("kernels/m\xc3\xbcll \xe2\x88\x91.c", "int u;\n");
	put(name, "long\n");
	copy_study();
	digest_of_bundle(one);
	setenv("TZ", "Asia/Kathmandu", 1);
	setlocale(LC_ALL, "C.UTF-8");
	mask = umask(077);
	assert_int_equal(chdir("../elsewhere/copied"), 0);
	setenv("ASSAY_HOME", home, 1);
	shell("chmod -R go-rwx .");
	digest_of_bundle(other);
	umask(mask);
	setlocale(LC_ALL, "C");
	unsetenv("TZ");
	assert_string_equal(one, other);
	put("kernels/k.c", "int k2;\n");
	digest_of_bundle(other);
	assert_string_not_equal(one, other);
	free(home);
	free(name);
}

static void
test_unchanged_bundle_is_left_alone(void **state)
{
	struct stat before, after;
	char *told;

	(void)state;
	free(pack());
	assert_int_equal(stat(OUT, &before), 0);
	told = pack();
	assert_int_equal(stat(OUT, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_non_null(strstr(told, "unchanged"));
	free(told);
	put("kernels/k.c", "int k2;\n");
	free(pack());
	assert_int_equal(stat(OUT, &after), 0);
	assert_int_not_equal(before.st_ino, after.st_ino);
	shell("test -z \"$(ls .. | grep tmp)\"");
}

/* A bundle that lies in the study it was made of does not become a part of the next one. */
static void
test_output_among_the_sources(void **state)
{
	struct bundle_request request = {.output = "demo.tar.zst"};
	char one[DIGEST_SHA256_HEX], other[DIGEST_SHA256_HEX];
	struct error error = {0};

	(void)state;
	assert_int_equal(bundle_write(&request, &error), 0);
	digest_file(DIGEST_SHA256, "demo.tar.zst", one, NULL);
	put("hidden/secret.txt", "changed, and still not in it\n");
	assert_int_equal(bundle_write(&request, &error), 0);
	digest_file(DIGEST_SHA256, "demo.tar.zst", other, NULL);
	assert_string_equal(one, other);
}

/* Owner, time, order and names of all entries. */
static void
check_entries(time_t expected)
{
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	char *last = memory_copy_text("");
	size_t count = 0;

	archive_read_support_filter_zstd(archive);
	archive_read_support_format_tar(archive);
	assert_int_equal(archive_read_open_filename(archive, OUT, 65536), ARCHIVE_OK);
	while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
		mode_t mode = archive_entry_perm(entry);

		assert_true(strcmp(last, archive_entry_pathname(entry)) < 0);
		assert_int_equal(strncmp(archive_entry_pathname(entry), "demo/", 5), 0);
		assert_int_equal(archive_entry_mtime(entry), expected);
		assert_int_equal(archive_entry_uid(entry), 0);
		assert_int_equal(archive_entry_gid(entry), 0);
		assert_string_equal(archive_entry_uname(entry) ? archive_entry_uname(entry) : "", "");
		assert_true(mode == 0644 || mode == 0755);
		free(last);
		last = memory_copy_text(archive_entry_pathname(entry));
		count++;
	}
	assert_true(count > 20);
	free(last);
	archive_read_free(archive);
}

static void
test_times(void **state)
{
	struct bundle_request request = {.output = OUT};
	struct error error = {0};
	char *info;

	(void)state;
	info = pack_and_read("bag-info.txt");
	assert_non_null(strstr(info, "Bagging-Date: 2026-12-02\n")); /* its newest session's */
	check_entries(1796199300);
	free(info);
	setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
	free(pack());
	check_entries(1000000000);
	setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
	assert_int_equal(bundle_write(&request, &error), -1);
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	assert_non_null(strstr(error.message, "SOURCE_DATE_EPOCH is 'yesterday'"));
	unsetenv("SOURCE_DATE_EPOCH");
}

static void
test_nothing_to_pack(void **state)
{
	struct bundle_request request = {.output = OUT};
	struct error error = {0};

	(void)state;
	unlink("build/stats.json");
	assert_int_equal(bundle_write(&request, &error), -1);
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	assert_non_null(strstr(error.message, "ninja report"));
	assert_false(file_exists(OUT));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_holds_what_a_stranger_needs),
		TEST(test_leaves_out_what_does_not_belong),
		TEST(test_private_paths_stay_out),
		TEST(test_ships_what_was_measured),
		TEST(test_repository),
		TEST(test_repository_with_a_submodule),
		TEST(test_repository_that_git_cannot_read),
		TEST(test_hidden_files_without_a_repository),
		TEST(test_links),
		TEST(test_names_no_manifest_can_hold),
		TEST(test_tool_sources_of_another_study),
		TEST(test_readme),
		TEST(test_tells_reviewers_what_to_run),
		TEST(test_takes_from_a_folder_what_is_listed),
		TEST(test_a_changed_folder_is_refused),
		TEST(test_warns_of_keys),
		TEST(test_warns_of_the_home_folder),
		TEST(test_secret_across_windows),
		TEST(test_what_is_no_secret),
		TEST(test_equal_contents_give_equal_bytes),
		TEST(test_unchanged_bundle_is_left_alone),
		TEST(test_output_among_the_sources),
		TEST(test_times),
		TEST(test_nothing_to_pack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

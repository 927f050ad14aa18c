#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# One program at several revisions of a repository: by `assay compare --rev` and by source = git { … } in
# a spec. Each case is followed by a look at the repository, which must be as it was. Verdicts are
# asserted for memory, which needs no quiet machine.

. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

here='a repository with ü'
mkdir -p "$here" tmp home
TMPDIR=$PWD/tmp HOME=$PWD/home GIT_CONFIG_NOSYSTEM=1
export TMPDIR HOME GIT_CONFIG_NOSYSTEM
git config --global user.name Somebody
git config --global user.email somebody@example.org
git config --global init.defaultBranch main
git config --global protocol.file.allow always # submodules from a folder
cd "$here" || exit 1

# ---- a history ----

# The program is a script that the build makes: it says a word and takes MIB MiB.
cat >Makefile <<'END_OF_FILE'
MIB = 10
word = hello
prog: Makefile
	git describe --tags >described
	printf '#!/bin/sh\necho $(word)\nexec dd if=/dev/zero of=/dev/null bs=$(MIB)M count=1 status=none\n' >prog
	chmod +x prog
END_OF_FILE
printf 'prog\ndescribed\nbuild/\nresults/\nbuild.ninja\n' >.gitignore
mkdir sub && echo words >sub/data
printf '#include <assert.h>\nint main(int n, char **v)\n{\n\tassert(n > 0);\n\treturn v == 0;\n}\n' >true.c
git init -q . && git add . && git commit -qm 'The first' && git tag v1
sed -i 's:^int:/* Does nothing. */ int:' true.c && git commit -qam 'A comment' && git tag comment
sed -i 's/MIB = 10/MIB = 11/' Makefile && git commit -qam 'Takes more memory'
sed -i 's/hello/HELLO/' Makefile && git commit -qam 'Says it loudly' && git branch loud
git checkout -q -b broken && sed -i 's/status=/$(error is not well)/' Makefile && git commit -qam 'Does not build'
git checkout -q main && git reset -q --hard main~1
echo tried >stashed && git add stashed && git stash -q
echo '# not committed' >>Makefile
echo 'of mine' >untracked

# Refs, the index, what is stashed, work trees and every file: all of it lies here.
before=$(tree .)
cp "$out.tree" ../before
as_before() {
	[ "$(tree .)" = "$before" ] && [ -z "$(ls -A "$TMPDIR")" ] || {
		diff ../before "$out.tree" >>"$out"
		ls -A "$TMPDIR" >>"$out"
		return 1
	}
}
few='--quiet --pairs 1 --aa-pairs 0 --warmups 0'
few_told='--pairs 1 --aa-pairs 0 --warmups 0'

# ---- the answer ----

ends 0 assay compare --metric rss --pairs 8 --aa-pairs 2 --warmups 0 --json=../now.json --rev v1 --rev main --build make -- ./prog &&
	said 'max_rss_kib of main is worse by a factor of 1\.[01]' &&
	said "(main, commit $(git rev-parse main | cut -c 1-12), SHA-256" && as_before
ok 'two commits: the right sign, the commits, and the repository as it was' || exit 1

jq -e --arg v1 "$(git rev-parse v1)" '[.commands[] | [.name, .revision, .commit, .dirty]] | .[0] == ["v1", "v1", $v1, false] and
	.[1][0] == "main"' ../now.json >>"$out" && jq -e '.stats.cases[].sessions[0].finished' ../now.json >>"$out"
ok '--json has the revisions and their commits'

ends 0 assay compare $few --rev v1 --rev comment --build 'gcc -g -o true true.c' -- ./true &&
	said 'comment and v1 are identical' && as_before
ok 'a commit that changes a comment: said to be identical, whatever the debug information says'

ends 0 assay compare $few_told --rev main --rev WORKTREE --rev v1 --build 'make MIB=1' --build true ./prog &&
	said '(WORKTREE, commit [0-9a-f]* with changes' && as_before
ok 'the dirty tree, a third revision, two commands to build'

# ---- what can be wrong ----

ends 4 assay compare --rev v1 --rev mian --build make -- ./prog && said "no revision 'mian'" &&
	said 'did you mean main?' && as_before
ok 'a revision that does not exist'

ends 4 assay compare --rev v1 --rev main:Makefile --build make -- ./prog && said 'is no commit' && as_before
ok 'what is no commit'

ends 1 assay compare --rev main --rev broken --build 'make prog' -- ./prog && said 'broken (commit [0-9a-f]*)' &&
	said "the build failed: 'make prog'" && said 'is not well' && as_before
ok 'a build that fails in one revision: which, and its last lines'

ends 4 assay compare --rev main --rev v1 --build true -- ./prog && said 'the build made no prog' && as_before
ok 'a program that is not there after the build'

ends 3 assay compare $few --pairs 2 --rev main --rev loud --build make -- ./prog && said 'THE OUTPUTS DIFFER' &&
	said '"hello" against "HELLO"' && as_before
ok 'different output in the two'

(cd .. && ends 4 assay compare --rev main --rev v1 -- ./prog && said 'no git repository')
ok 'not a repository'

ends 2 assay compare --rev main --build make -- ./prog && said 'two --rev' &&
	ends 2 assay compare --rev main --rev v1 --build make && said 'is missing' &&
	ends 2 assay compare --build make ./a ./b && said 'goes with --rev'
ok 'half a command line'

# ---- folders and files ----

(
	cd sub && ends 0 assay compare $few_told --rev v1 --rev main --build 'make -C ..' -- ../prog data ../untracked &&
		said 'v1 has no ../untracked, so all use yours' && ! grep -q 'has no data' "$out"
) && as_before
ok 'in a folder of the work tree; files of the tree and of the user'

(
	cd sub && ends 0 assay compare $few --shell --no-check-output --name old --rev v1 --name new --rev v1 \
		--build 'make -C ..; echo ran >>data' 'cat data | grep ran && ../prog' && said 'new against old' &&
		said 'old and new are identical\|new and old are identical'
) && as_before
ok '--shell runs in the tree, where all files count: the same commit is identical'

GIT_DIR=$PWD/.git GIT_INDEX_FILE=$PWD/.git/index GIT_WORK_TREE=$PWD \
	ends 0 assay compare $few --shell --rev v1 --rev main --build 'git rm -q --cached Makefile; git tag mine; make' \
	./prog && ! grep -q identical "$out" && as_before
ok 'in a hook, with builds that use git in a repository of their own; a shell at two commits is not identical'

# ---- ended ----

begun() { # OPTION…: starts it in the background, waits for the build
	rm -f ../begun
	"$ASSAY_BIN" compare --rev v1 --rev main --build "touch '$PWD/../begun'; sleep 61.$$ & wait" "$@" -- ./prog \
		>"$out" 2>&1 </dev/null &
	begun_pid=$!
	i=0
	until [ -e ../begun ]; do
		i=$((i + 1))
		[ $i -lt 200 ] || return 1
		sleep 0.05
	done
}
none_runs() {
	i=0
	while ps -eo args | grep -q "[s]leep 61.$$"; do
		i=$((i + 1))
		[ $i -lt 100 ] || return 1
		sleep 0.05
	done
}

begun && kill -INT "$begun_pid" && { wait "$begun_pid"; [ $? -eq 130 ]; } && said 'nothing is left behind' &&
	none_runs && as_before
ok 'Ctrl-C in a build: exit code 130, no process, no folder'

begun && kill -KILL "$begun_pid" && { wait "$begun_pid" 2>>"$out"; [ $? -eq 137 ]; } && none_runs &&
	rm -rf "$TMPDIR"/* && as_before
ok 'killed in a build: no process, and the repository as it was'

# ---- submodules ----

git init -q ../library && (cd ../library && echo 'word = one' >part.mk && git add . && git commit -qm one) &&
	git clone -q --no-hardlinks . ../whole && (
	cd ../whole && git submodule --quiet add "$(cd ../library && pwd)" library && sed -i 's|^word = .*|include library/part.mk|' Makefile &&
		git commit -qam 'With a library' && git branch -q with && cd library && echo 'word = two' >part.mk &&
		git commit -qam two && cd .. && git commit -qam 'Another library' &&
		before=$(tree .) &&
		ends 3 assay compare $few --pairs 2 --rev with --rev main --build make -- ./prog &&
		said '"one" against "two"' &&
		[ "$before" = "$(tree .)" ]
)
ok 'submodules: each at the commit of its revision'

(
	cd ../whole && git submodule --quiet deinit -f library &&
		ends 1 assay compare --rev with --rev main --build make -- ./prog && said 'library/part.mk'
)
ok 'a submodule that the work tree has not is empty there, too'

# ---- a study to go on with ----

ends 0 assay compare --keep ../kept $few --rev v1 --rev main --build make -- ./prog &&
	[ "$(jq -r '.sources[1].commit' ../kept/results/*/*/sessions/001/provenance.json)" = "$(git rev-parse main)" ]
ok 'the commit is in the provenance'
(
	cd ../kept && before=$(contents results/*/*/sessions) && grep -q "rev = \"$(git -C "../$here" rev-parse v1)\" }, -- v1" experiments/compare.lua &&
		ends 0 assay generate && ends 0 ninja report && said 'make revision1' &&
		[ "$(contents results/*/*/sessions)" = "$before" ]
) && as_before
ok '--keep: a spec with the commits, which measures nothing again'

# ---- in specs ----

mkdir -p ../study/experiments && cd ../study || exit 1
cat >build.ninja.lua <<'END_OF_FILE'
study { name = "revisions" }
experiments "experiments/*"
END_OF_FILE
cat >experiments/e.lua <<END_OF_FILE
local function at(name, rev)
    return program(name) { source = git { "../$here", rev = rev }, build = { "make -j{jobs}" }, output = "prog" }
end
local old = at("old", "v1")
experiment "e" {
    variants = { variant "v1" { old, cwd = old.folder }, variant "main" { at("new", "main") },
                 variant "tree" { at("tree", WORKTREE) } },
    design = { pairs = 1, aa_pairs = 0, warmups = 1 },
    metrics = { "max_rss_kib", "wall_us" },
    reader = "process",
}
END_OF_FILE
in_repository() {
	(cd "../$here" && "$@")
}
ends 0 assay generate && ends 0 ninja report && said 'make new at main' && [ "$(logs)" -eq 6 ] && in_repository as_before
ok 'source = git { … } in a spec: three revisions are built and measured'

ends 0 ninja report && ! said 'make new\|measure' && [ "$(logs)" -eq 6 ]
ok 'again: only looked at'

in_repository git commit -q --allow-empty -m 'Nothing' && ends 0 ninja report && said 'make new at main' &&
	! grep -q 'make old' "$out" && [ "$(logs)" -eq 6 ]
ok 'the branch moves to a commit of the same content: made again, not measured again'

in_repository sed -i 's/MIB = 11/MIB = 4/' Makefile && ends 0 ninja report && said 'make tree at WORKTREE' &&
	! grep -q 'make new' "$out" && [ "$(logs)" -eq 12 ]
ok 'an edit in the work tree: that program is made and all is measured again'

sed -i 's/rev = rev/rev = rev .. "x"/' experiments/e.lua && ends 0 assay generate && ends 1 ninja report &&
	said "no revision 'v1x'"
ok 'a revision that does not exist'

#!/bin/sh
# ./bootstrap in a copy of the repository, and plain ninja after it: what they do about missing
# packages, mistakes, lost and renamed files, and which exit codes they end with.
set -u

copy="$PWD/a copy é"
fake=$PWD/fake
out=$PWD/out
mkdir "$copy" "$fake"
(cd "$ASSAY_ROOT" && tar -cf - --exclude=./build --exclude=./results --exclude=./.git .) |
	tar -xf - -C "$copy"
# One experiment is enough, and asks for no Python each time.
rm -f "$copy/build.ninja"
find "$copy/experiments" -type f ! -name vector.md -delete
stage0=$ASSAY_ROOT/build/stage0

ok() { # WHAT: the last command's status says whether
	if [ $? -eq 0 ]; then
		echo "ok $1"
	else
		echo "not ok $1"
		sed 's/^/    /' "$out"
	fi
}

# Runs a command in the copy and holds its exit code against what is expected.
ends() { # CODE COMMAND…
	expected=$1
	shift
	(cd "$copy" && "$@") >"$out" 2>&1 <&-
	code=$?
	[ "$code" -eq "$expected" ] || {
		echo "exit code $code, not $expected" >>"$out"
		return 1
	}
}

said() {
	grep -q -e "$1" "$out"
}

# ---- what is missing ----

# shellcheck disable=SC2120 # called by name
no_libraries() {
	PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH='' ./bootstrap "$@"
}
ends 1 no_libraries --no-install && said 'apt-get install.*libgsl-dev' && [ ! -e "$copy/build" ]
ok 'missing packages are named, and nothing is done'

# All commands but one.
without() { # COMMAND TARGET
	mkdir "$fake/bin"
	ln -s /usr/local/bin/* /usr/bin/* /bin/* "$fake/bin/" 2>/dev/null
	rm "$fake/bin/$1"
	PATH=$fake/bin ./bootstrap --no-install "$2"
}
needs() { # COMMAND PACKAGE TARGET
	ends 1 without "$1" "$3" && said "missing: $1\$" && [ ! -e "$copy/build" ] &&
		said "sh -c 'apt-get update && apt-get install -y --no-install-recommends $2'\$"
	ok "without $1 it prints the command that installs $2, and stops"
	rm -r "$fake/bin"
}
needs gnuplot gnuplot-nox report
needs jq jq test

cat >"$fake/apt-get" <<END
#!/bin/sh
echo "\$1" >>"$PWD/apt"
END
cat >"$fake/sudo" <<'END'
#!/bin/sh
shift
exec "$@"
END
chmod +x "$fake"/*
with_fake_apt() {
	# shellcheck disable=SC2119 # no option, so that it installs
	PATH="$fake:$PATH" no_libraries
}
ends 1 with_fake_apt && said 'still missing' && [ "$(tr '\n' ' ' <apt)" = 'update install ' ]
ok 'missing packages are installed, with one update, and looked for again'
rm "$fake"/*

# ---- the first run, with the stage-0 compiled; below it is compiled from nothing ----

if [ -d "$stage0" ]; then
	mkdir "$copy/build"
	cp -a "$stage0" "$copy/build/"
fi
from_elsewhere() {
	cd / && "$copy/bootstrap" help
}
ends 0 from_elsewhere && said '^  report  ' && said '^  test  '
ok 'from another folder, without stdin, in a path with spaces'
! grep -q -F "$PWD" "$copy/build.ninja"
ok 'build.ninja names no folder of this machine'
ends 0 ./bootstrap help && ! said 'compiling'
ok 'a second time compiles nothing'
ends 0 ninja help && said '^  report  '
ok 'plain ninja works'
ends 2 ./bootstrap nonsense && said 'ninja help'
ok 'an unknown target is a wrong usage'
ends 2 ./bootstrap --nonsense && said '^usage'
ok 'so is an unknown option'
ends 0 ./bootstrap --help && said '^usage: ./bootstrap' && said '^Exit codes:'
ok '--help tells'

two_at_once() {
	./bootstrap help >/dev/null 2>&1 &
	./bootstrap help && wait $!
}
ends 0 two_at_once
ok 'two at once'

# ---- mistakes, lost and renamed files ----

cp "$copy/build.ninja" before
printf 'experiment "wrong" {\n\tvaraints = {}\n}\n' >"$copy/experiments/wrong.lua"
ends 4 ./bootstrap help && said 'experiments/wrong.lua:[0-9]*:.*varaints' &&
	cmp -s before "$copy/build.ninja"
ok 'a wrong spec is told with its place and leaves the old graph'
ends 1 ninja help && said 'experiments/wrong.lua:' && cmp -s before "$copy/build.ninja"
ok 'to plain ninja too'
rm "$copy/experiments/wrong.lua"
ends 0 ninja help && cmp -s before "$copy/build.ninja"
ok 'a deleted spec is recovered from'

mv "$copy/src/graph/shell.c" "$copy/src/graph/words.c"
ends 0 ninja help && grep -q '^build build/tool/src/graph/words.c.o:' "$copy/build.ninja" &&
	! grep -q 'src/graph/shell.c' "$copy/build.ninja"
ok 'a renamed source of the tool is recovered from'
ends 0 ninja build/tool/src/graph/words.c.o && ends 0 ninja -t commands tool && said 'graph/words.c ' &&
	! said 'graph/shell.c'
ok 'and the tool can be built from it'
mv "$copy/src/graph/words.c" "$copy/src/graph/shell.c"
ends 0 ninja help && cmp -s before "$copy/build.ninja"
ok 'renamed back: the same graph'

cp "$copy/src/graph/paths.c" kept
echo 'not C' >>"$copy/src/graph/paths.c"
ends 1 ./bootstrap help && said 'src/graph/paths.c' && said 'does not compile'
ok 'a source that does not compile is told'
cp kept "$copy/src/graph/paths.c"
# All but the objects, whose compilers would take their time.
mv "$copy/build/stage0" stage0 && rm -rf "$copy/build" && mkdir "$copy/build" && mv stage0 "$copy/build/" &&
	rm -f "$copy/build/stage0/assay-stage0" "$copy/build/stage0/library.a" "$copy/build/stage0/build.ninja"
ends 0 ninja help && said 'compiling the stage-0' && cmp -s before "$copy/build.ninja"
ok 'a wiped build folder is recovered from'

# ---- exit codes, with a Ninja that ends as told ----

ninja=$(command -v ninja)
cat >"$fake/ninja" <<END
#!/bin/sh
[ "\$1" = -k ] || exec "$ninja" "\$@"
mkdir -p build/report build/tests
echo the summary >build/report/summary.txt
[ -z "\${GATE-}" ] || echo "\$GATE" >build/report/exit_code
[ -z "\${COUNT-}" ] || echo "\$COUNT" >build/tests/summary
exit "\$STATUS"
END
chmod +x "$fake/ninja"
with_ninja() { # STATUS GATE TARGET…
	STATUS=$1 GATE=$2
	shift 2
	export STATUS GATE
	PATH="$fake:$PATH" ./bootstrap "$@"
}
ends 0 with_ninja 0 '' report && said '^the summary$'
ok 'nothing to do: the summary all the same'
ends 3 with_ninja 1 3 report
ok 'a claim that does not hold is 3'
ends 5 with_ninja 1 5
ok 'nothing measured is 5, the target report by itself'
ends 1 with_ninja 1 '' report
ok 'the code of an earlier run does not count'
ends 130 with_ninja 130 3 report
ok 'interrupted is 130'
COUNT='1 passed, 2 failed'
export COUNT
ends 1 with_ninja 1 '' test && [ "$(tail -n 1 "$out")" = "$COUNT" ]
ok 'the count of the tests comes last'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A full disk: the edge fails and says so, nothing half counts, and once there is room
# 'ninja report' completes. The disks are small ones in memory, in a mount namespace of our own,
# so that nothing stays mounted.
set -u

case ${1-} in
mounted) ;;
*)
	for flags in -m -Urm; do
		# shellcheck disable=SC2086 # one option, or none
		if unshare $flags sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
			exec unshare $flags "$0" mounted
		fi
	done
	echo 'ok a full disk # SKIP no disk in memory can be mounted here'
	exit
	;;
esac

. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"
. "$ASSAY_ROOT/tests/e2e/lib/probe.sh"

make_probe_study study disk <<'END_OF_FILE'
local function one(name)
    return variant(name, { probe, args = { "--do=garbage-and-result", journal, "--as=" .. name } })
end
experiment "e" {
    variants = { one "a", one "b" },
    design   = { pairs = 12, aa_pairs = 1, warmups = 1, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
}
END_OF_FILE

small_disk() { # FOLDER
	mkdir -p "$1" && mount -t tmpfs -o size=8m,mode=755 none "$1"
}

fill() { # FOLDER KIB-LEFT
	head -c $((($(df -k --output=avail "$1" | tail -n 1) - $2) * 1024)) /dev/zero >"$1/ballast"
}

# A program fails when its output does not fit, but that is no failed group.
all_are_whole() {
	! records | awk '$8 != "ok"' | grep . >>"$out" && [ -z "$(running_from "$PWD")" ]
}

fails_for_want_of_room() {
	ends 1 ninja report && said 'assay: .*\(disk of .* is full\|No space left on device\)' && all_are_whole
}

completes() { # FOLDER
	remember_logs
	rm "$1/ballast"
	ends 0 ninja report && has_remembered_logs && all_are_whole && each_block_once 13
}

cd study || exit 1
ends 0 assay generate && ends 0 ninja build/runners
ok 'the program compiles'

small_disk results
for kib in 500 100 0; do
	rm -rf results/* build/session
	fill results "$kib"
	fails_for_want_of_room
	ok "$kib KiB left below results/: the edge fails and says so, nothing half counts"
	completes results
	ok "… and with room it completes"
done
umount results

# Copies of the program take some, then its output does not fit, or not yet the copies.
cp -a build built && small_disk build && cp -a built/. build/
rm -rf results build/session
copies=$((3 * ($(stat -c %s build/runners/probe) / 4096 + 1) * 4))
for kib in $((copies + 60)) $((copies / 2)) 0; do
	rm -rf results build/session
	fill build "$kib"
	fails_for_want_of_room
	ok "$kib KiB left below build/: the edge fails and says so, nothing half counts"
	completes build
	ok "… and with room it completes"
done

# ---- where it prints ----

assay --help >/dev/full 2>"$out"
[ $? -eq 1 ] && said 'cannot write the output'
ok 'what cannot be printed is no success'

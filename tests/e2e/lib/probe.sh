# SPDX-License-Identifier: GPL-3.0-or-later
#
# For the tests that disturb measurements: studies of lib/probe.c, a program that notes when it
# ran and whether it was alone, and a look at what is in the store. Source lib.sh before.

journal=$PWD/journal

# The study in FOLDER; its spec comes from stdin and finds the runner `probe`, and `journal`, the
# argument that has the program keep its journal.
make_probe_study() { # FOLDER NAME
	mkdir -p "$1/experiments"
	cp "$ASSAY_ROOT/tests/e2e/lib/probe.c" "$1/probe.c"
	printf 'study { name = "%s" }\nexperiments "experiments/*"\n' "$2" >"$1/build.ninja.lua"
	{
		printf 'local probe = runner "probe" { "probe.c", harness = false } '
		printf 'local journal = "--journal=%s"\n' "$journal"
		cat
	} >"$1/experiments/e.lua"
}

# In ./study, of two variants whose programs each leave a process behind that only a kill ends.
make_leaving_study() { # NAME MICROSECONDS PAIRS
	make_probe_study study "$1" <<END_OF_FILE
local function one(name)
    return variant(name, { probe, args = { "--us=$2", "--do=leaves-grandchild", journal, "--as=" .. name } })
end
experiment "e" {
    variants = { one "a", one "b" },
    design   = { pairs = $3, aa_pairs = 2, warmups = 1, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
}
END_OF_FILE
}

forget_results() {
	rm -rf results build/session build/stats build/stats.json build/samples build/report
	: >"$journal"
}

# Tries the command until it holds, for half a minute at most.
wait_until() { # COMMAND…
	wait_until_tries=600
	until "$@"; do
		wait_until_tries=$((wait_until_tries - 1))
		[ "$wait_until_tries" -gt 0 ] || {
			echo "waited in vain for: $*" >>"$out"
			return 1
		}
		sleep 0.05
	done
}

has_logs() { # AT-LEAST
	[ "$(logs)" -ge "$1" ]
}

is_gone() { # PID
	! kill -0 "$1" 2>/dev/null
}

children_of() { # PID
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

# The process that measures below PID, or nothing. A shell may stand between.
session_below() { # PID
	for session_child in $(children_of "$1"); do
		# shellcheck disable=SC2002 # the process may be gone, and the shell would say so
		case $(cat "/proc/$session_child/cmdline" 2>/dev/null | tr "\0" " ") in
		*sh\ -c\ *) session_below "$session_child" ;;
		*assay\ measure\ *) echo "$session_child" ;;
		esac
	done
}

# Processes whose program lies below FOLDER.
running_from() { # FOLDER
	find /proc -maxdepth 2 -name exe -lname "$1/*" 2>/dev/null
}

# What a test that fails may leave behind.
end_programs() { # FOLDER
	for end_program in $(running_from "$1"); do
		end_program=${end_program#/proc/}
		kill -9 "${end_program%/exe}" 2>/dev/null
	done
}
# shellcheck disable=SC2064 # the folder that we are in now
trap "end_programs '$PWD'" EXIT
trap 'exit 1' INT TERM

# A line a log of the study in this folder, in the order of launching:
#	1 session  2 order  3 phase  4 block  5 slot  6 treatment  7 attempt  8 status (none: no whole
#	record)  9 started_ns  10 wall_us  11 path
records() {
	find results -name '*.log' | sort | xargs -r awk '
		function put() {
			if (path == "")
				return
			print field["session"], field["order"], field["phase"], field["block"],
				field["slot"], field["treatment"], field["attempt"],
				field["complete"] ? field["status"] : "none", field["started_ns"],
				field["wall_us"], path
		}
		FNR == 1 {
			put()
			split("", field)
			path = FILENAME
			ours = 1
		}
		/^--- stdout$/ { ours = 0 }
		/^--- result$/ { ours = 1 }
		ours && (at = index($0, "=")) { field[substr($0, 1, at - 1)] = substr($0, at + 1) }
		END { put() }'
}

remember_logs() {
	find results -name '*.log' -exec sha256sum {} + >"$out.logs" 2>/dev/null
}

# Whether those that were there then are there still, byte for byte.
has_remembered_logs() {
	[ ! -s "$out.logs" ] || sha256sum --quiet -c "$out.logs" >>"$out" 2>&1
}

# Whether the blocks 1 to BLOCKS are there once, whole and adjacent, and all else is a warm-up or
# the half of a block that ended its session.
each_block_once() { # BLOCKS
	records | awk -v blocks="$1" '
		function wrong(what) { print what; bad = 1 }
		$8 == "none" { wrong($11 ": no whole record") }
		$1 != session { session = $1; order = open = 0 } # a block left open is the half
		$2 != ++order { wrong($11 ": not the group after the one before") }
		open && ($4 != open || $5 != 2) { wrong($11 ": block " open " was left and went on") }
		$4 > 0 && $5 == 2 && !open { wrong($11 ": its first half is not before it") }
		$4 > 0 && $5 == 2 { whole[$4]++ }
		{ open = $5 == 1 ? $4 : 0 }
		$4 > blocks { wrong("block " $4 " is not planned") }
		END {
			for (i = 1; i <= blocks; i++)
				if (whole[i] != 1)
					wrong("block " i " is there " whole[i] + 0 " times")
			exit bad
		}' >>"$out"
}

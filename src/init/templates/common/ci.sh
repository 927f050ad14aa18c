#!/bin/sh
# What a CI job runs. It needs assay (in PATH, or its path in $ASSAY), ninja and gnuplot, and a
# machine on which nothing else runs: on a shared one the verdicts are honest, but seldom clear.
#
#	ASSAY=/path/to/assay sh ci.sh
#
# Exit codes: 0 all is well, 1 failed, 3 a claim does not hold, 4 a spec is wrong, 5 nothing was
# measured. Keep build/report/ (and results/, to compare with later) as the job's artifacts.
set -u
cd -- "$(dirname -- "$0")" || exit 1
assay=${ASSAY:-assay}

"$assay" doctor --seconds 2 # what spoils measurements here, for the log; it fails nothing
"$assay" generate || exit
rm -f build/report/exit_code
ninja report && exit 0
code=$(cat build/report/exit_code 2>/dev/null) # ninja itself tells 1 of every failure
[ "${code:-0}" -ne 0 ] || code=1
exit "$code"

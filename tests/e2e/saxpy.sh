#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# SAXPY on the processor and on a device. There need be no device: saxpy_cuda is linked with one that is
# none (tests/stand_in/device.c), and programs of the test's own answer for nvidia-smi and nvcc.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir -p study/experiments bin && ln -s "$ASSAY_ROOT/kernels" study/kernels
# Small, of one size, without the claim, the roofline and the diagnoses, which are about a machine, and with one figure.
sed 's/2^25/2^16/; s/^small, large = .*/small, large = 2^14, 2^14/; s/{ small, large }/{ large }/; s/pairs = 12, aa_pairs = 3/pairs = 3, aa_pairs = 1/
	s/, figure "speedup" {}//; /figure:speedup/d; /^    claims /d
	s/, figure "roofline" {}//; /figure:roofline/d; /^    roofline /d; /^The ridge of/,/^$/d; /^    diagnose /d; /^What limits a/,/^$/d' "$ASSAY_ROOT/experiments/saxpy.md" >study/experiments/saxpy.md
echo 'study { name = "tried" } experiments "experiments/*"' >study/build.ninja.lua

# Programs that answer for those of a machine with a device.
cd study || exit 1
PATH=$PWD/../bin:$PATH
export CUDA_PATH=/nonexistent
answers() { # NAME SCRIPT
	printf '#!/bin/sh\n%s\n' "$2" >"../bin/$1"
	chmod +x "../bin/$1"
}
nvcc_answers() { # it has the program ready
	answers nvcc 'case $1 in --version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit; esac
while [ "$1" != -o ]; do shift; done
cp ../cuda "$2"'
}
smi='NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver'
answers nvidia-smi "echo '$smi'; exit 9"
nvcc_answers

# ---- the processor's forms and the device's, by hand ----

ends 0 assay generate && ends 0 ninja build/runners/saxpy_lab &&
	cc -O1 -Ikernels kernels/saxpy_cuda.c "$ASSAY_ROOT/tests/stand_in/device.c" \
		$(find build/obj -name '*.o' ! -name 'saxpy_lab.c.o') -o ../cuda >>"$out" 2>&1 &&
	ln -s study/build/runners/saxpy_lab ../lab
ok 'they compile' || exit 1
sums() { # N
	for kernel in scalar wide; do
		../lab --kernel=$kernel --n="$1" --iters=3 --samples=2
		../cuda --kernel=cuda_$(echo $kernel | sed s/wide/float4/) --n="$1" --iters=3 --samples=2
	done 2>&1 | grep '^CHECK\|wrong'
}
[ "$(sums 1000 | sort | uniq -c | awk '{ print $1 }')" = 4 ] && [ "$(sums 1003 | sort -u | wc -l)" -eq 1 ] &&
	[ "$(sums 1003 | sort -u)" != "$(sums 1000 | sort -u)" ]
ok 'all four agree bit for bit, also where four or eight do not divide the length'

# 1.5 ns an element, of which 3 * 1000 are in a sample; the host's clock has no part in it.
ends 0 ../cuda --kernel=cuda_scalar --n=1000 --iters=3 --samples=1 --warmup-samples=2 &&
	said '^# device Stand-in 1$' && said '^# uuid GPU-01234567-' && said '^# driver CUDA 12.8$' && said '^# toolkit CUDA 13.0$' &&
	said '^CFG 1000 3$' && awk '$1 == "RESULT" { exit !($2 == 4.5 && $4 * $2 > 5.9e9 && $4 * $2 < 6.1e9) }' "$out"
ok 'a sample is what the events of the device say'
for step in open launch fetch; do
	ends 1 env STAND_IN_FAILS=$step ../cuda --kernel=cuda_float4 --n=1000 && said "$step: out of luck" && ! grep -q RESULT "$out"
	ok "a failure to $step is told, and there is no result"
done

# ---- in an experiment ----

ends 0 ninja report && said 'skipped: cuda_scalar of experiment saxpy: no CUDA device' &&
	grep -q '| wide against scalar |' build/report/report.md && grep -q 'Skipped:.*cuda.*no CUDA device' build/report/report.md &&
	[ -s build/report/report.html ] && [ -s build/report/figures/saxpy-rate.svg ] &&
	jq -e ".devices.unavailable | contains(\"$smi\")" results/*/*/sessions/001/provenance.json >>"$out"
ok 'without a device its variants are skipped, the report is whole, and the provenance has the reason' ||
	head -n 20 build/report/summary.txt

answers nvcc 'exit 127' # as good as none
answers nvidia-smi 'echo "Stand-in 1, GPU-01234567-89ab-cdef-0123-456789abcdef, 570.86.15, 143771 MiB, 9.0"'
ends 0 assay generate && said 'skipped: cuda_scalar of experiment saxpy: no nvcc (this fails: '
ok 'without nvcc they are, too'

nvcc_answers
rm -r results
ends 0 assay generate && ! grep -q skipped "$out" && ends 0 ninja report &&
	grep -q '^# device Stand-in 1' results/*/*/sessions/001/*-ab-3.log && grep -q 'cuda_float4,ab,.*,65.6' build/samples/*.csv &&
	grep -q 'cuda_scalar,ab,.*,98.3' build/samples/*.csv && grep -q 'cuda_float4 against cuda_scalar' build/report/summary.txt &&
	jq -e '.devices[0].uuid == "GPU-01234567-89ab-cdef-0123-456789abcdef" and .devices[0].driver == "570.86.15"' \
		results/*/*/sessions/001/provenance.json >>"$out" &&
	grep -q 'treatment 2 need CUDA device = Stand-in 1, GPU-01234567' results/*/*/identity.txt &&
	grep -q 'treatment 2 need nvcc = 13.0, V13.0.88' results/*/*/identity.txt
ok 'with one they are measured by its events, and it is in the identity and the provenance' || head -n 20 build/report/summary.txt

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The speed benchmark in C, C++ and Python: the same data and the same sums bit for bit, at each
# width of a vector, with and without numpy; and a program that is not the one asked for.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir bin study
kernels=$ASSAY_ROOT/kernels
ln -s /usr/bin/python3 bin/python3 # Debian's own, which has what Debian's packages bring
PATH=$PWD/bin:$PATH
numpy=$(python3 -c 'import numpy; print(numpy.__version__)' 2>/dev/null)
flags='-O2 -mfma'
[ "$(uname -m)" = x86_64 ] || flags=-O2

cat >dump.c <<'END_OF_FILE'
#include <stdio.h>
#include "speed/data.h"
int main(void)
{
	struct speed_data d;
	struct assay_error error;
	speed_length = 64;
	if (speed_data_make(&d, &error) != 0)
		return 1;
	for (size_t i = 0; i < d.n; i++)
		printf("%a %a %a\n", d.a[i], d.b[i], d.c[i]);
	return 0;
}
END_OF_FILE
cat >dump.cc <<'END_OF_FILE'
#include <cstdio>
#include "speed_vector.cc"
int main()
{
	speed_vectors v;
	fill(v, 64);
	for (std::size_t i = 0; i < 64; i++)
		std::printf("%a %a %a\n", v.a[i], v.b[i], v.c[i]);
}
END_OF_FILE
cat >dump.py <<'END_OF_FILE'
import sys
sys.path.insert(0, sys.argv[1])
import speed
for row in zip(*speed.fill(64)):
    print(*[x.hex().replace("0x0.0p+0", "0x0p+0") for x in row])
END_OF_FILE
# %a leaves zeros at the end of a mantissa away.
plain() {
	sed -E 's/(\.[0-9a-f]*[1-9a-f])0+p/\1p/g; s/\.0+p/p/g'
}

mkdir objects
(cd objects && gcc -O0 -I"$kernels" -c "$kernels"/harness/*.c "$kernels"/speed/data.c) >"$out" 2>&1 &&
	mv objects/main.o . && ends 0 gcc -I"$kernels" dump.c objects/*.o -lm -o dump_c &&
	ends 0 g++ -I"$kernels" dump.cc objects/*.o -lm -o dump_cxx
ok 'C and C++ compile' || exit 1
./dump_c | plain >data_c && ./dump_cxx | plain | cmp - data_c &&
	PYTHONDONTWRITEBYTECODE=1 python3 dump.py "$kernels" | plain | cmp - data_c && [ "$(wc -l <data_c)" -eq 64 ]
ok 'the data are the same bits in C, C++ and Python'

# shellcheck disable=SC2086 # a list of words
for contract in fast off; do
	gcc $flags -ffp-contract=$contract -I"$kernels" "$kernels/speed_loop.c" main.o objects/*.o -lm -o loop_$contract
done
# shellcheck disable=SC2086
g++ $flags -ffp-contract=fast -I"$kernels" "$kernels/speed_vector.cc" main.o objects/*.o -lm -o vector
check_of() { # COMMAND…
	"$@" --iters=2 --samples=1 --warmup-samples=0 2>/dev/null | grep '^CHECK' || echo "nothing of $*" >>"$out"
}
: >"$out"
for n in 4 1024; do
	once=$(check_of ./loop_fast --n=$n) twice=$(check_of ./loop_off --n=$n)
	[ "$(check_of ./vector --n=$n)" = "$once" ] || echo "C++ differs, n=$n" >>"$out"
	[ "$(check_of python3 "$kernels/speed.py" --kernel=pure --n=$n)" = "$twice" ] || echo "Python differs, n=$n" >>"$out"
	[ -z "$numpy" ] || [ "$(check_of python3 "$kernels/speed.py" --kernel=numpy --n=$n)" = "$twice" ] ||
		echo "numpy differs, n=$n" >>"$out"
done
[ ! -s "$out" ]
ok 'C++ gives what C gives in one rounding, Python and numpy what C gives in two, bit for bit'
ends 0 python3 "$kernels/speed.py" --kernel=pure --n=16 --iters=100 --samples=1 && said '^CFG 16 8$' && said '^MODE pure$'
ok 'Python alone makes 8 passes and says so'
ends 1 python3 "$kernels/speed.py" --n=1000 && said 'power of two' && ends 1 ./vector --n=1000 && said 'power of two'
ok 'a length that does not divide 2^30 is an error in each language'

# ---- a small study: each width, Python without numpy, programs that are not what was asked for ----

cd study || exit 1
ln -s "$kernels" kernels
cat >build.ninja.lua <<'END_OF_FILE'
study { name = "small" }
local lab = runner "speed_lab" { "kernels/speed_lab.c", "kernels/speed/data.c", "kernels/speed/passes.c", libs = { "-lm" } }
local width = env "SPEED_WIDTH"
local function in_c(kernel)
    return variant(kernel) { lab, args = { "--kernel=" .. kernel, "--n=1024", "--iters=8", { width and "--width=" .. width } },
                             cfg = { len = 1024, iters = 8 } }
end
local function in_python(kernel, needs)
    return variant(kernel) { python(kernel) { "kernels/speed.py", needs = needs },
                             args = { "--kernel=" .. kernel, "--n=1024", "--iters=8", "--samples=2" },
                             mode = kernel, cfg = { len = 1024, iters = 8 } }
end
experiment "e" {
    variants = { in_c "scalar_fma", in_c "simd_fma", in_python "pure", in_python("numpy", "numpy") },
    design   = { pairs = 1, aa_pairs = 0, samples = 2, timeout = 60 },
    correct  = { check = "equal", among = { { "scalar_fma", "simd_fma" }, { "pure", "numpy" } } },
}
END_OF_FILE
ends 0 assay generate && ends 0 ninja report && said 'against scalar_fma\|times as fast as scalar_fma\|times as long as scalar_fma'
ok 'the study is measured' || exit 1
widths=$(build/runners/speed_lab --kernel=simd_fma --width=1 2>&1 | sed -n 's/.*this CPU has: //p' | tr -d ,)
# Without its site, which is where Debian's packages are.
rm ../bin/python3
printf '#!/bin/sh\nexec /usr/bin/python3 -S "$@"\n' >../bin/python3
chmod +x ../bin/python3
for width in ${widths% *}; do # the widest is what runs without being forced
	export SPEED_WIDTH="$width"
	ends 0 assay generate && ends 0 ninja report &&
		grep -q "argument 4 = --width=$width" results/*/*/identity.txt &&
		said 'skipped: numpy of experiment e: no numpy (this fails: ' &&
		grep -q 'no comparison of numpy with scalar_fma' build/report/summary.txt
	ok "with vectors of $width bits and a Python that has no numpy the report is made, without numpy"
done
unset SPEED_WIDTH
if [ -n "$numpy" ]; then
	before=$(logs)
	ln -sf /usr/bin/python3 ../bin/python3
	ends 0 ninja report && ! grep -q skipped "$out" && grep -q "need numpy = $numpy" results/*/*/identity.txt &&
		[ "$(logs)" -eq "$before" ]
	ok 'with numpy again what was measured with it is there'
fi

# The script stands for a program that was not made anew.
mkdir ../stale
cd ../stale || exit 1
cat >build.ninja.lua <<'END_OF_FILE'
study { name = "stale" }
local old = program "old" { "sh", scripts = { "old.sh" } }
local function ask(name, mode, iters)
    return variant(name) { old, args = { "old.sh", name }, mode = mode, cfg = { len = 16, iters = iters } }
end
experiment "e" {
    variants = { ask("good", "simd_fma", 8), ask("mode", "simd_add", 8), ask("cfg", "simd_fma", 9) },
    design   = { pairs = 1, aa_pairs = 0, warmups = 0, timeout = 60 },
    reader   = "protocol",
}
END_OF_FILE
printf 'printf "CFG 16 8\\nMODE simd_fma\\nRESULT 1 1 0\\n"\n' >old.sh
ends 0 assay generate && ends 1 ninja report && said 'nothing was measured\|no pair was measured validly' &&
	said 'MODE simd_fma answered; .simd_add. was asked for' && said 'CFG says 8 iterations; 9 were asked for'
ok 'a program that answers another MODE, or another CFG, is refused with the reason'

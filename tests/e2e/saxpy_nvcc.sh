#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What nvcc makes of kernels/saxpy.cu, where there is one.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

PATH=$PATH:${CUDA_PATH:-/usr/local/cuda}/bin
if ! command -v nvcc >/dev/null 2>&1; then
	echo 'ok no nvcc here # SKIP'
	exit 0
fi
kernels=$ASSAY_ROOT/kernels
cc -O1 -I"$kernels" -c "$kernels"/harness/*.c "$kernels/saxpy_cuda.c" "$kernels/saxpy/problem.c" >"$out" 2>&1 &&
	nvcc --keep --keep-dir . -O1 -arch=compute_75 -I"$kernels" -o cuda "$kernels/saxpy.cu" ./*.o >>"$out" 2>&1
ok 'it compiles' || exit 1
grep -q 'ld.global.*v4.f32' saxpy.ptx && grep -q 'st.global.v4.f32' saxpy.ptx && grep -q 'st.global.f32' saxpy.ptx
ok 'four floats are one load and one store'
if command -v nvidia-smi >/dev/null 2>&1 && nvidia-smi >/dev/null 2>&1; then
	ends 0 ./cuda --kernel=cuda_float4 --n=1000003 --iters=2 && said '^# device ' && cp "$out" float4 &&
		ends 0 ./cuda --kernel=cuda_scalar --n=1000003 --iters=2 && [ "$(grep CHECK "$out")" = "$(grep CHECK float4)" ]
	ok 'the device computes the same in both forms'
else
	ends 1 ./cuda --kernel=cuda_float4 --n=1000 && said '^saxpy_cuda: no CUDA device: '
	ok 'without a device it says so'
fi

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/bench/stream.sh [ROUNDS]
#
# Whether the ceilings of kernels/machine_lab.c are the machine's, in one run: its triad beside a plain
# loop by the rules of STREAM, built here with the same compiler and flags, on vectors of 128 MiB, by
# one thread and by all; and its multiply-adds beside lanes * 2 * pipes * the clock that it measures.
# Prints the tables of docs/ceilings.md. ROUNDS (default 11) rounds of some two seconds, all of a round
# beside each other, forwards and backwards in turn, under the machine's lock. What can be reached is
# asked, so of each the fastest sample counts; the median is told beside it.
#
# Exit code 1 when our triad is below 95 % of the plain one, or the multiply-adds are below 95 % of
# what the clock allows.
set -eu
LC_ALL=C
export LC_ALL

root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
assay=$root/build/bin/assay
self=$root/tests/bench/stream.sh
flags='-O3 -march=native'
elements=16777216 # of a vector, 128 MiB
multiply_adds=25165824 # half a millisecond and more
additions=2097152

# Written from the rules of STREAM alone: three vectors of doubles, a = b + s * c, bytes counted as read
# and written by the source, every thread the same part each time and first to touch it.
write_plain() {
	cat <<-'C'
	#define _GNU_SOURCE
	#include <pthread.h>
	#include <sched.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <sys/mman.h>
	#include <time.h>

	enum { SAMPLES = 11 };
	static long n, threads;
	static double *a, *b, *c, s = 3;
	static pthread_barrier_t barrier;

	static double now(void)
	{
		struct timespec t;

		clock_gettime(CLOCK_MONOTONIC_RAW, &t);
		return t.tv_sec + t.tv_nsec / 1e9;
	}

	static void triad(double *restrict x, const double *restrict y, const double *restrict z, long from, long to)
	{
		for (long i = from; i < to; i++)
			x[i] = y[i] + s * z[i];
	}

	static void *work(void *number)
	{
		long me = (long)number, from = n / threads * me, to = me == threads - 1 ? n : from + n / threads;
		double begin;
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(me, &set);
		sched_setaffinity(0, sizeof set, &set);
		for (long i = from; i < to; i++) {
			a[i] = 0;
			b[i] = i & 1023;
			c[i] = i >> 10 & 1023;
		}
		for (int k = 0; k <= SAMPLES; k++) {
			pthread_barrier_wait(&barrier);
			begin = now();
			triad(a, b, c, from, to);
			pthread_barrier_wait(&barrier);
			if (me == 0 && k > 0)
				printf("%.17g\n", 24.0 * n / (now() - begin));
		}
		for (long i = from; i < to; i++)
			if (a[i] != (double)(i & 1023) + s * (i >> 10 & 1023))
				exit(1);
		return NULL;
	}

	static double *vector(void)
	{
		size_t bytes = (n * sizeof(double) + (2 << 20) - 1) >> 21 << 21;
		double *x = aligned_alloc(2 << 20, bytes);

		if (!x)
			exit(1);
		madvise(x, bytes, MADV_HUGEPAGE); /* as our vectors; a kernel without them may refuse */
		return x;
	}

	int main(int argc, char **argv)
	{
		if (argc != 3)
			return 2;
		n = atol(argv[1]);
		threads = atol(argv[2]);
		pthread_t all[threads];
		a = vector();
		b = vector();
		c = vector();
		pthread_barrier_init(&barrier, NULL, threads);
		for (long i = 1; i < threads; i++)
			pthread_create(&all[i], NULL, work, (void *)i);
		work((void *)0);
		for (long i = 1; i < threads; i++)
			pthread_join(all[i], NULL);
		return 0;
	}
	C
}

compile() {
	write_plain >"$1/plain.c"
	cc $flags "$1/plain.c" -pthread -o "$1/plain"
	cd -- "$root/kernels"
	cc $flags -I. machine_lab.c machine/*.c harness/*.c -lm -pthread -o "$1/machine_lab"
	cd -- "$1"
}

# What is run in a round: who, threads.
list_runs() {
	for threads in 1 $(nproc); do
		echo "plain $threads"
		echo "triad $threads"
		echo "triad_nt $threads"
	done | sort -u
	echo 'fma 1'
	echo 'cycles 1'
}

# Who, threads, and a rate a line.
one_run() { # WHO THREADS
	case $1 in
	plain) ./plain $elements "$2" | sed "s/^/$1 $2 /" ;;
	fma) ./machine_lab --kernel=fma --n=$multiply_adds --samples=101 | awk '$1 == "RESULT" { print "fma 1", $4 }' ;;
	cycles) ./machine_lab --kernel=cycles --n=$additions --samples=101 | awk '$1 == "RESULT" { print "cycles 1", $4 }' ;;
	*)
		./machine_lab --kernel="$1" --n=$elements --threads="$2" --samples=11 |
			awk -v what="$1 $2" '$2 == "bytes_per_s" { print what, $3 }'
		;;
	esac
}

measure() { # ROUNDS
	list_runs >forwards
	tac forwards >backwards
	round=0
	while [ "$round" -lt "$1" ]; do
		order=forwards
		[ $((round % 2)) -eq 0 ] || order=backwards
		while read -r who threads; do
			one_run "$who" "$threads" </dev/null
		done <$order
		round=$((round + 1))
	done
}

print_tables() {
	sort -k1,1 -k2,2n -k3,3g | awk -v lanes="$1" '
		{
			key = $1 " " $2
			rate[key, ++n[key]] = $3 / 1e9
			best[key] = $3 / 1e9
			most = $2 > most ? $2 : most
		}
		function median(key) { return rate[key, int((n[key] + 1) / 2)] }
		END {
			print "| threads | plain triad, GB/s (median) | our triad | share | past the caches |"
			print "|---|---|---|---|---|"
			for (t = 1; t <= most; t++) {
				if (!(("plain " t) in best))
					continue
				share = 100 * best["triad " t] / best["plain " t]
				low = low || share < 95
				printf "| %d | %.1f (%.1f) | %.1f (%.1f) | %.0f %% | %.1f (%.1f) |\n", t, best["plain " t],
					median("plain " t), best["triad " t], median("triad " t), share,
					best["triad_nt " t], median("triad_nt " t)
			}
			clock = best["cycles 1"]
			pipes = int(best["fma 1"] / (2 * lanes * clock) + 0.5)
			pipes = pipes < 1 ? 1 : pipes
			share = 100 * best["fma 1"] / (2 * lanes * pipes * clock)
			low = low || share < 95
			print ""
			print "| clock, GHz (median) | lanes * 2 * pipes | allows, GFLOP/s | multiply-adds, GFLOP/s (median) | share |"
			print "|---|---|---|---|---|"
			printf "| %.3f (%.3f) | %d * 2 * %d | %.1f | %.1f (%.1f) | %.0f %% |\n", clock, median("cycles 1"),
				lanes, pipes, 2 * lanes * pipes * clock, best["fma 1"], median("fma 1"), share
			exit low
		}'
}

if [ "${1-}" = --inside ]; then
	measure "$2"
	exit
fi
rounds=${1-11}
case $rounds in
'' | *[!0-9]* | 0)
	echo 'usage: tests/bench/stream.sh [ROUNDS]' >&2
	exit 2
	;;
esac
[ -x "$assay" ] || {
	echo "stream.sh: $assay is not there; './bootstrap tool' builds it" >&2
	exit 1
}
folder=$(mktemp -d)
trap 'cd / && rm -rf "$folder"' EXIT
compile "$folder"
widest=$(./machine_lab --kernel=fma --width=1 2>&1 | sed 's/.*[ ,]//')
"$assay" lock exclusive -- "$self" --inside "$rounds" >rates
print_tables $((widest / 64)) <rates

# SPDX-License-Identifier: GPL-3.0-or-later
"""out = a*b + c in Python: by numpy, or in the language alone (pure).

Speaks the line protocol of docs/protocol.md and takes the options of the C harness. Both ways
round twice, the product and then the sum. `auto` takes numpy where it is. `pure` is some
hundred times slower: it makes 8 passes a sample, however many were asked for, and says so in CFG.
"""

import os
import struct
import sys
import time

PURE_PASSES = 8
WORK = 1 << 30
OPTIONS = {"kernel": "auto", "n": 16384, "iters": 1, "samples": 10, "warmup-samples": 1}


def fail(code, text):
    print("speed.py: " + text, file=sys.stderr)
    sys.exit(code)


def parse(arguments):
    options = dict(OPTIONS)
    for argument in arguments:
        name, equals, value = argument[2:].partition("=")
        if not argument.startswith("--") or not equals or name not in options:
            fail(2, f'unknown option "{argument}"; there is: --' + "=, --".join(options) + "=")
        if name != "kernel":
            if not value.isascii() or not value.isdigit():
                fail(2, f"{argument}: must be a whole number")
            value = int(value)
        options[name] = value
    if options["kernel"] not in ("auto", "numpy", "pure"):
        fail(2, f'no kernel is called "{options["kernel"]}"; there is: auto numpy pure')
    if min(options["n"], options["iters"], options["samples"]) < 1:
        fail(2, "--n, --iters and --samples must be at least 1")
    return options


def fill(n):
    """The minimal-standard generator, seed 12345; a, b, c drawn one after the other."""
    state = 12345
    vectors = ([], [], [])
    for _ in range(n):
        for vector in vectors:
            state = state * 48271 % 2147483647
            vector.append(state / 2147483647.0)
    return vectors


class Numpy:
    name = "numpy"

    def __init__(self, vectors, iters):
        import numpy

        self.numpy = numpy
        self.a, self.b, self.c = (numpy.array(v) for v in vectors)
        self.out = numpy.empty_like(self.a)
        self.iters = iters

    def sample(self):
        a, b, c, out = self.a, self.b, self.c, self.out
        multiply, add = self.numpy.multiply, self.numpy.add
        for _ in range(self.iters):
            multiply(a, b, out=out)
            add(out, c, out=out)

    def output(self):
        return self.out.tolist()


class Pure:
    name = "pure"

    def __init__(self, vectors, iters):
        self.vectors = vectors
        self.iters = min(iters, PURE_PASSES)

    def sample(self):
        a, b, c = self.vectors
        for _ in range(self.iters):
            self.out = [x * y + z for x, y, z in zip(a, b, c)]

    def output(self):
        return self.out


def choose(kernel, vectors, iters):
    if kernel != "pure":
        try:
            return Numpy(vectors, iters)
        except ImportError as problem:
            if kernel == "numpy":
                fail(1, f"there is no numpy: {problem}")
    return Pure(vectors, iters)


def pin():
    """To the last CPU that it may use, as the harness does."""
    try:
        cpu = max(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cpu})
    except OSError:
        return -1
    return cpu


def timed(sample):
    wall, cpu = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW), time.thread_time_ns()
    sample()
    cpu, wall = time.thread_time_ns() - cpu, time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) - wall
    return wall, cpu


def check(doubles):
    """The harness's: docs/protocol.md."""
    h = 8 * len(doubles)
    for (word,) in struct.iter_unpack("<Q", struct.pack(f"<{len(doubles)}d", *doubles)):
        h = (h ^ word) * 0x9E3779B97F4A7C15 % 2**64
        h ^= h >> 32
    return f"0x{h:016x}"


def main(arguments):
    options = parse(arguments)
    n = options["n"]
    if n % 4 != 0 or WORK % n != 0:
        fail(1, f"--n={n} must divide 2^30 and be a multiple of 4: a power of two from 4 up")
    cpu = pin()
    vectors = fill(n)
    work = choose(options["kernel"], vectors, options["iters"])
    work.sample()
    if work.output() != [x * y + z for x, y, z in zip(*vectors)]:
        fail(1, f"{work.name} computes a wrong result, nothing was timed")
    for _ in range(options["warmup-samples"]):
        work.sample()
    times = [timed(work.sample) for _ in range(options["samples"])]
    flops = 2 * n * work.iters
    lines = [f"CFG {n} {work.iters}", f"MODE {work.name}", f"AFFINITY {cpu}"]
    for wall, cpu_ns in times:
        lines.append("RESULT %.17g %.17g %.17g" % (wall / 1e3, cpu_ns / 1e3, flops * 1e9 / wall))
    lines.append("CHECK " + check(work.output()))
    print("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1:])

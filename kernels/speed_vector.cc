/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * out = a*b + c as a C++ programmer writes it: four std::vector, the generator of the standard
 * library, the loop for the compiler to vectorise. How it rounds is the compiler's flags, as in
 * speed_loop.c.
 */
#include <new>
#include <random>
#include <vector>

#include "speed/data.h"

namespace {

struct speed_vectors {
	std::vector<double> a, b, c, out;
};

/* The same bits as speed/data.c: std::minstd_rand is that generator. */
void
fill(speed_vectors &vectors, std::size_t n)
{
	std::minstd_rand generator(12345);
	auto draw = [&generator] { return static_cast<double>(generator()) / 2147483647.0; };

	vectors.out.assign(n, -1);
	for (std::size_t i = 0; i < n; i++) {
		vectors.a.push_back(draw());
		vectors.b.push_back(draw());
		vectors.c.push_back(draw());
	}
}

void
tear_down(void *state)
{
	delete static_cast<speed_vectors *>(state);
}

/* No exception may leave: it is C that calls. */
int
set_up(void **state, assay_error *error)
{
	*state = nullptr;
	if (speed_length_check(error) != 0)
		return -1;
	try {
		auto *vectors = new speed_vectors;

		*state = vectors;
		fill(*vectors, speed_length);
	} catch (const std::bad_alloc &) {
		return assay_fail(error, "no memory for four vectors of %llu elements",
				  static_cast<unsigned long long>(speed_length));
	}
	return 0;
}

__attribute__((noinline)) void
loop(const double *__restrict a, const double *__restrict b, const double *__restrict c,
     double *__restrict out, std::size_t n)
{
	for (std::size_t i = 0; i < n; i++)
		out[i] = a[i] * b[i] + c[i];
}

void
pass(void *state)
{
	auto &vectors = *static_cast<speed_vectors *>(state);

	loop(vectors.a.data(), vectors.b.data(), vectors.c.data(), vectors.out.data(), vectors.out.size());
}

/* The vectors as the reference in C takes them; it writes nothing. */
speed_data
as_data(const void *state)
{
	const auto &vectors = *static_cast<const speed_vectors *>(state);

	return {vectors.out.size(), const_cast<double *>(vectors.a.data()),
		const_cast<double *>(vectors.b.data()), const_cast<double *>(vectors.c.data()),
		const_cast<double *>(vectors.out.data())};
}

int
check(const void *state, assay_error *error)
{
	const speed_data data = as_data(state);

	return speed_data_check(&data, SPEED_FMA, 1, error);
}

void
work(const void *state, assay_work *done)
{
	const speed_data data = as_data(state);

	speed_data_work(&data, SPEED_FMA, done);
}

const assay_option options[] = {
	SPEED_LENGTH_OPTION,
	{nullptr, nullptr, 0, 0, nullptr},
};

const assay_kernel kernels[] = {
	{"vector", "out = a*b + c on std::vector, as the compiler makes it", set_up, pass, check, work,
	 tear_down, false},
	{nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, false},
};

} /* namespace */

const struct assay_program assay_program = {
	"speed_vector",
	"out = a*b + c on std::vector",
	options,
	kernels,
};

// A vector grows by ten or by a thousand elements, with its room made beforehand or not.
#include <benchmark/benchmark.h>

#include <vector>

static void
BM_push_back(benchmark::State &state)
{
	for (auto _ : state) {
		std::vector<int> numbers;
#ifdef RESERVE
		numbers.reserve(static_cast<size_t>(state.range(0)));
#endif
		for (int i = 0; i < state.range(0); i++)
			numbers.push_back(i);
		benchmark::DoNotOptimize(numbers.data());
	}
}
BENCHMARK(BM_push_back)->Arg(10)->Arg(1000);

// What the change does not touch.
static void
BM_sum(benchmark::State &state)
{
	std::vector<int> numbers(1000, 1);

	for (auto _ : state) {
		int sum = 0;

		for (int number : numbers)
			sum += number;
		benchmark::DoNotOptimize(sum);
	}
}
BENCHMARK(BM_sum);

BENCHMARK_MAIN();

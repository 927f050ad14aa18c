/* Counts the primes below a number. Change it: what does the report say then? */
#include <stdio.h>
#include <stdlib.h>

static int
is_prime(unsigned n)
{
	unsigned d;

	for (d = 2; d * d <= n; d++)
		if (n % d == 0)
			return 0;
	return n >= 2;
}

int
main(int argc, char **argv)
{
	unsigned long most = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000, n, count = 0;

	for (n = 0; n < most; n++)
		count += (unsigned long)is_prime((unsigned)n);
	printf("%lu\n", count);
	return 0;
}

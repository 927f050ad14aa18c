#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	size_t i, bytes = 1024 * strtoull(argc > 1 ? argv[1] : "0", NULL, 10);
	volatile char *block = malloc(bytes + 1);

	for (i = 0; i < bytes; i += 4096)
		block[i] = 1;
	puts("hello");
	return 0;
}

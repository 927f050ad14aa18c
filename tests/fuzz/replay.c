#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"

/*
 * The main of a fuzz target where libFuzzer is not at hand (gcc): runs each file named once.
 * With clang -fsanitize=fuzzer leave it out.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
main(int argc, char **argv)
{
	struct error error = {0};
	int i;

	for (i = 1; i < argc; i++) {
		struct buffer bytes = BUFFER_EMPTY;

		if (file_read(argv[i], 0, &bytes, &error) != 0)
			return error_print(&error);
		LLVMFuzzerTestOneInput((const uint8_t *)buffer_text(&bytes), bytes.length);
		buffer_free(&bytes);
	}
	printf("%d inputs replayed\n", argc - 1);
	return 0;
}

#include "base/consent.h"

#include <unistd.h>

bool
consent_can_ask(void)
{
	return isatty(STDIN_FILENO);
}

bool
consent_ask(const char *question, FILE *out)
{
	char answer[64] = "";

	fprintf(out, "%s [y/N] ", question);
	fflush(out);
	return fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y');
}

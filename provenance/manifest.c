#include "provenance/manifest.h"

#include <string.h>

#include "provenance/contents.h"

enum manifest_line
manifest_line_look(const char *line, size_t length, bool payload)
{
	const char *name = line + MANIFEST_NAME;

	if (length <= MANIFEST_NAME || strspn(line, "0123456789abcdefABCDEF") != 128 || line[128] != ' ' ||
	    (line[129] != ' ' && line[129] != '*'))
		return MANIFEST_LINE_NONE;
	if (!contents_name_is_safe(name, length - MANIFEST_NAME) ||
	    (strncmp(name, "data/", 5) == 0) != payload || strcmp(name, TAG_MANIFEST) == 0)
		return MANIFEST_LINE_MISPLACED;
	return MANIFEST_LINE_GOOD;
}

#include "cli/form.h"

#include "base/memory.h"
#include "graph/graph.h"

char *
form_base(const char *form)
{
	return form != NULL ? memory_format(FORM_FOLDER, form) : memory_copy_text("build");
}

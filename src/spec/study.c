#include "spec/study.h"

#include "base/buffer.h"

char *
study_point_text(const struct point *point)
{
	struct buffer text = BUFFER_EMPTY;
	size_t i;

	for (i = 0; i < point->count; i++)
		buffer_printf(&text, "%s%s=%s", i > 0 ? ", " : "", point->items[i].name,
			      point->items[i].text);
	return buffer_detach(&text);
}

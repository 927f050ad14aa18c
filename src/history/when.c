#include "history/when.h"

#include <string.h>

void
when_put(const char *time, struct buffer *out)
{
	if (strlen(time) < 19 || time[10] != 'T')
		buffer_puts(out, time[0] != '\0' ? time : "at an unknown time");
	else
		buffer_printf(out, "%.10s %.8s UTC", time, time + 11);
}

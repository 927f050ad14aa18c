#include "base/clock.h"

#include <stdio.h>
#include <time.h>

static int64_t
read_clock(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t
clock_realtime_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t
clock_monotonic_ns(void)
{
	return read_clock(CLOCK_MONOTONIC_RAW);
}

void
clock_text(int64_t realtime_ns, char text[CLOCK_TEXT])
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	char day[32];
	struct tm parts;

	gmtime_r(&seconds, &parts);
	strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
	snprintf(text, CLOCK_TEXT, "%s.%09dZ", day, (int)(realtime_ns % 1000000000));
}

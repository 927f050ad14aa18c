#include "spec/watchdog.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static const struct host *volatile watched;

/* snprintf of these asks for no memory, and what was interrupted is a loop over characters. */
static void
bark(int signal_number)
{
	const struct host *host = watched;
	const char *path = host->running != NULL ? host->running->path : host->entry;
	char text[700];
	int length = snprintf(text, sizeof text, "assay: %.300s:%d: stopped here after a minute without an end; "
			      "a pattern that is hard to match (string.find, match, gsub) can take for ever\n",
			      path, host->last_line);

	(void)signal_number;
	if (write(STDERR_FILENO, text, (size_t)length) < 0)
		_exit(EXIT_FAILED);
	_exit(EXIT_BAD_INPUT);
}

static void
set_timer(int cpu_seconds)
{
	struct itimerval timer = {{0, 0}, {cpu_seconds, 0}};

	setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

void
watchdog_begin(struct host *host, int cpu_seconds)
{
	struct sigaction action;

	watched = host;
	memset(&action, 0, sizeof action);
	action.sa_handler = bark;
	sigemptyset(&action.sa_mask);
	sigaction(SIGVTALRM, &action, NULL);
	set_timer(cpu_seconds);
}

void
watchdog_end(void)
{
	set_timer(0);
	signal(SIGVTALRM, SIG_DFL);
}

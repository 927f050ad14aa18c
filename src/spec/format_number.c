#include "spec/format_number.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/fail.h"
#include "spec/value.h"

#define DIGITS 15
#define FORMATTED 400 /* DBL_MAX has 309 digits before the point */

static double
number_argument(lua_State *L, const char *name)
{
	if (lua_type(L, 1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, 1)))
		fail_here(L, "%s: expected a finite number, not %s", name, value_describe(L, 1));
	return lua_tonumber(L, 1);
}

static int
digits_argument(lua_State *L, const char *name, int otherwise)
{
	lua_Integer digits = luaL_optinteger(L, 2, otherwise);

	if (digits < 0 || digits > DIGITS)
		fail_here(L, "%s: digits must be from 0 to %d", name, DIGITS);
	return (int)digits;
}

/* "-0.00" is 0.00 to a reader. */
static void
print_fixed(char text[FORMATTED], double x, int digits)
{
	snprintf(text, FORMATTED, "%.*f", digits, x);
	if (text[0] == '-' && strspn(text, "-0.") == strlen(text))
		memmove(text, text + 1, strlen(text));
}

int
format_fixed(lua_State *L)
{
	char text[FORMATTED];

	print_fixed(text, number_argument(L, "fixed"), digits_argument(L, "fixed", 2));
	lua_pushstring(L, text);
	return 1;
}

int
format_percent(lua_State *L)
{
	char text[FORMATTED];

	print_fixed(text, number_argument(L, "percent") * 100, digits_argument(L, "percent", 1));
	lua_pushfstring(L, "%s %%", text);
	return 1;
}

int
format_integer(lua_State *L)
{
	char text[FORMATTED];

	print_fixed(text, number_argument(L, "integer"), 0);
	lua_pushstring(L, text);
	return 1;
}

int
format_si(lua_State *L)
{
	static const char *const prefixes[] = {"q", "r", "y", "z", "a", "f", "p", "n", "\xc2\xb5", "m", "",
					       "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q"};
	const int none = 10, last = 20;
	double x = number_argument(L, "si"), scaled = x;
	const char *unit = luaL_optstring(L, 2, "");
	int step = none, digits;
	char text[FORMATTED];

	while (x != 0 && fabs(scaled) >= 999.5 && step < last) {
		scaled = x / pow(1000, ++step - none);
	}
	while (x != 0 && fabs(scaled) < 0.9995 && step > 0)
		scaled = x * pow(1000, none - --step);
	digits = fabs(scaled) >= 99.95 ? 0 : fabs(scaled) >= 9.995 ? 1 : 2;
	if (x == floor(x) && step == none)
		digits = 0; /* a small count is exact */
	print_fixed(text, scaled, digits);
	lua_pushfstring(L, "%s%s%s%s", text, prefixes[step][0] != '\0' || unit[0] != '\0' ? " " : "",
			prefixes[step], unit);
	return 1;
}

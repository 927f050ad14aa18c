#include "report/html.h"

#include <md4c-html.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

static const char style[] =
	"body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;"
	"color:#1a1a1a;background:#fff}"
	"h1{font-size:1.6rem;margin-top:2rem}h2{font-size:1.2rem}"
	"table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto;font-size:.9rem}"
	"th,td{border:1px solid #ccc;padding:.25rem .6rem;text-align:left;vertical-align:top}"
	"th{background:#f2f2f2}code,pre{font-family:ui-monospace,monospace;font-size:.9em}"
	"pre{background:#f6f6f6;padding:.8rem;overflow-x:auto}figure{margin:1.5rem 0}"
	"figure svg{max-width:100%;height:auto}figcaption{font-size:.9rem;color:#444}"
	"hr{border:0;border-top:2px solid #ddd;margin:2.5rem 0}";

static void
collect(const MD_CHAR *text, MD_SIZE length, void *buffer)
{
	buffer_append(buffer, text, length);
}

static void
put_escaped(const char *text, struct buffer *out)
{
	for (; *text != '\0'; text++)
		switch (*text) {
		case '<': buffer_puts(out, "&lt;"); break;
		case '>': buffer_puts(out, "&gt;"); break;
		case '&': buffer_puts(out, "&amp;"); break;
		case '"': buffer_puts(out, "&quot;"); break;
		default: buffer_putc(out, *text);
		}
}

/*
 * Two SVG in one page must not share ids: gnuplot's are the same in every file. All ids and
 * references to them get the figure's number in front.
 */
static void
put_svg(const char *svg, unsigned number, struct buffer *out)
{
	static const char *const marks[] = {"id=\"", "id='", "href=\"#", "href='#", "url(#"};
	const char *start = strstr(svg, "<svg");
	size_t m;

	for (svg = start != NULL ? start : svg; *svg != '\0';) {
		for (m = 0; m < sizeof marks / sizeof *marks; m++)
			if (strncmp(svg, marks[m], strlen(marks[m])) == 0)
				break;
		if (m < sizeof marks / sizeof *marks) {
			buffer_printf(out, "%sf%u-", marks[m], number);
			svg += strlen(marks[m]);
		} else {
			buffer_putc(out, *svg++);
		}
	}
}

static char *
attribute(const char *tag, const char *end, const char *name)
{
	char *mark = memory_format("%s=\"", name);
	const char *at = memmem(tag, (size_t)(end - tag), mark, strlen(mark));
	const char *stop;

	free(mark);
	if (at == NULL)
		return NULL;
	at = strchr(at, '"') + 1;
	stop = strchr(at, '"');
	return stop != NULL && stop < end ? memory_copy_span(at, (size_t)(stop - at)) : NULL;
}

static int
put_figure(const char *source, const char *caption, const char *folder, unsigned number,
	   struct buffer *out, struct error *error)
{
	char *path = memory_format("%s/%s", folder, source);
	struct buffer svg = BUFFER_EMPTY;
	int result = file_read(path, 0, &svg, error);

	if (result == 0) {
		buffer_puts(out, "<figure>");
		put_svg(buffer_text(&svg), number, out);
		buffer_printf(out, "<figcaption>%s</figcaption></figure>", caption != NULL ? caption : "");
	}
	buffer_free(&svg);
	free(path);
	return result;
}

/* md4c wrote <img src="figures/….svg" alt="caption">; those become figures. */
static int
inline_figures(const char *html, const char *folder, struct buffer *out, struct error *error)
{
	const char *tag, *end;
	unsigned number = 0;

	while ((tag = strstr(html, "<img ")) != NULL && (end = strchr(tag, '>')) != NULL) {
		char *source = attribute(tag, end, "src"), *caption = attribute(tag, end, "alt");
		int result = 0;

		buffer_append(out, html, (size_t)(tag - html));
		if (source != NULL && strncmp(source, "figures/", 8) == 0)
			result = put_figure(source, caption, folder, ++number, out, error);
		else
			buffer_append(out, tag, (size_t)(end + 1 - tag));
		free(source);
		free(caption);
		if (result != 0)
			return -1;
		html = end + 1;
	}
	buffer_puts(out, html);
	return 0;
}

int
html_write(const char *title, const struct buffer *markdown, const char *folder,
	   struct buffer *out, struct error *error)
{
	struct buffer body = BUFFER_EMPTY;
	int result;

	if (md_html(buffer_text(markdown), (MD_SIZE)markdown->length, collect, &body,
		    MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_STRIKETHROUGH, 0) != 0) {
		buffer_free(&body);
		return error_set(error, EXIT_FAILED, "md4c cannot render the report");
	}
	/* The policy is for links such as javascript:, in the report of somebody else's bundle. */
	buffer_puts(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
			 "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src "
			 "'none'; base-uri 'none'\">"
			 "<meta name=\"viewport\" content=\"width=device-width\"><title>");
	put_escaped(title, out);
	buffer_printf(out, "</title><style>%s</style></head><body>\n", style);
	result = inline_figures(buffer_text(&body), folder, out, error);
	buffer_puts(out, "</body></html>\n");
	buffer_free(&body);
	return result;
}

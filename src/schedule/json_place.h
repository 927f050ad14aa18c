#ifndef ASSAY_JSON_PLACE_H
#define ASSAY_JSON_PLACE_H

/*
 * The line, from 1, at which the value at `path` ("treatments[1].program.path"; "" is the whole)
 * starts in a JSON text that jansson has accepted, since jansson forgets the lines of what it
 * read. Where there is no such value, the line of the nearest thing around it that is there.
 */
int json_place_line(const char *text, const char *path);

#endif

/* The command line: which eras to speak, how messages are told apart, how long a page of a list is. */
#include "server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
    "usage: mcp-example-server [--era both|legacy|modern] [--framing newline|content-length] [--page-size N]\n"
    "\n"
    "A Model Context Protocol server over stdin and stdout, for demos and tests.\n"
    "\n"
    "  --era both            (default) initialize handshake and 2026-07-28, in one process\n"
    "  --era legacy          initialize only; server/discover is an unknown method\n"
    "  --era modern          2026-07-28 only; initialize is refused\n"
    "  --framing newline     (default) one message per line\n"
    "  --framing content-length   a Content-Length header before each message\n"
    "  --page-size N         cut every list into pages of N entries (default: one page)\n"
    "  --help, --version";

/* The word among `known` (the last one is NULL) that `given` is; NULL if it is not there. */
static const char *one_of(const char *given, const char *const *known) {
    while (*known != NULL && strcmp(given, *known) != 0) {
        known++;
    }
    return *known;
}

static int complain(const char *what, const char *value) {
    fprintf(stderr, "mcp-example-server: %s%s\n%s\n", what, value, USAGE);
    return 2;
}

/* The value of `name` if `argument` is `name` or `name=value`; then `*at` is moved to the value's argument. NULL if
 * `argument` is another one, "" if there is no value. */
static const char *value_of(const char *name, int argc, char **argv, int *at) {
    const char *given = argv[*at];
    size_t length = strlen(name);
    if (strncmp(given, name, length) != 0 || (given[length] != '\0' && given[length] != '=')) {
        return NULL;
    }
    if (given[length] == '=') {
        return given + length + 1;
    }
    return *at + 1 < argc ? argv[++*at] : "";
}

static bool read_size(const char *text, long *size) {
    char *end = NULL;
    errno = 0;
    *size = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *size > 0;
}

int read_options(int argc, char **argv, struct options *options) {
    static const char *const eras[] = {"both", "legacy", "modern", NULL};
    static const char *const framings[] = {"newline", "content-length", NULL};
    *options = (struct options){"both", "newline", 0};
    for (int at = 1; at < argc; at++) {
        const char *value = NULL;
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            return puts(USAGE) < 0;
        }
        if (strcmp(argv[at], "--version") == 0) {
            return printf("mcp-example-server %s\n", mcp_version()) < 0;
        }
        if ((value = value_of("--era", argc, argv, &at)) != NULL) {
            if ((options->era = one_of(value, eras)) == NULL) {
                return complain("no such era: ", value);
            }
        } else if ((value = value_of("--framing", argc, argv, &at)) != NULL) {
            if ((options->framing = one_of(value, framings)) == NULL) {
                return complain("no such framing: ", value);
            }
        } else if ((value = value_of("--page-size", argc, argv, &at)) != NULL) {
            if (!read_size(value, &options->page_size)) {
                return complain("--page-size needs a number above 0, found ", value);
            }
        } else {
            return complain("unknown argument: ", argv[at]);
        }
    }
    return -1;
}

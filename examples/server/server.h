/*
 * What the files of the example server share.
 *
 * main.c reads the command line and serves; tools.c, asking.c and catalog.c say what there is; timetable.c has the calls of
 * the tool that takes its time. result.c writes answers.
 */
#ifndef EXAMPLE_SERVER_H
#define EXAMPLE_SERVER_H

#include <mcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- options.c ---- */

struct options {
    const char *era;     /* "both", "legacy" or "modern" */
    const char *framing; /* as the library calls it */
    long page_size;      /* of every list; 0 for one page */
};

/* Reads the command line. Returns -1 to serve, else the exit status: what there was to say is said. */
int read_options(int argc, char **argv, struct options *options);

/* ---- timetable.c: calls that are answered later ---- */

struct timetable;

struct timetable *timetable_new(void);
void timetable_free(struct timetable *timetable);

/* Takes a request, which it answers with this text in so many milliseconds, and frees. Meanwhile the client gets `steps` reports
 * of progress, if it wants any. The text is formatted. */
void timetable_add(struct timetable *timetable, mcp_message_t *request, int64_t ms, int64_t steps, const char *pattern,
                   ...);

/* Forgets the request with this number, if it is one of them: its client does not want the answer any more. */
void timetable_cancel(struct timetable *timetable, uint64_t call_id);

/* Sends what is due. */
void timetable_run(struct timetable *timetable);

/* The milliseconds until something is due; -1 if nothing is. */
int32_t timetable_wait(const struct timetable *timetable);

/* ---- tools.c, asking.c, catalog.c: each adds its part; false after a failure, which it reports ---- */

bool add_tools(mcp_server_t *server);
bool add_asking(mcp_server_t *server);
bool add_catalog(mcp_server_t *server);

/* Does a call of a tool that has no handler, and frees it. */
void call_tool(mcp_message_t *request, struct timetable *timetable);

/* Reports a failure of the library on standard error, and releases the error object. Returns whether all went well. */
bool went_well(mcp_status_t status, char *error);

#define DEMO_GREETING "demo://greeting"
#define DEMO_LOGO "demo://logo"

/* ---- result.c: answers, and what a request says ---- */

/* A member of the arguments of a tool's call. The library has checked it against the tool's schema. */
mcp_value_t argument_of(const mcp_message_t *request, const char *name);
int64_t number_argument(const mcp_message_t *request, const char *name, int64_t otherwise);
bool flag_argument(const mcp_message_t *request, const char *name, bool otherwise);

/* A formatted text of any length; free() it. NULL if there is no memory. */
char *formatted(const char *pattern, ...);
char *formatted_list(const char *pattern, va_list values);

/* Answers with a text that is formatted, and frees the request. A tool that failed says so to the model. */
void answer(mcp_message_t *request, const char *pattern, ...);
void answer_failure(mcp_message_t *request, const char *pattern, ...);

/* Answers with a result that a builder has, and frees both. */
void answer_built(mcp_message_t *request, mcp_builder_t *result);

/* Whether the revision of the client is this one or a later one: revisions sort as text. */
bool is_since(const mcp_message_t *request, const char *revision);

#endif

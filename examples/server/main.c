/*
 * A server over the standard streams, in both eras: the initialize handshake, and the metadata of each request. The demo and
 * the tests run against it, and it shows what a server has besides one tool: resources, prompts, completions, questions,
 * log messages, and calls that take long.
 *
 *   cargo build --release -p mcp-example-server
 *
 * or, with the library installed:
 *
 *   cc -std=c11 *.c $(pkg-config --cflags --libs mcp) -o mcp-example-server
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a test may do to this server: start ten thousand calls at once, read nothing for a minute, ask for 256 MiB, leave a
 * question open. So its bounds are wider than a server needs that talks to strangers.
 *
 * "log_level": a client that has not said what it wants gets everything. "cache": nothing here changes for long. */
static const char CONFIG[] =
    "{\"name\": \"mcp-example-server\", \"title\": \"libmcp example server\", \"version\": \"%s\","
    " \"instructions\": \"A server for demos and tests. Start with the tool `echo`; `slow` and `ask` show progress and"
    " questions.\","
    " \"protocol\": \"%s\", \"framing\": \"%s\", \"page_size\": %ld, \"log_level\": \"debug\","
    " \"announce\": {\"logging\": true}, \"cache\": {\"ttl_ms\": 60000, \"scope\": \"public\"},"
    " \"limits\": {\"frame_bytes\": 67108864, \"outgoing_bytes\": 2147483648, \"session_requests\": 1000000,"
    " \"requests\": 1000000, \"queue_messages\": 1000000, \"queue_bytes\": 2147483648,"
    /* Tests have it send bursts. */
    " \"progress_per_second\": 1000000, \"logs_per_second\": 1000000},"
    " \"timeouts\": {\"request_ms\": 0, \"question_ms\": 86400000, \"write_ms\": 86400000, \"burst_ms\": 1}}";

static mcp_server_t *make_server(const struct options *options) {
    char *error = NULL;
    mcp_server_t *server = NULL;
    const char *protocol = strcmp(options->era, "both") == 0 ? "auto" : options->era;
    char *config = formatted(CONFIG, mcp_version(), protocol, options->framing,
                             options->page_size > 0 ? options->page_size : 1000000);
    bool made = config != NULL && went_well(mcp_server_new(config, NULL, &server, &error), error);
    free(config);
    if (made && add_tools(server) && add_catalog(server)) {
        return server;
    }
    mcp_server_free(server);
    return NULL;
}

/* A message that no handler takes: a call of a tool without one, or that a call is not wanted any more. */
static void take(mcp_message_t *message, struct timetable *timetable) {
    if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
        call_tool(message, timetable);
        return;
    }
    if (mcp_message_topic(message) == MCP_TOPIC_CANCELLED) {
        timetable_cancel(timetable, mcp_message_call_id(message));
    }
    mcp_message_free(message);
}

/* Serves until the client closes our standard input. Handlers run in mcp_server_poll(). */
static bool serve(mcp_server_t *server, struct timetable *timetable) {
    for (;;) {
        mcp_message_t *message = NULL;
        mcp_status_t status = mcp_server_poll(server, timetable_wait(timetable), &message);
        if (status == MCP_OK) {
            take(message, timetable);
        } else if (status != MCP_EMPTY) {
            return status == MCP_ERROR_CLOSED || went_well(status, NULL);
        }
        timetable_run(timetable);
    }
}

int main(int argc, char **argv) {
    struct options options;
    int status = read_options(argc, argv, &options);
    if (status >= 0) {
        return status;
    }
    struct timetable *timetable = timetable_new();
    mcp_server_t *server = timetable != NULL ? make_server(&options) : NULL;
    if (server != NULL) {
        char *error = NULL;
        fprintf(stderr, "mcp-example-server %s ready: pid %ld, era %s, framing %s\n", mcp_version(), (long)getpid(),
                options.era, options.framing);
        bool served =
            went_well(mcp_server_serve(server, "{\"stdio\": true}", NULL, &error), error) && serve(server, timetable);
        status = served ? 0 : 1;
    } else {
        status = 1;
    }
    timetable_free(timetable);
    mcp_server_free(server);
    return status;
}

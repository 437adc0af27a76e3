/* The tool `echo` as a program with libmcp offers it: its definition, and a handler that reads one argument and answers
 * with it. For the server whose calls are measured, and for the calls within one process. */
#ifndef ECHO_H
#define ECHO_H

#include "fail.h"

#include <mcp.h>
#include <pthread.h>
#include <unistd.h>

static void check(mcp_status_t status, char *error_json, const char *what)
{
    if (status != MCP_OK)
        fail("%s: %s %s", what, mcp_status_name(status), error_json != NULL ? error_json : "");
}

static void on_echo(void *user, mcp_message_t *request)
{
    (void)user;
    mcp_value_t arguments = mcp_value_get(mcp_message_value(request), "arguments");
    const char *text = mcp_value_string(mcp_value_get(arguments, "text"), NULL);
    char *error = NULL;
    check(mcp_request_respond_text(request, text, false, &error), error, "respond");
    mcp_message_free(request);
}

static inline mcp_server_t *new_echo_server_as(const char *config, mcp_queue_t *queue)
{
    static const char echo[] =
        "{\"name\":\"echo\",\"description\":\"Says it again\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
        "{\"text\":{\"type\":\"string\"}},\"required\":[\"text\"]}}";
    mcp_server_t *server = NULL;
    char *error = NULL;
    check(mcp_server_new(config, queue, &server, &error), error, "server_new");
    check(mcp_server_add_tool(server, echo, on_echo, NULL, NULL, &error), error, "add_tool");
    return server;
}

static inline mcp_server_t *new_echo_server(mcp_queue_t *queue)
{
    return new_echo_server_as("{\"name\":\"mcp-bench\",\"version\":\"1.0.0\"}", queue);
}

static void *wait_for_end_of_input(void *user)
{
    char rest[64];
    while (read(STDIN_FILENO, rest, sizeof rest) > 0)
        ;
    check(mcp_server_close(user, 10000), NULL, "close");
    return NULL;
}

/* Closes the server when the standard input of this program ends, on a thread which is to be joined. */
static inline pthread_t close_at_end_of_input(mcp_server_t *server)
{
    pthread_t closing;
    if (pthread_create(&closing, NULL, wait_for_end_of_input, server) != 0)
        fail("no thread");
    return closing;
}

#endif

/*
 * A server with one tool, over the standard streams: what an agent starts as a command. The tool echoes its text.
 *
 *   cc -std=c11 tool_server.c $(pkg-config --cflags --libs mcp) -o tool_server
 *   ./quickstart ./tool_server
 */
#include <mcp.h>
#include <signal.h>
#include <stdio.h>

static const char ECHO[] = "{\"name\": \"echo\", \"description\": \"Repeats a text\", \"inputSchema\": {\"type\": \"object\","
                           " \"properties\": {\"text\": {\"type\": \"string\"}}, \"required\": [\"text\"]}}";

/* Runs for each call, on the thread in mcp_server_run(). The library has checked the arguments against the schema. */
static void on_echo(void *user, mcp_message_t *request) {
    mcp_value_t arguments = mcp_value_get(mcp_message_value(request), "arguments");
    unsigned *calls = user;
    ++*calls;
    mcp_request_respond_text(request, mcp_value_string(mcp_value_get(arguments, "text"), NULL), false, NULL);
    mcp_message_free(request);
}

static mcp_server_t *server;

/* SIGINT or SIGTERM: mcp_server_run() returns MCP_WOKEN. A second one ends the program at once. */
static void on_end(int number) {
    signal(number, SIG_DFL);
    mcp_queue_wake(mcp_server_queue(server));
}

int main(void) {
    unsigned calls = 0;
    char *error = NULL;
    mcp_status_t status = mcp_server_new("{\"name\": \"tool_server\", \"version\": \"1.0\"}", NULL, &server, &error);
    signal(SIGINT, on_end), signal(SIGTERM, on_end);
    if (status != MCP_OK || mcp_server_add_tool(server, ECHO, on_echo, &calls, NULL, &error) != MCP_OK ||
        mcp_server_serve(server, "{\"stdio\": true}", NULL, &error) != MCP_OK) {
        fprintf(stderr, "%s\n", error);
        return mcp_string_free(error), mcp_server_free(server), 1;
    }
    printf("This goes to standard error, and does not disturb the protocol.\n");
    status = mcp_server_run(server, -1); /* until the client closes our standard input */
    fprintf(stderr, "served %u calls\n", calls);
    mcp_server_free(server);
    return status == MCP_ERROR_CLOSED || status == MCP_WOKEN ? 0 : 1;
}

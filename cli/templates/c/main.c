#include "server.h"

#include <signal.h>
#include <stdio.h>

static mcp_server_t *server;

static void on_end(int number) {
    signal(number, SIG_DFL);
    mcp_queue_wake(mcp_server_queue(server));
}

int main(void) {
    char *error = NULL;
    server = make_server(&error);
    if (server == NULL || mcp_server_serve(server, "{\"stdio\": true}", NULL, &error) != MCP_OK) {
        fprintf(stderr, "%s\n", error);
        return mcp_string_free(error), mcp_server_free(server), 1;
    }
    signal(SIGINT, on_end), signal(SIGTERM, on_end);
    mcp_status_t status = mcp_server_run(server, -1); /* until the client closes our standard input */
    mcp_server_free(server);
    return status == MCP_ERROR_CLOSED || status == MCP_WOKEN ? 0 : 1;
}

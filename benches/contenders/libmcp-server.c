/* A server with libmcp through its public C interface, whose calls the floor makes: one tool, handled on the thread that
 * serves, over the standard streams, or with --socket PATH at a Unix socket, where it serves until its standard input ends.
 * Nothing is tuned that a user would not know of. */
#include "echo.h"

#include <string.h>

int main(int count, char **words)
{
    mcp_server_t *server = new_echo_server(NULL);
    char *error = NULL, endpoint[256] = "{\"stdio\":true}";
    pthread_t closing;
    int at_socket = count == 5 && strcmp(words[3], "--socket") == 0;
    if (at_socket)
        snprintf(endpoint, sizeof endpoint, "{\"socket\":\"unix:%s\"}", words[4]);
    check(mcp_server_serve(server, endpoint, NULL, &error), error, "serve");
    if (at_socket) {
        puts("listening");
        fflush(stdout);
        closing = close_at_end_of_input(server);
    }
    mcp_status_t status = mcp_server_run(server, -1);
    if (status != MCP_ERROR_CLOSED)
        fail("run: %s", mcp_status_name(status));
    if (at_socket)
        pthread_join(closing, NULL);
    check(mcp_server_free(server), NULL, "free");
    return 0;
}

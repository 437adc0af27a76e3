/* A server with libmcp through its public C interface, whose calls the floor makes: one tool, handled on the thread that
 * serves, over the standard streams. Nothing is tuned that a user would not know of. */
#include "echo.h"

int main(void)
{
    mcp_server_t *server = new_echo_server(NULL);
    char *error = NULL;
    check(mcp_server_serve(server, "{\"stdio\":true}", NULL, &error), error, "serve");
    mcp_status_t status = mcp_server_run(server, -1);
    if (status != MCP_ERROR_CLOSED)
        fail("run: %s", mcp_status_name(status));
    check(mcp_server_free(server), NULL, "free");
    return 0;
}

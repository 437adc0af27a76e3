/*
 * A program that frees a request of the server without answering it: the library answers in its place, so the
 * server does not wait for ever and the call behind the question ends. The same holds for a program that
 * freed the client first.
 */
#include "check.h"

#define ASKING "\"capabilities\":{\"elicitation\":{}}"

static void check_freed(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--era", "legacy"), ASKING);
    start_tool(client, "ask", "{\"question\":\"Anybody?\"}",
               "{\"timeout_ms\":600000,\"max_total_ms\":600000}", 1);
    mcp_message_free(next_of_kind(client, MCP_KIND_REQUEST));
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), 1);
    CHECK_NE(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    mcp_message_free(reply);
    check_echo(client, "fine");
    close_and_free(client);
}

static void check_client_first(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--era", "legacy"), ASKING);
    start_tool(client, "ask", "{\"question\":\"Anybody?\"}", NULL, 1);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK(json_is(mcp_message_json(request, NULL), "/message", "Anybody?"));
    CHECK_STATUS(mcp_message_free(request), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_freed(argv[1]);
    check_client_first(argv[1]);
    check_nothing_left(before);
    return 0;
}

/*
 * A request of the server that was polled belongs to the program, which may keep it for longer than its client:
 * it can still be read, but holds no descriptor, thread or process of the library. For one that is freed without an
 * answer while its client is there the library answers, so the call behind it ends.
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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_freed(argv[1]);
    mcp_client_t *client = connected(argv[1], ARGS("--era", "legacy"), ASKING);
    start_tool(client, "ask", "{\"question\":\"Anybody?\"}", NULL, 1);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    check_nothing_left(before);

    CHECK_TEXT(mcp_message_method(request), "elicitation/create");
    CHECK(json_is(mcp_message_json(request, NULL), "/message", "Anybody?"));
    CHECK_STATUS(mcp_request_respond(request, "{\"action\":\"decline\"}", NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_message_free(request), MCP_OK);
    check_nothing_left(before);
    return 0;
}

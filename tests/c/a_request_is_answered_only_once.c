/*
 * The second answer to the same request of the server is refused with a reason and not sent; the first one
 * counts.
 */
#include "check.h"

static void check_requests(const char *server) {
    mcp_client_t *client =
        connected(server, ARGS("--era", "legacy"), "\"capabilities\":{\"elicitation\":{}}");
    char *error = NULL;
    start_tool(client, "ask", "{\"question\":\"Again?\"}", NULL, 1);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    const char *first = "{\"action\":\"accept\",\"content\":{\"answer\":\"first\"}}";
    const char *second = "{\"action\":\"accept\",\"content\":{\"answer\":\"second\"}}";
    CHECK_STATUS(mcp_request_respond(request, first, NULL), MCP_OK);
    CHECK_STATUS(mcp_request_respond(request, second, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(json_has(error, "/message"));
    mcp_string_free(error);
    CHECK_STATUS(mcp_request_respond_error(request, 1, "third", NULL, NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_TEXT(mcp_message_text(reply, NULL), "first");
    CHECK_STATUS(mcp_request_respond(request, second, NULL), MCP_ERROR_INVALID_ARGUMENT);
    mcp_message_free(reply);
    mcp_message_free(request);
    check_echo(client, "fine");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_requests(argv[1]);
    return 0;
}

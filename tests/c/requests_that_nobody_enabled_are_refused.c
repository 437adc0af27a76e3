/*
 * What a legacy server may ask without being answered by the program: ping gets its empty result from the
 * library, a method that the config did not enable or that is unknown gets error -32601 at once. None of
 * them reaches the program.
 */
#include "check.h"

static void check_refused(mcp_client_t *client, const char *tool, const char *arguments) {
    char *text = tool_text(client, tool, arguments);
    if (!json_is(text, "/responses/0/error/code", "-32601")) {
        FAIL("%s %s: %s", tool, arguments, text);
    }
    free(text);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[2], NULL, "\"capabilities\":{\"elicitation\":{}}");
    mcp_message_t *message = NULL;
    drain(client);
    char *text = tool_text(client, "ask_forever", "{\"count\":100}");
    CHECK(json_is(text, "/responses/0/result", "{}"));
    CHECK(json_is(text, "/responses/99/result", "{}"));
    free(text);
    check_refused(client, "unknown_request", "{}");
    check_refused(client, "second_initialize", "{}");
    check_refused(client, "ask_forever", "{\"method\":\"sampling/createMessage\"}");
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);

    /* The one that is enabled does reach it. */
    start_tool(client, "ask_forever", "{\"method\":\"elicitation/create\",\"wait_ms\":60000}", NULL, 1);
    message = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_TEXT(mcp_message_method(message), "elicitation/create");
    CHECK_STATUS(mcp_request_respond(message, "{\"action\":\"decline\"}", NULL), MCP_OK);
    mcp_message_free(message);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK(json_is(mcp_message_json(reply, NULL), "/structuredContent/responses/0/result/action", "decline"));
    mcp_message_free(reply);
    close_and_free(client);
    return 0;
}

/*
 * A modern server answers a call with a state and asks nothing: the call is sent again with that state, also by a client that
 * declares no capabilities, at most eight times. To the application it is one call.
 */
#include "check.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    mcp_client_t *client = connected(argv[2], ARGS("--era", "modern"), NULL);
    char *text = tool_text(client, "input_required", "{\"kind\":\"state_only\",\"rounds\":3}");
    CHECK_TEXT(text, "rounds: 3");
    free(text);
    text = tool_text(client, "input_required", "{\"kind\":\"state_only\",\"rounds\":8}");
    CHECK_TEXT(text, "rounds: 8");
    free(text);
    mcp_message_t *reply = call_tool(client, "input_required", "{\"kind\":\"state_only\",\"rounds\":9}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_PROTOCOL);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "more than 8 times");
    mcp_message_free(reply);
    reply = call_tool(client, "input_required", "{\"kind\":\"undeclared\"}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_PROTOCOL);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "has not declared");
    mcp_message_free(reply);
    check_echo(client, "on we go");
    close_and_free(client);
    check_nothing_left(before);
    return 0;
}

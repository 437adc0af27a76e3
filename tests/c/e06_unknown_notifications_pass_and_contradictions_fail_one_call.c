/*
 * Field fault E06: a notification of an unknown method reaches the program like any other, and an
 * answer that is result and error at once is a protocol error of its call alone. Neither harms the
 * connection.
 */
#include "check.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[2], NULL, NULL);
    mcp_message_t *message = NULL;
    free(tool_text(client, "unknown_notification", "{\"method\":\"notifications/from/the/future\"}"));
    CHECK_STATUS(mcp_poll_notification(client, patience(), &message), MCP_OK);
    CHECK_TEXT(mcp_message_method(message), "notifications/from/the/future");
    CHECK(json_is(mcp_message_json(message, NULL), "/a", "1"));
    mcp_message_free(message);

    static const char *const contradictions[] = {"both", "neither", "wrong_jsonrpc"};
    for (size_t i = 0; i < sizeof contradictions / sizeof contradictions[0]; i++) {
        mcp_message_t *reply = call_tool(client, contradictions[i], NULL, NULL);
        if (mcp_message_status(reply) != MCP_ERROR_PROTOCOL) {
            FAIL("%s gives %s", contradictions[i], mcp_message_json(reply, NULL));
        }
        CHECK(json_is(mcp_message_json(reply, NULL), "/operation", "tools/call"));
        mcp_message_free(reply);
        check_echo(client, "fine");
    }
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    CHECK_GE(json_number(info, "/counters/violations"), 3);
    mcp_string_free(info);
    close_and_free(client);
    return 0;
}

/*
 * A started call that is cancelled ends as MCP_ERROR_CANCELLED, at once and exactly once, however often it is
 * cancelled and also when it has ended already. Other calls on the same client do not notice. Cancelling a
 * call that was never made does no harm.
 */
#include "check.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    mcp_message_t *message = NULL;
    drain(client);
    uint64_t other = start_tool(client, "slow", "{\"ms\":500}", NULL, 2);
    uint64_t call = start_tool(client, "slow", "{\"ms\":3600000}", NULL, 1);
    CHECK_NE(call, other);
    long long begin = now_ms();
    CHECK_STATUS(mcp_call_cancel(client, call, "not needed \"any\" more"), MCP_OK);
    for (int i = 1; i < 10; i++) {
        CHECK_STATUS(mcp_call_cancel(client, call, NULL), MCP_EMPTY);
    }
    message = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_LE(now_ms() - begin, slack());
    CHECK_EQ(mcp_message_tag(message), 1);
    CHECK_EQ(mcp_message_call_id(message), call);
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_CANCELLED);
    CHECK(json_is(mcp_message_json(message, NULL), "/status", "cancelled"));
    CHECK(json_is(mcp_message_json(message, NULL), "/operation", "tools/call"));
    mcp_message_free(message);

    message = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(message), 2);
    CHECK_STATUS(mcp_message_status(message), MCP_OK);
    CHECK_TEXT(mcp_message_text(message, NULL), "waited 500 ms");
    mcp_message_free(message);

    CHECK_STATUS(mcp_call_cancel(client, call, NULL), MCP_EMPTY);
    CHECK_STATUS(mcp_call_cancel(client, other, NULL), MCP_EMPTY);
    CHECK_STATUS(mcp_call_cancel(client, UINT64_MAX, NULL), MCP_EMPTY);
    check_echo(client, "as ever");
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/cancelled"), 1);
    mcp_string_free(info);
    close_and_free(client);
    return 0;
}

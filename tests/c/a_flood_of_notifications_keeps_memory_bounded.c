/*
 * A server that sends a million notifications to a program that takes none: memory grows no further than the
 * queue's bound, the call behind the flood gets its answer, and delivered and lost together are all that was
 * sent.
 */
#include "check.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    int count = scaled(1000000, 20000);
    long long delivered = 0;
    long long lost = 0;
    mcp_message_t *message = NULL;
    mcp_client_t *client = connected(argv[2], NULL, "\"limits\":{\"queue_messages\":1000}");
    check_echo(client, "warm");
    drain(client);
    long before = memory_kib("VmRSS:");
    char *arguments = format("{\"count\":%d}", count);
    mcp_message_t *reply = call_tool(client, "flood", arguments, "{\"timeout_ms\":50000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "flooded");
    mcp_message_free(reply);
    free(arguments);
    if (scale() == 1) {
        CHECK_LE(memory_kib("VmRSS:") - before, 16384);
    }
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_LOST) {
            lost += json_number(mcp_message_json(message, NULL), "/count");
        } else {
            CHECK_EQ(mcp_message_kind(message), MCP_KIND_NOTIFICATION);
            delivered++;
        }
        mcp_message_free(message);
    }
    CHECK_LE(delivered, 1000);
    CHECK_EQ(delivered + lost, count);
    check_echo(client, "dry again");
    close_and_free(client);
    return 0;
}

/*
 * A call made with the option "progress" gets MCP_KIND_PROGRESS messages with its id and tag before its
 * reply; a call without it gets none. (Whether progress gives a call more time is the business of the tests
 * of field fault E03.)
 */
#include "check.h"

static void check_era(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), NULL);
    mcp_message_t *message = NULL;
    drain(client);
    uint64_t call = start_tool(client, "slow", "{\"ms\":200,\"steps\":4}", "{\"progress\":true}", 9);
    for (int step = 1; step <= 4; step++) {
        char number[16];
        snprintf(number, sizeof number, "%d", step);
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        CHECK_EQ(mcp_message_kind(message), MCP_KIND_PROGRESS);
        CHECK_EQ(mcp_message_tag(message), 9);
        CHECK_EQ(mcp_message_call_id(message), call);
        CHECK(json_is(mcp_message_json(message, NULL), "/progress", number));
        CHECK(json_is(mcp_message_json(message, NULL), "/total", "4"));
        mcp_message_free(message);
    }
    CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
    CHECK_EQ(mcp_message_kind(message), MCP_KIND_REPLY);
    mcp_message_free(message);

    mcp_message_free(call_tool(client, "slow", "{\"ms\":20,\"steps\":4}", NULL));
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_era(argv[1], "legacy");
    check_era(argv[1], "modern");
    return 0;
}

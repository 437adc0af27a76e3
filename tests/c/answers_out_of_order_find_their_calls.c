/*
 * Fifty calls whose answers come back in reverse order: each call gets its own answer.
 */
#include "check.h"

#define CALLS 50

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    char arguments[48];
    int last_tag = CALLS;
    mcp_client_t *client = connected(argv[2], NULL, NULL);
    snprintf(arguments, sizeof arguments, "{\"n\":%d}", CALLS);
    free(tool_text(client, "hold", arguments));
    for (int tag = 0; tag < CALLS; tag++) {
        snprintf(arguments, sizeof arguments, "{\"text\":\"answer %d\"}", tag);
        start_tool(client, "echo", arguments, NULL, (uint64_t)tag);
    }
    for (int i = 0; i < CALLS; i++) {
        char expected[48];
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        int tag = (int)mcp_message_tag(reply);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        CHECK_EQ(tag, last_tag - 1);
        last_tag = tag;
        snprintf(expected, sizeof expected, "answer %d", tag);
        CHECK_TEXT(mcp_message_text(reply, NULL), expected);
        mcp_message_free(reply);
    }
    close_and_free(client);
    return 0;
}

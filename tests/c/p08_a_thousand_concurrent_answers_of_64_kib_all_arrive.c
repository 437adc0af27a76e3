/*
 * Field fault P08: a thousand calls under way at once, each with an answer of 64 KiB: none is missing, none
 * is cut, none is mixed up with another.
 */
#include "check.h"

#define MOST_CALLS 1000
#define BYTES 65536

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    static int ended[MOST_CALLS];
    int calls = scaled(MOST_CALLS, 50);
    mcp_client_t *client = connected(argv[1], NULL, "\"limits\":{\"queue_bytes\":268435456}");
    for (int tag = 0; tag < calls; tag++) {
        char arguments[32];
        snprintf(arguments, sizeof arguments, "{\"bytes\":%d}", BYTES + tag); /* the length tells the call */
        start_tool(client, "big", arguments, "{\"timeout_ms\":120000}", (uint64_t)tag);
    }
    for (int i = 0; i < calls; i++) {
        size_t length = 0;
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        uint64_t tag = mcp_message_tag(reply);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        CHECK(tag < (uint64_t)calls);
        CHECK_EQ(++ended[tag], 1);
        const char *text = mcp_message_text(reply, &length);
        CHECK_EQ(length, BYTES + tag);
        CHECK_EQ(strspn(text, "x"), length);
        mcp_message_free(reply);
    }
    close_and_free(client);
    return 0;
}

/*
 * With "overflow":"block" a server that sends more than the queue holds is not read until the program has
 * made room: a program that polls gets every notification, in order, and none is lost, however small the
 * queue.
 */
#include "check.h"

#define SENT 1000

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    char arguments[64];
    long long delivered = 0;
    bool answered = false;
    mcp_client_t *client =
        connected(argv[1], NULL, "\"limits\":{\"queue_messages\":16,\"overflow\":\"block\"}");
    drain(client);
    snprintf(arguments, sizeof arguments, "{\"count\":%d,\"changes\":false}", SENT);
    start_tool(client, "notify", arguments, WITH_LOG, 1);
    while (delivered < SENT || !answered) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        const char *json = mcp_message_json(message, NULL);
        switch (mcp_message_kind(message)) {
        case MCP_KIND_NOTIFICATION:
            CHECK_EQ(json_number(json, "/data/number"), delivered + 1);
            delivered++;
            break;
        case MCP_KIND_REPLY:
            CHECK_STATUS(mcp_message_status(message), MCP_OK);
            answered = true;
            break;
        default:
            FAIL("after %lld notifications a %s message: %s", delivered,
                 mcp_kind_name(mcp_message_kind(message)), json);
        }
        mcp_message_free(message);
    }
    close_and_free(client);
    return 0;
}

/*
 * Notifications that nobody takes fill the queue up to its bound and no further. What did not fit is counted
 * in one MCP_KIND_LOST message: every notification is either delivered or counted. Replies are never among
 * the lost.
 */
#include "check.h"

#define SENT 1000
#define BOUND 16

struct counts {
    long long delivered;
    long long lost;
    int marks;
    int replies;
};

static void count_message(struct counts *counts, const mcp_message_t *message) {
    switch (mcp_message_kind(message)) {
    case MCP_KIND_NOTIFICATION:
        counts->delivered++;
        break;
    case MCP_KIND_LOST:
        counts->marks++;
        counts->lost += json_number(mcp_message_json(message, NULL), "/count");
        break;
    case MCP_KIND_REPLY:
        CHECK_STATUS(mcp_message_status(message), MCP_OK);
        counts->replies++;
        break;
    default:
        break;
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct counts counts = {0};
    char arguments[64];
    char members[64];
    mcp_message_t *message = NULL;
    snprintf(members, sizeof members, "\"limits\":{\"queue_messages\":%d}", BOUND);
    mcp_client_t *client = connected(argv[1], NULL, members);
    drain(client);
    snprintf(arguments, sizeof arguments, "{\"count\":%d,\"changes\":false}", SENT);
    for (uint64_t tag = 0; tag < 3; tag++) {
        start_tool(client, "echo", "{\"text\":\"kept\"}", NULL, tag);
    }
    mcp_message_free(call_tool(client, "notify", arguments, WITH_LOG));
    check_echo(client, "and it goes on");
    while (mcp_poll(client, 0, &message) == MCP_OK) {
        count_message(&counts, message);
        mcp_message_free(message);
    }
    CHECK_LE(counts.delivered, BOUND);
    CHECK_EQ(counts.delivered + counts.lost, SENT);
    CHECK_EQ(counts.marks, 1);
    CHECK_EQ(counts.replies, 3);
    close_and_free(client);
    return 0;
}

/*
 * Notifications that are not taken fill the queue up to its bound and no further. What did not fit is counted
 * in one MCP_KIND_LOST message: every notification is either delivered or counted. "overflow" says which are
 * kept, the newest (the default) or the oldest. Replies are never among the lost. With "block" the server is not read
 * until the program has made room, and nothing is lost.
 */
#include "check.h"

#define SENT 1000
#define BOUND 16

struct counts {
    long long delivered;
    long long lost;
    long long first; /* numbers of the notifications that were delivered */
    long long last;
    int marks;
    int replies;
};

static void count_message(struct counts *counts, const mcp_message_t *message) {
    switch (mcp_message_kind(message)) {
    case MCP_KIND_NOTIFICATION:
        counts->last = json_number(mcp_message_json(message, NULL), "/data/number");
        counts->first = counts->delivered == 0 ? counts->last : counts->first;
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

/* A client whose queue holds three replies and has room for few notifications. */
static mcp_client_t *nearly_full(const char *server, const char *overflow) {
    char *members = format("\"limits\":{\"queue_messages\":%d%s}", BOUND, overflow);
    mcp_client_t *client = connected(server, NULL, members);
    drain(client);
    for (uint64_t tag = 0; tag < 3; tag++) {
        start_tool(client, "echo", "{\"text\":\"kept\"}", NULL, tag);
    }
    free(members);
    return client;
}

static struct counts flood(const char *server, const char *overflow) {
    struct counts counts = {0};
    char arguments[64];
    mcp_message_t *message = NULL;
    mcp_client_t *client = nearly_full(server, overflow);
    snprintf(arguments, sizeof arguments, "{\"count\":%d,\"changes\":false}", SENT);
    mcp_message_free(call_tool(client, "notify", arguments, WITH_LOG));
    check_echo(client, "and it goes on");
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        count_message(&counts, message);
        mcp_message_free(message);
    }
    CHECK_GE(counts.delivered, 1);
    CHECK_LE(counts.delivered, BOUND);
    CHECK_EQ(counts.delivered + counts.lost, SENT);
    CHECK_EQ(counts.marks, 1);
    CHECK_EQ(counts.replies, 3);
    close_and_free(client);
    return counts;
}

/* A program that polls gets every notification, in order, however small the queue. */
static void block(const char *server) {
    struct counts counts = {0};
    char arguments[64];
    mcp_client_t *client = nearly_full(server, ",\"overflow\":\"block\"");
    snprintf(arguments, sizeof arguments, "{\"count\":%d,\"changes\":false}", SENT);
    start_tool(client, "notify", arguments, WITH_LOG, 3);
    while (counts.delivered < SENT || counts.replies < 4) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        count_message(&counts, message);
        CHECK_EQ(counts.last, counts.delivered);
        CHECK_EQ(counts.marks, 0);
        mcp_message_free(message);
    }
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct counts counts = flood(argv[1], "");
    CHECK_EQ(counts.last, SENT);
    counts = flood(argv[1], ",\"overflow\":\"drop_oldest\"");
    CHECK_EQ(counts.last, SENT);
    CHECK_EQ(counts.first, SENT + 1 - counts.delivered);
    counts = flood(argv[1], ",\"overflow\":\"drop_newest\"");
    CHECK_EQ(counts.first, 1);
    CHECK_EQ(counts.last, counts.delivered);
    block(argv[1]);
    return 0;
}

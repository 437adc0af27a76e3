/*
 * Field fault H10: 64 calls are under way on one client and one of them is slow. The others do not wait for it, nor for
 * each other.
 */
#include "http.h"

#define CALLS 64

static void check(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    mcp_client_t *client = connected_to(&server, era);
    int ended[CALLS] = {0};
    start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}", 0);
    long long begin = now_ms();
    int ms = 500 * (scale() > 1 ? 4 : 1); /* so that all are under way before the first one ends */
    char *arguments = format("{\"ms\":%d}", ms);
    for (uint64_t tag = 1; tag < CALLS; tag++) {
        start_tool(client, "slow", arguments, "{\"timeout_ms\":30000}", tag);
    }
    free(arguments);
    for (int i = 1; i < CALLS; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        if (mcp_message_status(reply) != MCP_OK) {
            FAIL("call %d: %s", (int)mcp_message_tag(reply), mcp_message_json(reply, NULL));
        }
        CHECK_NE(mcp_message_tag(reply), 0);
        CHECK_EQ(++ended[mcp_message_tag(reply)], 1);
        mcp_message_free(reply);
    }
    /* One after another they would take half a minute. */
    CHECK_LE(now_ms() - begin, ms + 2 * slack());
    CHECK_GE(stat_of(&server, "/max_in_flight"), CALLS);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(argv[3], MODERN);
    check(argv[3], LEGACY);
    check_nothing_left(before);
    return 0;
}

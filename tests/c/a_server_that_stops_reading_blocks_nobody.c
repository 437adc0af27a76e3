/*
 * A server that reads nothing more: what the client wants to send piles up to a bound and no further.
 * Starting calls never blocks; over the bound it is refused as MCP_ERROR_BACKPRESSURE. Blocking calls end at their
 * timeout, close within its bound.
 */
#include "check.h"

#define MEMBERS "\"limits\":{\"outgoing_bytes\":1048576},\"reconnect\":false"
#define OPTIONS "{\"timeout_ms\":300}"

static int start_until_refused(mcp_client_t *client, const char *params) {
    for (int calls = 0; calls < 100; calls++) {
        long long begin = now_ms();
        mcp_status_t status =
            mcp_call_start(client, "tools/call", params, OPTIONS, (uint64_t)calls, NULL, NULL);
        CHECK_LE(now_ms() - begin, slack());
        if (status == MCP_ERROR_BACKPRESSURE) {
            return calls;
        }
        CHECK_STATUS(status, MCP_OK);
    }
    FAIL("never refused");
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    mcp_client_t *client = connected(argv[2], ARGS("--life", "120", "stop-reading"), MEMBERS);
    char *filling = malloc(256 * 1024 + 1);
    CHECK(filling != NULL);
    memset(filling, 'f', 256 * 1024);
    filling[256 * 1024] = '\0';
    char *params = format("{\"name\":\"echo\",\"arguments\":{\"text\":\"%s\"}}", filling);

    int started = start_until_refused(client, params);
    CHECK_GE(started, 2);
    for (int i = 0; i < started; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
        mcp_message_free(reply);
    }

    long long begin = now_ms();
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_call(client, "tools/call", params, OPTIONS, &reply);
    CHECK(status == MCP_ERROR_TIMEOUT || status == MCP_ERROR_BACKPRESSURE);
    CHECK_LE(now_ms() - begin, 300 + slack());
    mcp_message_free(reply);

    begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, 1000), MCP_OK);
    CHECK_LE(now_ms() - begin, 1000 + slack());
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    free(params);
    free(filling);
    check_nothing_left(before);
    return 0;
}

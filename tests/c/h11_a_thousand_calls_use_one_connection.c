/*
 * Field fault H11: sequential calls reuse their connection, whether they succeed or fail. 1,000 of them make the server
 * accept one connection, and one for the stream of its own messages, and none waits 40 ms for an undrained body. Where
 * answers come as streams the next call waits a moment for the last stream to end, so that it is the same connection; on a
 * busy machine that moment may pass now and then. A server that leaves its streams open costs connections and no time.
 */
#include "http.h"

/* Connections where each answer is a stream. */
#define FEW (scale() == 1 ? 6 : 20)

static void check(const char *path, const char *behaviours, const char *era, int least, int most) {
    struct server server = start_server(path, ARGS(behaviours));
    mcp_client_t *client = connected_to(&server, era);
    int calls = scaled(1000, 50);
    long long begin = now_ms();
    for (int i = 0; i < calls; i++) {
        check_echo(client, "again");
    }
    if (scale() == 1) {
        CHECK_LE(now_ms() - begin, calls * 10);
    }
    for (int i = 0; i < 20; i++) {
        mcp_message_t *reply = NULL;
        CHECK_STATUS(mcp_call(client, "no/such/method", NULL, NULL, &reply), MCP_ERROR_SERVER);
        mcp_message_free(reply);
        reply = call_tool(client, "no-such-tool", NULL, NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_SERVER);
        mcp_message_free(reply);
        check_fine(client, "chunks:100");
        check_fine(client, "trailers");
    }
    CHECK_GE(stat_of(&server, "/connections"), least);
    CHECK_LE(stat_of(&server, "/connections"), most);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

/* Streams that stay open for as long as the client lets them. */
static void left_open(const char *path) {
    struct server server = start_server(path, NULL);
    mcp_client_t *client = connected_to(&server, MODERN);
    int calls = scaled(50, 5);
    long long begin = now_ms();
    for (int i = 0; i < calls; i++) {
        check_fine(client, "sse-open");
    }
    CHECK_LE(now_ms() - begin, calls * 10 + slack());
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(argv[3], "", MODERN, 1, 2);
    check(argv[3], "sse", MODERN, 1, FEW);
    check(argv[3], "", LEGACY, 2, 2);
    check(argv[3], "sse", LEGACY, 2, FEW);
    check(argv[3], "on-get=405", LEGACY, 1, 1);
    left_open(argv[3]);
    check_nothing_left(before);
    return 0;
}

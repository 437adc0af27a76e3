/*
 * Field fault H11: sequential calls reuse their connection, whether they succeed or fail. 1,000 of them make the server
 * accept one connection, and one for the stream of its own messages, and none waits 40 ms for an undrained body. Where
 * answers come as streams, the next call may begin before the last stream has ended; then there are a few connections,
 * which are reused as well.
 */
#include "http.h"

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
        CHECK_STATUS(mcp_call(client, "no/such/method", NULL, NULL, &reply), MCP_SERVER);
        mcp_message_free(reply);
        reply = call_tool(client, "no-such-tool", NULL, NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_SERVER);
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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(argv[3], "", MODERN, 1, 2);
    check(argv[3], "sse", MODERN, 1, 50);
    check(argv[3], "", LEGACY, 2, 2);
    check(argv[3], "sse", LEGACY, 2, 50);
    check(argv[3], "on-get=405", LEGACY, 1, 1);
    check_nothing_left(before);
    return 0;
}

/* Connections and streams cost no more than they must. */
#include "http.h"

/*
 * Field fault H11: sequential calls reuse their connection, whether they succeed or fail. 1,000 of them make the server
 * accept one connection, and one for the stream of its own messages, and none waits 40 ms for an undrained body. Where
 * answers come as streams the next call waits a moment for the last stream to end, so that it is the same connection; on a
 * busy machine that moment may pass now and then. A server that leaves its streams open costs connections and no time.
 */

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

static void h11_a_thousand_calls_use_one_connection(char **argv) {
    struct holdings before = holdings_now();
    check(argv[3], "", MODERN, 1, 2);
    check(argv[3], "sse", MODERN, 1, FEW);
    check(argv[3], "", LEGACY, 2, 2);
    check(argv[3], "sse", LEGACY, 2, FEW);
    check(argv[3], "on-get=405", LEGACY, 1, 1);
    left_open(argv[3]);
    check_nothing_left(before);
}

/*
 * Field fault H03: a server that ends the stream of its own messages each time, politely, is not asked once a second for
 * ever. What it says with `retry:` is the least wait, without that the waits grow, and after reconnect.stream_attempts
 * there are no more. Calls go on all the while.
 */

#define ATTEMPTS 3
#define MOST_CALLS 500

static int given_up; /* atomic */

static void watch(void *user, int32_t level, const char *record) {
    (void)user;
    (void)level;
    if (json_is(record, "/event", "listen.given_up")) {
        __atomic_add_fetch(&given_up, 1, __ATOMIC_SEQ_CST);
    }
}

/* `least` is the shortest wait allowed before the second and every later attempt. */
static void check_stream(const char *path, const char *fault, long long least) {
    char *behaviour = format("on-get=%s", fault);
    struct server server = start_server(path, ARGS(behaviour));
    __atomic_store_n(&given_up, 0, __ATOMIC_SEQ_CST);
    mcp_client_t *client = connected_to(&server, LEGACY ",\"reconnect\":{\"stream_attempts\":3}");
    /* No more calls than the server's notes have room for beside what is looked at. */
    for (int calls = 0; __atomic_load_n(&given_up, __ATOMIC_SEQ_CST) == 0; calls++) {
        if (calls < MOST_CALLS) {
            check_echo(client, "meanwhile");
        }
        breathe();
    }
    struct times times = times_of(&server, "GET");
    CHECK_EQ(times.count, 1 + ATTEMPTS);
    for (int i = 1; i < times.count; i++) {
        CHECK_GE(times.at[i] - times.at[i - 1], least - 20);
    }
    check_echo(client, "afterwards");
    CHECK_EQ(stat_of(&server, "/methods/GET"), 1 + ATTEMPTS);
    CHECK_EQ(stat_of(&server, "/sessions"), 1);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    free(behaviour);
}

static void h03_a_stream_that_keeps_ending_is_asked_for_ever_less(char **argv) {
    struct holdings before = holdings_now();
    CHECK_STATUS(mcp_log_set_logger(watch, MCP_LOG_WARN, NULL, NULL), MCP_OK);
    check_stream(argv[3], "lost", 50);
    check_stream(argv[3], "lost-after-id:400", 400);
    CHECK_STATUS(mcp_log_set_logger(NULL, MCP_LOG_WARN, NULL, NULL), MCP_OK);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    h11_a_thousand_calls_use_one_connection(argv);
    h03_a_stream_that_keeps_ending_is_asked_for_ever_less(argv);
    return 0;
}

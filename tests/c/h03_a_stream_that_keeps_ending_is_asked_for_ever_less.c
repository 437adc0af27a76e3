/*
 * Field fault H03: a server that ends the stream of its own messages each time, politely, is not asked once a second for
 * ever. What it says with `retry:` is the least wait, without that the waits grow, and after reconnect.stream_attempts
 * there are no more. Calls go on all the while.
 */
#include "http.h"

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
static void check(const char *path, const char *fault, long long least) {
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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    CHECK_STATUS(mcp_log_set_logger(watch, MCP_LOG_WARN, NULL, NULL), MCP_OK);
    check(argv[3], "lost", 50);
    check(argv[3], "lost-after-id:400", 400);
    CHECK_STATUS(mcp_log_set_logger(NULL, MCP_LOG_WARN, NULL, NULL), MCP_OK);
    check_nothing_left(before);
    return 0;
}

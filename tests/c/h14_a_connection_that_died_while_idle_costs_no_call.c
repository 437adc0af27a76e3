/*
 * Field fault H14: idle connections are closed by servers and by what is on the way, without a word. The next call takes a
 * new connection and does not fail. Where packets just vanish, a call ends at its timeout, and later ones work when the
 * server is back.
 */
#include "http.h"

#define CALLS 20

/* The client has asked for what it listens to, and everything is answered. */
static bool is_settled(const struct server *server) {
    char *stats = control(server, "GET", "/stats", "");
    bool listens = json_number(stats, "/get_streams") > 0 || json_has(stats, "/methods/GET");
    free(stats);
    return listens && is_quiet(server);
}

static void check_hung_up(const char *path, const char *era) {
    struct server server = start_server(path, ARGS("on-get=405"));
    mcp_client_t *client = connected_to(&server, era);
    for (int i = 0; i < CALLS; i++) {
        UNTIL(is_settled(&server));
        tell_server(&server, "/hang-up");
        check_echo(client, "after a while");
    }
    CHECK_GE(stat_of(&server, "/connections"), CALLS);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

/* How many connections have ended. */
static long long count_ended(const struct server *server) {
    long long open = stat_of(server, "/open");
    return stat_of(server, "/connections") - open;
}

/*
 * Each answer is the last of its connection. One request is sent at a time: where a server ends a connection without a word,
 * what is sent in the moment before that arrives is lost, and it is unknown whether the server has seen it.
 */
static void check_closed(const char *path, const char *behaviour, const char *era) {
    struct server server = start_server(path, ARGS("on-get=405"));
    mcp_client_t *client = connected_to(&server, era);
    /* Once the tools are known, an echo is one request. */
    check_echo(client, "before");
    UNTIL(is_settled(&server));
    set_script(&server, behaviour);
    for (int i = 0; i < CALLS; i++) {
        long long ended = count_ended(&server);
        check_echo(client, "once");
        UNTIL(count_ended(&server) > ended);
    }
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    close_and_free(client);
    stop_server(&server);
}

static void check_vanished(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    mcp_client_t *client = connected_to(&server, era);
    check_echo(client, "before");
    tell_server(&server, "/freeze");
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":300}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    CHECK_LE(now_ms() - begin, 300 + slack());
    mcp_message_free(reply);
    tell_server(&server, "/thaw");
    check_echo(client, "after");
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const eras[] = {MODERN, LEGACY};
    for (int i = 0; i < 2; i++) {
        check_hung_up(argv[3], eras[i]);
        check_closed(argv[3], "close-after=1", eras[i]);
        check_closed(argv[3], "say-close-after=1", eras[i]);
        check_vanished(argv[3], eras[i]);
    }
    check_nothing_left(before);
    return 0;
}

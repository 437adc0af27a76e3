/*
 * Field fault H14: idle connections are closed by servers and by what is on the way, without a word. The next call takes a
 * new connection and does not fail. Where packets just vanish, a call ends at its timeout, and later ones work when the
 * server is back.
 */
#include "http.h"

/* The stream of the server's own messages is not idle. */
static bool has_no_idle(const struct server *server) {
    return stat_of(server, "/open") == stat_of(server, "/get_streams_open");
}

static void check_closed_idle(const char *path, const char *behaviour, const char *era) {
    struct server server = start_server(path, ARGS("on-get=405"));
    mcp_client_t *client = connected_to(&server, era);
    UNTIL(stat_of(&server, "/get_streams_open") == (strcmp(era, MODERN) == 0 ? 1 : 0));
    set_script(&server, behaviour);
    if (strncmp(behaviour, "idle", 4) == 0) {
        UNTIL(has_no_idle(&server)); /* it was idle long enough already */
    }
    for (int i = 0; i < 20; i++) {
        check_echo(client, "after a while");
        UNTIL(has_no_idle(&server));
    }
    CHECK_GE(stat_of(&server, "/connections"), 20);
    CHECK_EQ(mcp_client_state(client), MCP_STATE_READY);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

static void check_vanished(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    mcp_client_t *client = connected_to(&server, era);
    check_echo(client, "before");
    tell(&server, "/freeze");
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":300}");
    CHECK_STATUS(mcp_message_status(reply), MCP_TIMEOUT);
    CHECK_LE(now_ms() - begin, 300 + slack());
    mcp_message_free(reply);
    tell(&server, "/thaw");
    check_echo(client, "after");
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const eras[] = {MODERN, LEGACY};
    for (int i = 0; i < 2; i++) {
        check_closed_idle(argv[3], "idle-close=20", eras[i]);
        check_closed_idle(argv[3], "close-after=1", eras[i]);
        check_closed_idle(argv[3], "say-close-after=1", eras[i]);
        check_vanished(argv[3], eras[i]);
    }
    check_nothing_left(before);
    return 0;
}

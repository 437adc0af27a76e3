/*
 * A server that is gone or answers nothing: its client is quiet, and closes in a bounded time.
 */
#include "http.h"

/*
 * Field fault H15: a client that is idle, waits for its next attempt or is closed uses no processor time, and after the last
 * one is freed no thread and no descriptor is left.
 */
/* The processor time used while nothing happens, in ms per second. */
static void check_idle(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    drain(client);
    /* What still follows from what happened before is over after a while. */
    UNTIL(mcp_client_poll(client, 300, &message) != MCP_OK || (mcp_message_free(message), false));
    long long used = used_ms();
    long long begin = now_ms();
    mcp_status_t status = MCP_OK;
    while (now_ms() - begin < 1000) {
        status = mcp_client_poll(client, 1000, &message);
        if (status == MCP_OK) {
            mcp_message_free(message);
        } else if (status == MCP_ERROR_CLOSED) {
            poll(NULL, 0, 100); /* there is nothing to wait for, only time to pass */
        }
    }
    CHECK_LE(used_ms() - used, 50 * scale());
}

static void check(const char *path, const char *shape, const char *members) {
    struct holdings before = holdings_now();
    struct server server = start_server(path, ARGS("--shape", shape));
    mcp_client_t *client = connected_to(&server, members);
    check_echo(client, "x");
    check_idle(client);
    stop_server(&server);
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    CHECK_NE(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    check_idle(client);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    check_idle(client);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    check_nothing_left(before);
}

static void h15_a_client_without_server_burns_nothing(char **argv) {
    check(argv[3], "streamable", MODERN ",\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}");
    check(argv[3], "streamable", LEGACY ",\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}");
    check(argv[3], "sse", LEGACY ",\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}");
}

/*
 * Field fault H08: a server stops answering, or never answers the DELETE. Close returns within its bound all the same, ends
 * every pending call, and leaves nothing behind.
 */
static void check_h08(const char *path, const char *members, bool frozen, int32_t close_ms, long long most) {
    struct server server = start_server(path, NULL);
    mcp_client_t *client = connected_to(&server, members);
    start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}", 1);
    UNTIL(count_of(&server, "tools/call") == 1);
    if (frozen) {
        tell_server(&server, "/freeze");
        start_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":3600000}", 2);
    } else {
        set_script(&server, "on-delete=hang");
    }
    long long begin = now_ms();
    mcp_client_close(client, close_ms);
    CHECK_LE(now_ms() - begin, most + slack());
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    for (int calls = frozen ? 2 : 1; calls > 0; calls--) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CLOSED);
        mcp_message_free(reply);
    }
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    stop_server(&server);
}

static void h08_close_is_bounded_when_nobody_answers(char **argv) {
    struct holdings before = holdings_now();
    const char *const eras[] = {LEGACY, MODERN};
    for (int i = 0; i < 2; i++) {
        check_h08(argv[3], eras[i], true, 300, 300);
        check_h08(argv[3], eras[i], true, 0, 0);
        check_h08(argv[3], eras[i], false, 300, 300);
    }
    check_h08(argv[3], LEGACY, true, -1, 2000);
    check_h08(argv[3], LEGACY ",\"timeouts\":{\"close_ms\":200}", true, -1, 200);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    h15_a_client_without_server_burns_nothing(argv);
    h08_close_is_bounded_when_nobody_answers(argv);
    return 0;
}

/*
 * Field fault H08: a server stops answering, or never answers the DELETE. Close returns within its bound all the same, ends
 * every pending call, and leaves nothing behind.
 */
#include "http.h"

static void check(const char *path, const char *members, bool frozen, int32_t close_ms, long long most) {
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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const eras[] = {LEGACY, MODERN};
    for (int i = 0; i < 2; i++) {
        check(argv[3], eras[i], true, 300, 300);
        check(argv[3], eras[i], true, 0, 0);
        check(argv[3], eras[i], false, 300, 300);
    }
    check(argv[3], LEGACY, true, -1, 2000);
    check(argv[3], LEGACY ",\"timeouts\":{\"close_ms\":200}", true, -1, 200);
    check_nothing_left(before);
    return 0;
}

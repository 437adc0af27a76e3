/*
 * A server that has lost a session says so in one of several ways. Each costs one new session, on which the refused call is
 * sent again, and the next call works. A call that the new session refuses in the same way ends with that error: it does not
 * open one session after another, nor keep the next call from working.
 */
#include "http.h"

static void check_once(const char *path, const char *fault) {
    struct server server = start_server(path, NULL);
    mcp_client_t *client = connected_to(&server, LEGACY);
    check_echo(client, "before");
    char *behaviour = format("on-call=%s*1", fault);
    set_script(&server, behaviour);
    check_echo(client, "on the new session");
    check_echo(client, "and again");
    if (stat_of(&server, "/sessions") != 2) {
        FAIL("%s: %lld sessions", fault, stat_of(&server, "/sessions"));
    }
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    close_and_free(client);
    stop_server(&server);
    free(behaviour);
}

static void check_always(const char *path) {
    struct server server = start_server(path, NULL);
    mcp_client_t *client = connected_to(&server, LEGACY);
    mcp_message_t *reply = call_fault(client, "lose-session", "{\"timeout_ms\":20000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "it said so again on a new session");
    mcp_message_free(reply);
    CHECK_EQ(stat_of(&server, "/sessions"), 2);
    /* The server has lost that one as well, which the next call finds out and gets over. */
    check_echo(client, "afterwards");
    CHECK_EQ(stat_of(&server, "/sessions"), 3);
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const ways[] = {"lose-session", "lose-session:404:rpc", "lose-session:400:rpc", "lose-session:400:text",
                                "lose-session:401:text"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        check_once(argv[3], ways[i]);
    }
    check_always(argv[3]);
    check_nothing_left(before);
    return 0;
}

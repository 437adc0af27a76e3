/*
 * A server that fails in its first starts, wherever in the handshake, and then works: the client tries again
 * by itself until it works, and a call that waits is answered then. With "max_attempts" it gives up, is
 * closed, and says why.
 */
#include "check.h"

#define PATIENT "\"when_unavailable\":\"wait\",\"reconnect\":{\"initial_ms\":20,\"max_ms\":50}"

static void check_script(const char *server, const char *script) {
    char path[] = "/tmp/mcp-test-XXXXXX";
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    close(file);
    mcp_client_t *client = new_client(server, ARGS("--state", path, script), PATIENT);
    check_echo(client, "worth the wait");
    CHECK_EQ(count_children(NULL), 1);
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    CHECK_GE(json_number(info, "/counters/failed_attempts"), 1);
    mcp_string_free(info);
    close_and_free(client);
    unlink(path);
}

static void check_giving_up(const char *server) {
    const char *members = "\"reconnect\":{\"initial_ms\":20,\"max_attempts\":2}";
    mcp_client_t *client = new_client(server, ARGS("exit-at-once=9"), members);
    mcp_message_t *reply = NULL;
    CHECK_NE(mcp_client_connect(client, patience(), NULL), MCP_OK);
    await_state(client, MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &reply), MCP_ERROR_CLOSED);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "status 9");
    mcp_message_free(reply);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_script(argv[2], "fail-starts=3");
    check_script(argv[2], "only-first=2,crash-before-initialize");
    check_script(argv[2], "only-first=2,crash-in-initialize");
    check_script(argv[2], "only-first=2,exit-at-once=sig9");
    check_giving_up(argv[2]);
    check_nothing_left(before);
    return 0;
}

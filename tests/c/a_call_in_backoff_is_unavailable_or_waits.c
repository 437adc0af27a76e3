/*
 * A call made while the client waits to start its server again ends at once as MCP_ERROR_UNAVAILABLE and says when
 * the next attempt is; with "when_unavailable":"wait" it waits for the new server instead, within its own
 * time.
 */
#include "check.h"

static void kill_server(mcp_client_t *client) {
    pid_t pid = server_pid(client);
    drain(client);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    await_state(client, MCP_CLIENT_STATE_BACKOFF);
}

static void check_fail(const char *server) {
    mcp_client_t *client = connected(server, NULL, "\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}");
    kill_server(client);
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    CHECK_LE(now_ms() - begin, slack());
    const char *error = mcp_message_json(reply, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_UNAVAILABLE);
    CHECK(json_is(error, "/status", "unavailable"));
    CHECK(json_is(error, "/retryable", "true"));
    CHECK_GE(json_number(error, "/details/next_attempt_in_ms"), 400000); /* 600 s less the jitter */
    CHECK_CONTAINS(error, "signal 9");                                   /* why it is in this state */
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call_start(client, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_ERROR_UNAVAILABLE);
    CHECK_STATUS(mcp_client_notify(client, "notifications/x", NULL, NULL), MCP_ERROR_UNAVAILABLE);
    close_and_free(client);
}

static void check_wait(const char *server) {
    const char *members = "\"when_unavailable\":\"wait\",\"reconnect\":{\"initial_ms\":300}";
    mcp_client_t *client = connected(server, NULL, members);
    kill_server(client);
    check_echo(client, "after a while");
    close_and_free(client);
}

static void check_wait_too_long(const char *server) {
    const char *members =
        "\"when_unavailable\":\"wait\",\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}";
    mcp_client_t *client = connected(server, NULL, members);
    kill_server(client);
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":200}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    CHECK_LE(now_ms() - begin, 200 + slack());
    mcp_message_free(reply);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_fail(argv[1]);
    check_wait(argv[1]);
    check_wait_too_long(argv[1]);
    return 0;
}

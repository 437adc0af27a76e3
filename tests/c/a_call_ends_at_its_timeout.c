/*
 * A call ends as MCP_ERROR_TIMEOUT when its time is over, not before and not much later, whether the time comes
 * from the call's options, from the config for its method, or from the config for all calls. The client goes
 * on.
 */
#include "check.h"

static void check_timeout(const char *server, const char *members, const char *options) {
    mcp_client_t *client = connected(server, NULL, members);
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "slow", "{\"ms\":3600000}", options);
    long long took = now_ms() - begin;
    const char *error = mcp_message_json(reply, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    CHECK_GE(took, 195);
    CHECK_LE(took, 200 + slack());
    CHECK(json_is(error, "/status", "timeout"));
    CHECK(json_is(error, "/operation", "tools/call"));
    CHECK(json_is(error, "/details/sent", "true"));
    CHECK(json_is(error, "/retryable", "false")); /* the tool may have run */
    mcp_message_free(reply);
    check_echo(client, "on we go");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_timeout(argv[1], NULL, "{\"timeout_ms\":200}");
    check_timeout(argv[1], NULL, "{\"max_total_ms\":200}");
    check_timeout(argv[1], "\"timeouts\":{\"call_ms\":200}", NULL);
    check_timeout(argv[1], "\"timeouts\":{\"call_ms\":60000,\"methods\":{\"tools/call\":200}}", NULL);
    check_timeout(argv[1], "\"timeouts\":{\"call_ms\":60000}", "{\"timeout_ms\":200,\"max_total_ms\":60000}");
    return 0;
}

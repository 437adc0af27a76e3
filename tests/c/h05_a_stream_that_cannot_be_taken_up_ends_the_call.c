/*
 * Field fault H05: when the attempts to take a broken stream up again are used up, the call ends and says so, and the
 * client stays usable. When the whole server is gone, every pending call ends and a STATE message tells.
 */
#include "http.h"

#define PENDING 6

static void check_attempts(const char *path, const char *fault) {
    char *behaviour = format("on-resume=%s", fault);
    struct server server = start_server(path, ARGS(behaviour));
    mcp_client_t *client = connected_to(&server, LEGACY ",\"reconnect\":{\"stream_attempts\":2}");
    mcp_message_t *reply = call_tool(client, "detach", "{\"retry\":50,\"ms\":60000}", NULL);
    const char *error = mcp_message_json(reply, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    CHECK_CONTAINS(error, "stream");
    mcp_message_free(reply);
    CHECK_GE(stat_of(&server, "/methods/GET"), 2);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_echo(client, "still usable");
    close_and_free(client);
    stop_server(&server);
    free(behaviour);
}

static void check_server_gone(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    char *members = format("%s,\"reconnect\":{\"initial_ms\":50,\"max_attempts\":2,\"stream_attempts\":2}", era);
    mcp_client_t *client = connected_to(&server, members);
    int ended[PENDING] = {0};
    for (uint64_t tag = 0; tag < PENDING; tag++) {
        start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000,\"max_total_ms\":3600000}", tag);
    }
    UNTIL(stat_of(&server, "/in_flight") >= PENDING);
    stop_server(&server);
    for (int i = 0; i < PENDING; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
        CHECK(json_is(mcp_message_json(reply, NULL), "/details/sent", "true"));
        CHECK(json_is(mcp_message_json(reply, NULL), "/retryable", "false")); /* the tool may have run */
        CHECK_EQ(++ended[mcp_message_tag(reply)], 1);
        mcp_message_free(reply);
    }
    /* Another client asks for something, so that a client without any stream notices, too. */
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    CHECK_NE(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_CLOSED);
    close_and_free(client);
    free(members);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check_attempts(argv[3], "503");
    check_attempts(argv[3], "close");
    check_attempts(argv[3], "lost");
    check_attempts(argv[3], "404");
    check_server_gone(argv[3], LEGACY);
    check_server_gone(argv[3], MODERN);
    check_nothing_left(before);
    return 0;
}

/*
 * A server that dies is started again by itself: the states follow one another in messages, the next call is
 * answered by a new process, and this holds many times in a row.
 */
#include "check.h"

#define MEMBERS "\"reconnect\":{\"initial_ms\":20,\"max_ms\":100,\"jitter\":0.2}"

/* The next state message must say this. */
static void check_next_state(mcp_client_t *client, mcp_client_state_t state, mcp_client_state_t previous) {
    mcp_message_t *message = next_of_kind(client, MCP_KIND_STATE);
    const char *json = mcp_message_json(message, NULL);
    if (!json_is(json, "/state", mcp_client_state_name(state)) ||
        !json_is(json, "/previous", mcp_client_state_name(previous))) {
        FAIL("state message %s, expected %s after %s", json, mcp_client_state_name(state),
             mcp_client_state_name(previous));
    }
    CHECK(json_has(json, "/reason"));
    CHECK(mcp_message_client(message) == client);
    mcp_message_free(message);
}

static void check_recovery(mcp_client_t *client) {
    pid_t old = server_pid(client);
    drain(client);
    mcp_message_t *reply = call_tool(client, "crash", NULL, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    mcp_message_free(reply);
    check_next_state(client, MCP_CLIENT_STATE_BACKOFF, MCP_CLIENT_STATE_READY);
    check_next_state(client, MCP_CLIENT_STATE_STARTING, MCP_CLIENT_STATE_BACKOFF);
    check_next_state(client, MCP_CLIENT_STATE_INITIALIZING, MCP_CLIENT_STATE_STARTING);
    check_next_state(client, MCP_CLIENT_STATE_READY, MCP_CLIENT_STATE_INITIALIZING);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    CHECK_NE(server_pid(client), old);
    CHECK_EQ(count_children(NULL), 1);
}

static void check_era(const char *server, const char *era) {
    struct holdings before = holdings_now();
    int rounds = scaled(10, 2);
    mcp_client_t *client = connected(server, ARGS("--era", era), MEMBERS);
    check_next_state(client, MCP_CLIENT_STATE_STARTING, MCP_CLIENT_STATE_IDLE);
    check_next_state(client, MCP_CLIENT_STATE_INITIALIZING, MCP_CLIENT_STATE_STARTING);
    check_next_state(client, MCP_CLIENT_STATE_READY, MCP_CLIENT_STATE_INITIALIZING);
    for (int round = 0; round < rounds; round++) {
        check_recovery(client);
    }
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/connections"), rounds + 1);
    CHECK_EQ(json_number(info, "/counters/lost_calls"), rounds);
    CHECK(json_is(info, "/era", era));
    mcp_string_free(info);
    close_and_free(client);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_era(argv[1], "legacy");
    check_era(argv[1], "modern");
    return 0;
}

/*
 * Field fault H02: after the server forgot the session the client opens another one, says so in STATE messages, restores
 * the subscriptions and the log level, and hears what the server sends on the new session's own stream.
 */
#include "http.h"

static void run(mcp_client_t *client, const char *method, const char *params) {
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call(client, method, params, NULL, &reply), MCP_OK);
    mcp_message_free(reply);
}

static bool is_restored(mcp_client_t *client) {
    char *restored = tool_text(client, "restored", NULL);
    bool is = strcmp(restored, "{\"level\":\"warning\",\"subscriptions\":[\"test://greeting\"]}") == 0;
    free(restored);
    return is;
}

static void lose_and_check(const struct server *server, mcp_client_t *client, int losses) {
    drain(client);
    tell_server(server, "/forget");
    /* It finds out with the next request. The server has not looked at that one, so it is sent again. */
    check_echo(client, "on the new session");
    await_state(client, MCP_CLIENT_STATE_READY);
    /* Calls wait for the answers to what is restored, since each request is a POST of its own. */
    CHECK(is_restored(client));
    CHECK_EQ(count_of(server, "initialize"), 1 + losses);
    UNTIL(stat_of(server, "/get_streams") >= 1 + losses);
    tell_server(server, "/push?count=1");
    mcp_message_t *notification = next_of_kind(client, MCP_KIND_NOTIFICATION);
    CHECK_CONTAINS(mcp_message_json(notification, NULL), "pushed 1 of 1");
    mcp_message_free(notification);
}

static void check(const char *path, const char *behaviours) {
    struct server server = start_server(path, ARGS(behaviours));
    mcp_client_t *client =
        connected_to(&server, LEGACY ",\"when_unavailable\":\"wait\",\"reconnect\":{\"initial_ms\":50,\"jitter\":0}");
    run(client, "resources/subscribe", "{\"uri\":\"test://greeting\"}");
    run(client, "logging/setLevel", "{\"level\":\"warning\"}");
    lose_and_check(&server, client, 1);
    lose_and_check(&server, client, 2);
    check_no_violations(&server);
    close_and_free(client);
    CHECK_EQ(stat_of(&server, "/methods/DELETE"), 1); /* the lost ones had no end to be told of */
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(argv[3], "");
    check(argv[3], "unknown-400"); /* not what the specification says, and widely used */
    check_nothing_left(before);
    return 0;
}

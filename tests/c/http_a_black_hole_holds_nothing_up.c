/*
 * A server that accepts connections and never answers: connecting, calls and close end within their bounds, in every era,
 * and nothing is left.
 */
#include "http.h"

static void check(const struct server *server, const char *era) {
    char *members = format("%s,\"timeouts\":{\"probe_ms\":400,\"initialize_ms\":400,\"connect_ms\":400}", era);
    /* By the time that the caller gives. */
    mcp_client_t *client = client_at(server, "/mcp", members);
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_connect(client, 200, NULL), MCP_ERROR_TIMEOUT);
    CHECK_LE(now_ms() - begin, 200 + slack());
    begin = now_ms();
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":150}");
    CHECK_NE(mcp_message_status(reply), MCP_OK);
    CHECK_LE(now_ms() - begin, 150 + slack());
    mcp_message_free(reply);
    begin = now_ms();
    mcp_client_close(client, 200);
    CHECK_LE(now_ms() - begin, 200 + slack());
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    /* By the bounds of the configuration. */
    char *fails = format("%s,\"reconnect\":false", members);
    client = client_at(server, "/mcp", fails);
    begin = now_ms();
    mcp_string_free(connect_error(client, MCP_ERROR_TIMEOUT));
    CHECK_LE(now_ms() - begin, 3 * 400 + slack());
    close_and_free(client);
    free(fails);
    free(members);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], ARGS("black-hole"));
    check(&server, "\"protocol\":\"auto\"");
    check(&server, LEGACY);
    check(&server, MODERN);
    check(&server, "\"protocol\":\"2024-11-05\"");
    stop_server(&server);
    check_nothing_left(before);
    return 0;
}

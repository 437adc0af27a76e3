/*
 * Legacy: an answer's stream that ends behind an event with an id is taken up with Last-Event-ID, not sooner than the
 * server asked for, as often as it takes, and the call has its answer. Without an id, and in the modern era, the call ends
 * as MCP_ERROR_TRANSPORT and nothing more is asked for.
 */
#include "http.h"

static void check_lost(const char *path, const char *era, const char *tool, const char *arguments) {
    struct server server = start_server(path, ARGS("on-get=405"));
    mcp_client_t *client = connected_to(&server, era);
    long long gets = stat_of(&server, "/methods/GET");
    mcp_message_t *reply = call_tool(client, tool, arguments, "{\"timeout_ms\":15000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "stream");
    mcp_message_free(reply);
    /* A server may close a connection behind its answer without having said so: a call that is on its way then is lost. */
    UNTIL(is_quiet(&server));
    check_echo(client, "afterwards");
    CHECK_EQ(stat_of(&server, "/methods/GET"), gets);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *client = connected_to(&server, LEGACY);
    char *text = tool_text(client, "detach", "{\"retry\":300,\"ms\":100}");
    CHECK_TEXT(text, "back again");
    free(text);
    CHECK_EQ(stat_of(&server, "/resumed"), 1);
    text = tool_text(client, "detach", "{\"retry\":200,\"ms\":100,\"cuts\":8}");
    CHECK_TEXT(text, "back again");
    free(text);
    /* Where the client comes late the server has less to cut. More than the five attempts that bring nothing it takes. */
    long long resumed = stat_of(&server, "/resumed");
    CHECK_GE(resumed, 8);
    struct times times = times_of(&server, "GET"); /* the first is of the session's own stream */
    CHECK_EQ(times.count, resumed + 1);
    for (int i = 3; i < times.count; i++) {
        CHECK_GE(times.at[i] - times.at[i - 1], 180);
    }
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    check_lost(argv[3], LEGACY, "detach", "{\"id\":false}");
    check_lost(argv[3], LEGACY, "fault", "{\"do\":\"lost\"}");
    check_lost(argv[3], LEGACY, "fault", "{\"do\":\"half-event\"}");
    check_lost(argv[3], MODERN, "fault", "{\"do\":\"lost\"}");
    check_lost(argv[3], MODERN, "fault", "{\"do\":\"lost-after-id\"}");
    check_lost(argv[3], MODERN, "fault", "{\"do\":\"half-event\"}");
    check_nothing_left(before);
    return 0;
}

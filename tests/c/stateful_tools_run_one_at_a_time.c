/*
 * With tool_modes "auto" calls of stateful tools go out one at a time and in order, and those of other tools at once. Every
 * request names the session of its connection. A call that waits for its turn keeps its own time, can be cancelled, and
 * ends with the connection. The same in both eras; without the setting nothing of it happens.
 */
#include "check.h"

#define AUTO "\"tool_modes\":\"auto\",\"reconnect\":{\"initial_ms\":1}"

static bool waits(mcp_client_t *client, const char *count) {
    char *info = info_of(client);
    bool is = json_is(info, "/tool_modes/waiting", count);
    mcp_string_free(info);
    return is;
}

/* The reply with this tag must be the next one. */
static mcp_message_t *reply_of(mcp_client_t *client, uint64_t tag) {
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), tag);
    return reply;
}

static void check_reply(mcp_client_t *client, uint64_t tag, mcp_status_t status) {
    mcp_message_t *reply = reply_of(client, tag);
    CHECK_STATUS(mcp_message_status(reply), status);
    mcp_message_free(reply);
}

/* The session that this connection's last request names; the tool's own call is it. free() it. */
static char *session_of(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "received", "{\"method\":\"tools/call\",\"lines\":true}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    const char *json = mcp_message_json(reply, NULL);
    size_t count = json_count(json, "/structuredContent/lines");
    CHECK_GE(count, 1);
    char *first = NULL;
    for (size_t i = 0; i < count; i++) {
        char *pointer = format("/structuredContent/lines/%zu", i);
        char *line = json_at(json, pointer);
        char *session = json_at(line, "/params/_meta/session_id");
        CHECK_EQ(strlen(session), 32);
        if (first == NULL) {
            first = format("%s", session);
        }
        CHECK_TEXT(session, first);
        mcp_string_free(session);
        mcp_string_free(line);
        free(pointer);
    }
    mcp_message_free(reply);
    return first;
}

static void check_era(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era, "stateful=hang+add+fail"), AUTO);
    /* The tools were not listed yet: the library does. */
    uint64_t first = start_tool(client, "hang", NULL, NULL, 1);
    start_tool(client, "add", "{\"a\":2,\"b\":3}", NULL, 2);
    start_tool(client, "fail", NULL, NULL, 3);
    UNTIL(waits(client, "2"));
    check_echo(client, "a stateless tool does not wait");
    char *info = info_of(client);
    CHECK(json_is(info, "/tool_modes/session_required", "true"));
    CHECK(json_is(info, "/tool_modes/stateful_tools", "3"));
    mcp_string_free(info);
    CHECK_STATUS(mcp_call_cancel(client, first, NULL), MCP_OK);
    check_reply(client, 1, MCP_ERROR_CANCELLED);
    check_reply(client, 2, MCP_OK);
    check_reply(client, 3, MCP_OK);
    char *session = session_of(client);

    /* A time of its own, and a cancellation, while it waits. */
    first = start_tool(client, "hang", NULL, NULL, 4);
    uint64_t second = start_tool(client, "fail", NULL, NULL, 5);
    mcp_message_t *late = call_tool(client, "add", "{\"a\":1,\"b\":1}", "{\"timeout_ms\":20}");
    CHECK_STATUS(mcp_message_status(late), MCP_ERROR_TIMEOUT);
    CHECK_CONTAINS(mcp_message_json(late, NULL), "one at a time");
    CHECK(json_is(mcp_message_json(late, NULL), "/details/sent", "false"));
    mcp_message_free(late);
    CHECK_STATUS(mcp_call_cancel(client, second, NULL), MCP_OK);
    check_reply(client, 5, MCP_ERROR_CANCELLED);
    CHECK(waits(client, "0"));

    /* The connection ends, and with it the turn, those who wait, and the session. */
    start_tool(client, "add", "{\"a\":1,\"b\":1}", NULL, 6);
    mcp_message_free(call_tool(client, "crash", NULL, NULL));
    check_reply(client, 4, MCP_ERROR_TRANSPORT);
    mcp_message_t *lost = reply_of(client, 6);
    CHECK_STATUS(mcp_message_status(lost), MCP_ERROR_TRANSPORT);
    CHECK(json_is(mcp_message_json(lost, NULL), "/details/sent", "false"));
    mcp_message_free(lost);
    connect_client(client);
    char *next = session_of(client);
    CHECK(strcmp(session, next) != 0);
    free(next);
    free(session);

    /* Close ends what waits as well. */
    start_tool(client, "hang", NULL, NULL, 7);
    start_tool(client, "fail", NULL, NULL, 8);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    check_reply(client, 7, MCP_ERROR_CLOSED);
    check_reply(client, 8, MCP_ERROR_CLOSED);
    close_and_free(client);
}

/* Without the setting: both at once, and no session. */
static void check_off(const char *server) {
    mcp_client_t *client = connected(server, ARGS("stateful=hang+echo"), NULL);
    start_tool(client, "hang", NULL, NULL, 1);
    check_echo(client, "at once");
    char *info = info_of(client);
    CHECK(json_is(info, "/tool_modes", "null"));
    mcp_string_free(info);
    mcp_message_t *reply = call_tool(client, "received", "{\"method\":\"tools/call\",\"lines\":true}", NULL);
    CHECK(strstr(mcp_message_json(reply, NULL), "session_id") == NULL);
    mcp_message_free(reply);
    close_and_free(client);
}

/* The row is bounded. */
static void check_bound(const char *server) {
    mcp_client_t *client =
        connected(server, ARGS("stateful=hang"), "\"tool_modes\":\"auto\",\"limits\":{\"stateful_calls\":2}");
    for (uint64_t tag = 1; tag <= 3; tag++) {
        start_tool(client, "hang", NULL, NULL, tag);
    }
    UNTIL(waits(client, "2"));
    mcp_message_t *refused = call_tool(client, "hang", NULL, NULL);
    CHECK_STATUS(mcp_message_status(refused), MCP_ERROR_BACKPRESSURE);
    CHECK_CONTAINS(mcp_message_json(refused, NULL), "limits.stateful_calls");
    mcp_message_free(refused);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_era(argv[2], "legacy");
    check_era(argv[2], "modern");
    check_off(argv[2]);
    check_bound(argv[2]);
    check_nothing_left(before);
    return 0;
}

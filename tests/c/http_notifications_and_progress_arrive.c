/*
 * Log messages and progress on the stream of a call, in both eras, and what the server sends by itself on the stream of its
 * own messages.
 */
#include "http.h"

static void check_call(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "notify", "{\"count\":5}", WITH_LOG);
    CHECK_TEXT(mcp_message_text(reply, NULL), "sent 5");
    mcp_message_free(reply);
    for (int i = 1; i <= 5; i++) {
        char *expected = format("message %d of 5", i);
        mcp_message_t *notification = next_of_kind(client, MCP_KIND_NOTIFICATION);
        CHECK_CONTAINS(mcp_message_json(notification, NULL), expected);
        mcp_message_free(notification);
        free(expected);
    }
    start_tool(client, "progress", "{\"steps\":4}", "{\"progress\":true}", 9);
    for (int i = 1; i <= 4; i++) {
        mcp_message_t *progress = next_of_kind(client, MCP_KIND_PROGRESS);
        CHECK_EQ(mcp_message_tag(progress), 9);
        CHECK_EQ(json_number(mcp_message_json(progress, NULL), "/progress"), i);
        mcp_message_free(progress);
    }
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_TEXT(mcp_message_text(reply, NULL), "4 steps");
    mcp_message_free(reply);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const eras[] = {MODERN, LEGACY, "\"protocol\":\"2025-03-26\""};
    for (int i = 0; i < 3; i++) {
        struct server server = start_server(argv[3], NULL);
        mcp_client_t *client = connected_to(&server, eras[i]);
        check_call(client);
        if (i > 0) {
            tell_server(&server, "/push?count=3");
            for (int pushed = 1; pushed <= 3; pushed++) {
                char *expected = format("pushed %d of 3", pushed);
                mcp_message_t *notification = next_of_kind(client, MCP_KIND_NOTIFICATION);
                CHECK_CONTAINS(mcp_message_json(notification, NULL), expected);
                mcp_message_free(notification);
                free(expected);
            }
        }
        check_no_violations(&server);
        close_and_free(client);
        stop_server(&server);
    }
    check_nothing_left(before);
    return 0;
}

/*
 * Over HTTP a call that has become a task is followed by requests of its own, which carry the task's name in a header
 * (2026-07-28). The server may end and come back in between; the call has one outcome.
 */
#include "http.h"

#define TASKS ",\"tasks\":{\"poll_min_ms\":5,\"poll_ms\":20},\"reconnect\":{\"initial_ms\":50,\"max_ms\":200}"

/* Waits until the call has become a task. */
static void await_task(mcp_client_t *client, uint64_t call) {
    long long deadline = now_ms() + patience();
    mcp_message_t *message = next_of_kind(client, MCP_KIND_NOTIFICATION);
    while (mcp_message_call_id(message) != call) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_free(message);
        message = next_of_kind(client, MCP_KIND_NOTIFICATION);
    }
    CHECK_EQ(mcp_message_topic(message), MCP_TOPIC_TASK);
    mcp_message_free(message);
}

static void check(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    char *members = format("%s" TASKS, era);
    mcp_client_t *client = connected_to(&server, members);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_call_tool(client, "work", "{\"ms\":150,\"poll_ms\":30}", "{\"task\":true}",
                                      &reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "the work is done");
    mcp_message_free(reply);
    CHECK_GE(count_of(&server, "tasks/get"), 1);
    check_no_violations(&server);

    uint64_t call = 0;
    CHECK_STATUS(mcp_client_call_tool_start(client, "work", "{\"ms\":1500,\"poll_ms\":50}", "{\"task\":true}",
                                            9, &call, NULL), MCP_OK);
    await_task(client, call);
    int port = server.port;
    stop_server(&server);
    server = start_server_on(path, port, NULL);
    reply = next_of_kind(client, MCP_KIND_REPLY);
    if (mcp_message_status(reply) != MCP_OK) {
        FAIL("%s: %s", era, mcp_message_json(reply, NULL));
    }
    CHECK_EQ(mcp_message_call_id(reply), call);
    CHECK_TEXT(mcp_message_text(reply, NULL), "the work is done");
    mcp_message_free(reply);

    CHECK_STATUS(mcp_client_call_tool_start(client, "work", "{\"ms\":600000}", "{\"task\":true}", 10, &call,
                                            NULL), MCP_OK);
    await_task(client, call);
    CHECK_STATUS(mcp_call_cancel(client, call, "enough"), MCP_OK);
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    UNTIL(count_of(&server, "tasks/cancel") == 1);
    CHECK_EQ(count_of(&server, "notifications/cancelled"), 0);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    free(members);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(argv[3], MODERN);
    check(argv[3], LEGACY);
    check_nothing_left(before);
    return 0;
}

/*
 * A call that is cancelled while its answer is on the way ends exactly once, with its answer or as
 * MCP_ERROR_CANCELLED. An answer that the server sends in reaction to the cancellation is late and dropped.
 */
#include "check.h"

static void check_answer_after_cancellation(const char *server) {
    mcp_client_t *client = connected(server, NULL, NULL);
    mcp_message_t *message = NULL;
    drain(client);
    uint64_t call = start_tool(client, "late_after_cancel", NULL, NULL, 1);
    check_echo(client, "it is under way");
    CHECK_STATUS(mcp_call_cancel(client, call, "changed our mind"), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "changed our mind");
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call_cancel(client, call, NULL), MCP_EMPTY);
    check_echo(client, "and answered by now");
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/late_answers"), 1);
    CHECK_EQ(json_number(info, "/counters/cancelled"), 1);
    mcp_string_free(info);

    char *text = tool_text(client, "received", "{\"method\":\"notifications/cancelled\",\"lines\":true}");
    CHECK_CONTAINS(text, "changed our mind"); /* the reason reaches the server */
    free(text);
    close_and_free(client);
}

static void check_race(const char *server) {
    enum { CALLS = 300 };
    static int ended[CALLS];
    mcp_client_t *client = connected(server, NULL, NULL);
    mcp_message_t *message = NULL;
    drain(client);
    for (uint64_t tag = 0; tag < CALLS; tag++) {
        uint64_t call = start_tool(client, "echo", "{\"text\":\"quick\"}", NULL, tag);
        for (uint64_t spin = 0; spin < tag * 200; spin++) { /* moves the race about */
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
        }
        CHECK_GE(mcp_call_cancel(client, call, NULL), 0); /* MCP_EMPTY when the answer was first */
    }
    check_echo(client, "all are answered by now");
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        CHECK_EQ(mcp_message_kind(message), MCP_KIND_REPLY);
        CHECK(mcp_message_status(message) == MCP_OK || mcp_message_status(message) == MCP_ERROR_CANCELLED);
        CHECK(mcp_message_tag(message) < CALLS);
        CHECK_EQ(++ended[mcp_message_tag(message)], 1);
        mcp_message_free(message);
    }
    for (int tag = 0; tag < CALLS; tag++) {
        CHECK_EQ(ended[tag], 1);
    }
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_answer_after_cancellation(argv[2]);
    check_race(argv[1]);
    return 0;
}

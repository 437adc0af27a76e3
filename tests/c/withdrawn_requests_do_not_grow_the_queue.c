/*
 * A server that sends requests and withdraws each at once, thousands of them: not more than
 * limits.server_requests wait in the queue. What was withdrawn cannot be answered any more, and when the queue
 * is empty again new requests come through.
 */
#include "check.h"

#define BOUND 4 /* limits.server_requests below */
#define TOGETHER 50

static void append(char **text, char *more) {
    char *longer = format("%s%s", *text, more);
    free(*text);
    free(more);
    *text = longer;
}

static char *request(int number) {
    return format("{\"jsonrpc\":\"2.0\",\"id\":\"r%d\",\"method\":\"sampling/createMessage\","
                  "\"params\":{\"messages\":[],\"maxTokens\":%d}}\n",
                  number, number);
}

/* Has the server write these lines before its answer. */
static void have_it_write(mcp_client_t *client, const char *lines) {
    char *quoted = NULL;
    CHECK_STATUS(mcp_json_quote(lines, &quoted), MCP_OK);
    char *arguments = format("{\"line\":%s,\"right_after\":true}", quoted);
    mcp_message_t *reply = call_tool(client, "raw", arguments, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    free(arguments);
    mcp_string_free(quoted);
}

/* Gives how many requests there are; none of them can be answered. */
static int count_withdrawn(mcp_client_t *client) {
    int count = 0;
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
            count++;
            CHECK_STATUS(mcp_request_respond(message, "{}", NULL), MCP_ERROR_CANCELLED);
        }
        mcp_message_free(message);
    }
    return count;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    int rounds = scaled(60, 3);
    mcp_client_t *client =
        connected(argv[2], NULL, "\"capabilities\":{\"sampling\":{}},\"limits\":{\"server_requests\":4}");
    drain(client);
    for (int round = 0; round < rounds; round++) {
        char *lines = format("%s", "");
        for (int i = round * TOGETHER; i < (round + 1) * TOGETHER; i++) {
            append(&lines, request(i));
            append(&lines, format("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                                  "\"params\":{\"requestId\":\"r%d\"}}\n",
                                  i));
        }
        have_it_write(client, lines);
        free(lines);
    }
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/server_requests"), rounds * TOGETHER);
    CHECK_EQ(json_number(info, "/unanswered_requests"), 0);
    mcp_string_free(info);
    CHECK_EQ(count_withdrawn(client), BOUND);

    char *line = request(1000000);
    have_it_write(client, line);
    free(line);
    mcp_message_t *fresh = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_STATUS(mcp_request_respond_error(fresh, -1, "the user refused", NULL, NULL), MCP_OK);
    mcp_message_free(fresh);
    close_and_free(client);
    return 0;
}

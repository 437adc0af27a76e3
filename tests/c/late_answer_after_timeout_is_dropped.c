/*
 * A call that has timed out is over: the server is told so once (notifications/cancelled), and its answer,
 * when it comes after all, is dropped and counted and disturbs no other call.
 */
#include "check.h"

static long long counter(mcp_client_t *client, const char *pointer) {
    char *info = info_of(client);
    long long count = json_number(info, pointer);
    mcp_string_free(info);
    return count;
}

/* How often the server got a message of this method. */
static long long received(mcp_client_t *client, const char *method) {
    char *text = tool_text(client, "received", NULL);
    char *pointer = format("/counts/%s", method);
    long long count = json_has(text, pointer) ? json_number(text, pointer) : 0;
    free(pointer);
    free(text);
    return count;
}

static void check_era(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), NULL);
    mcp_message_t *message = NULL;
    drain(client);
    mcp_message_t *reply = call_tool(client, "late", "{\"ms\":400}", "{\"timeout_ms\":100}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    mcp_message_free(reply);
    CHECK_EQ(received(client, "notifications~1cancelled"), 1);

    UNTIL(counter(client, "/counters/late_answers") == 1);
    CHECK_EQ(counter(client, "/counters/unknown_answers"), 0);
    CHECK_EQ(counter(client, "/counters/timeouts"), 1);
    check_echo(client, "the right answer to the right call");
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    CHECK_EQ(received(client, "notifications~1cancelled"), 1);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_era(argv[2], "legacy");
    check_era(argv[2], "modern");
    return 0;
}

/* Memory is bounded, however much a server sends, does not read, or the program keeps. */
#include "check.h"

/*
 * A request of the server that was polled belongs to the program, which may keep it for longer than its client:
 * it can still be read, but holds no descriptor, thread or process of the library. For one that is freed without an
 * answer while its client is there the library answers, so the call behind it ends.
 */

#define ASKING "\"capabilities\":{\"elicitation\":{}}"

static void check_freed(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--era", "legacy"), ASKING);
    start_tool(client, "ask", "{\"question\":\"Anybody?\"}",
               "{\"timeout_ms\":600000,\"max_total_ms\":600000}", 1);
    mcp_message_free(next_of_kind(client, MCP_KIND_REQUEST));
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), 1);
    CHECK_NE(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    mcp_message_free(reply);
    check_echo(client, "fine");
    close_and_free(client);
}

static void a_kept_request_keeps_nothing_else(char **argv) {
    struct holdings before = holdings_now();
    check_freed(argv[1]);
    mcp_client_t *client = connected(argv[1], ARGS("--era", "legacy"), ASKING);
    start_tool(client, "ask", "{\"question\":\"Anybody?\"}", NULL, 1);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    check_nothing_left(before);

    CHECK_TEXT(mcp_message_method(request), "elicitation/create");
    CHECK(json_is(mcp_message_json(request, NULL), "/message", "Anybody?"));
    CHECK_STATUS(mcp_request_respond(request, "{\"action\":\"decline\"}", NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_message_free(request), MCP_OK);
    check_nothing_left(before);
}

/*
 * A server that sends a million notifications to a program that takes none: memory grows no further than the
 * queue's bound, the call behind the flood gets its answer, and delivered and lost together are all that was
 * sent.
 */

static void a_flood_of_notifications_keeps_memory_bounded(char **argv) {
    int count = scaled(1000000, 20000);
    long long delivered = 0;
    long long lost = 0;
    mcp_message_t *message = NULL;
    mcp_client_t *client = connected(argv[2], NULL, "\"limits\":{\"queue_messages\":1000}");
    check_echo(client, "warm");
    drain(client);
    long before = memory_kib("VmRSS:");
    char *arguments = format("{\"count\":%d}", count);
    mcp_message_t *reply = call_tool(client, "flood", arguments, "{\"timeout_ms\":50000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "flooded");
    mcp_message_free(reply);
    free(arguments);
    if (scale() == 1) {
        CHECK_LE(memory_kib("VmRSS:") - before, 16384);
    }
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_LOST) {
            lost += json_number(mcp_message_json(message, NULL), "/count");
        } else {
            CHECK_EQ(mcp_message_kind(message), MCP_KIND_NOTIFICATION);
            delivered++;
        }
        mcp_message_free(message);
    }
    CHECK_LE(delivered, 1000);
    CHECK_EQ(delivered + lost, count);
    check_echo(client, "dry again");
    close_and_free(client);
}

/*
 * A server that stops reading: notifications pile up to limits.outgoing_bytes and are MCP_ERROR_BACKPRESSURE from then
 * on, with the numbers in the error; memory does not grow further, and closing takes no longer for it.
 */

#define NOTIFICATIONS 400
#define BYTES (256 * 1024)

static void notifications_to_a_server_that_does_not_read_are_refused(char **argv) {
    struct holdings before = holdings_now();
    mcp_client_t *client =
        connected(argv[2], ARGS("--era", "legacy", "stop-reading"), "\"limits\":{\"outgoing_bytes\":1048576}");
    char *params = malloc(BYTES + 32);
    CHECK(params != NULL);
    strcpy(params, "{\"x\":\"");
    memset(params + strlen(params), 'x', BYTES);
    strcpy(params + 6 + BYTES, "\"}");
    int accepted = 0;
    int refused = 0;
    long memory = memory_kib("VmRSS:");
    for (int i = 0; i < NOTIFICATIONS; i++) {
        char *error = NULL;
        mcp_status_t status = mcp_client_notify(client, "notifications/x", params, &error);
        if (status == MCP_OK) {
            accepted++;
        } else {
            CHECK_STATUS(status, MCP_ERROR_BACKPRESSURE);
            CHECK_CONTAINS(error, "limits.outgoing_bytes");
            mcp_string_free(error);
            refused++;
        }
    }
    CHECK_GE(accepted, 4);
    CHECK_GE(refused, NOTIFICATIONS - 20);
    CHECK_LE(memory_kib("VmRSS:") - memory, 16 * 1024 * scale());
    free(params);
    close_and_free(client);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    a_kept_request_keeps_nothing_else(argv);
    a_flood_of_notifications_keeps_memory_bounded(argv);
    notifications_to_a_server_that_does_not_read_are_refused(argv);
    return 0;
}

/*
 * A message owns what it points to: after its client and its queue are freed, its JSON, text and method still
 * read as before, from any thread, until the message is freed. What still waited in a shared queue for a
 * client that is freed goes with it. A request of the server that is answered after the client was closed gives
 * MCP_ERROR_CLOSED.
 */
#include "check.h"

static void *read_and_free(void *argument) {
    mcp_message_t *message = argument;
    size_t length = 0;
    const char *json = mcp_message_json(message, &length);
    CHECK_EQ(strlen(json), length);
    CHECK_STATUS(mcp_message_free(message), MCP_OK);
    return NULL;
}

/* The next notification of any client; other messages are dropped. */
static mcp_message_t *next_notification(mcp_queue_t *queue) {
    for (long long deadline = now_ms() + patience();;) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_NOTIFICATION) {
            return message;
        }
        mcp_message_free(message);
    }
}

static void check_request(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--era", "legacy"), "\"capabilities\":{\"elicitation\":{}}");
    start_tool(client, "ask", "{\"question\":\"Still there?\"}", NULL, 1);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    const char *answer = "{\"action\":\"accept\",\"content\":{\"answer\":\"late\"}}";
    char *error = NULL;
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_STATUS(mcp_request_respond(request, answer, &error), MCP_ERROR_CLOSED);
    CHECK(json_is(error, "/status", "closed"));
    mcp_string_free(error);
    CHECK_STATUS(mcp_request_respond_error(request, 1, "late", NULL, NULL), MCP_ERROR_CLOSED);
    mcp_message_free(request);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_queue_t *queue = NULL;
    mcp_message_t *failure = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, argv[1], NULL, NULL);
    connect_client(client);
    mcp_message_t *reply = call_tool(client, "big", "{\"bytes\":100000}", NULL);
    const char *arguments = "{\"count\":1,\"text\":\"stay\",\"changes\":false}";
    mcp_message_free(call_tool(client, "notify", arguments, WITH_LOG));
    mcp_message_t *notification = next_notification(queue);
    CHECK_STATUS(mcp_call(client, "no/such/method", NULL, NULL, &failure), MCP_ERROR_SERVER);
    start_tool(client, "slow", "{\"ms\":3600000}", NULL, 5);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);

    size_t length = 0;
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK(mcp_message_text(reply, &length) != NULL);
    CHECK_EQ(length, 100000);
    CHECK_TEXT(mcp_message_method(notification), "notifications/message");
    CHECK(json_is(mcp_message_json(notification, NULL), "/data/text", "stay"));
    CHECK(json_is(mcp_message_json(failure, NULL), "/code", "-32601"));

    /* What had not been taken went with the client: no message names a client that is gone. */
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_EMPTY);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    join_thread(start_thread(read_and_free, reply));
    join_thread(start_thread(read_and_free, notification));
    join_thread(start_thread(read_and_free, failure));
    check_request(argv[1]);
    return 0;
}

/*
 * A server sends large requests that are not taken: they count against limits.queue_bytes, and those for which there is no room
 * are refused, as those over limits.server_requests are. When there is room again the next one arrives. A request whose id is
 * over 1 KiB is dropped and counted, since every answer would have to repeat it. Requests that the server withdraws at once
 * count as long as they wait in the queue, and cannot be answered any more.
 */
#include "check.h"

#define LARGE 60000
#define COUNT 10
#define WITHDRAWN 50

static char *request(int number, size_t id_bytes, size_t bytes) {
    char *id = format("%0*d", (int)id_bytes, number);
    char *filler = malloc(bytes + 1);
    CHECK(filler != NULL);
    memset(filler, 'x', bytes);
    filler[bytes] = '\0';
    char *text = format("{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"sampling/createMessage\","
                        "\"params\":{\"messages\":[],\"maxTokens\":1,\"filler\":\"%s\"}}\n",
                        id, filler);
    free(filler);
    free(id);
    return text;
}

static char *joined(char *first, char *second) {
    char *both = format("%s%s", first, second);
    free(first);
    free(second);
    return both;
}

/* Has the server write these lines before its answer. */
static void have_it_write(mcp_client_t *client, char *lines) {
    char *quoted = NULL;
    CHECK_STATUS(mcp_json_quote(lines, &quoted), MCP_OK);
    char *arguments = format("{\"line\":%s,\"right_after\":true}", quoted);
    mcp_message_t *reply = call_tool(client, "raw", arguments, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    free(arguments);
    mcp_string_free(quoted);
    free(lines);
}

/* How many requests of the server wait when it has written these lines. */
static int count_after(mcp_client_t *client, char *lines) {
    have_it_write(client, lines);
    int count = 0;
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        count += mcp_message_kind(message) == MCP_KIND_REQUEST;
        mcp_message_free(message);
    }
    return count;
}

static long long counted(mcp_client_t *client, const char *pointer) {
    char *info = info_of(client);
    long long number = json_number(info, pointer);
    mcp_string_free(info);
    return number;
}

static void check(const char *server, const char *overflow) {
    char *members = format("\"capabilities\":{\"sampling\":{}},\"limits\":{\"queue_bytes\":200000,\"overflow\":\"%s\"}", overflow);
    mcp_client_t *client = connected(server, NULL, members);
    free(members);
    drain(client);
    char *lines = format("%s", "");
    for (int i = 0; i < COUNT; i++) {
        lines = joined(lines, request(i, 4, LARGE));
    }
    CHECK_EQ(count_after(client, lines), 3); /* of 60,000 bytes each, in 200,000 */
    CHECK_GE(counted(client, "/counters/refused_requests"), COUNT - 3);
    CHECK_EQ(count_after(client, request(COUNT, 4, LARGE)), 1);
    CHECK_EQ(counted(client, "/counters/violations"), 0);
    CHECK_EQ(count_after(client, request(1, 1023, 10)), 0);
    CHECK_EQ(counted(client, "/counters/violations"), 1);
    check_echo(client, "on we go");
    close_and_free(client);
}

static void check_withdrawn(const char *server) {
    mcp_client_t *client =
        connected(server, NULL, "\"capabilities\":{\"sampling\":{}},\"limits\":{\"server_requests\":4}");
    drain(client);
    char *lines = format("%s", "");
    for (int i = 0; i < WITHDRAWN; i++) {
        lines = joined(lines, request(i, 4, 10));
        lines = joined(lines, format("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                                     "\"params\":{\"requestId\":\"%04d\"}}\n",
                                     i));
    }
    have_it_write(client, lines);
    CHECK_EQ(counted(client, "/counters/server_requests"), WITHDRAWN);
    CHECK_EQ(counted(client, "/unanswered_requests"), 0);
    int count = 0;
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
            count++;
            CHECK_STATUS(mcp_request_respond(message, "{}", NULL), MCP_ERROR_CANCELLED);
        }
        mcp_message_free(message);
    }
    CHECK_EQ(count, 4); /* limits.server_requests */
    CHECK_EQ(count_after(client, request(WITHDRAWN, 4, 10)), 1);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check(argv[2], "drop_oldest");
    check(argv[2], "drop_newest");
    check_withdrawn(argv[2]);
    check_nothing_left(before);
    return 0;
}

/*
 * A server sends large requests that are not taken: they count against limits.queue_bytes, and those for which there is no room
 * are refused, as those over limits.server_requests are. When there is room again the next one arrives. A request whose id is
 * over 1 KiB is dropped and counted, since every answer would have to repeat it.
 */
#include "check.h"

#define LARGE 60000
#define COUNT 10

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

/* Has the server write these lines before its answer, and gives how many requests of it wait then. */
static int count_after(mcp_client_t *client, char *lines) {
    char *quoted = NULL;
    CHECK_STATUS(mcp_json_quote(lines, &quoted), MCP_OK);
    char *arguments = format("{\"line\":%s,\"right_after\":true}", quoted);
    mcp_message_t *reply = call_tool(client, "raw", arguments, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    free(arguments);
    mcp_string_free(quoted);
    free(lines);
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
        char *line = request(i, 4, LARGE), *longer = format("%s%s", lines, line);
        free(line);
        free(lines);
        lines = longer;
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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check(argv[2], "drop_oldest");
    check(argv[2], "drop_newest");
    check_nothing_left(before);
    return 0;
}

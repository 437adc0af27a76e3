/*
 * A server that listens on a Unix socket (a path or an abstract name) or on TCP (a number or a name) is reached
 * with "socket" and called like any other, in both framings, also after garbage; 10,000 started calls end exactly
 * once. Nothing is left afterwards.
 */
#include "line_server.h"

static void calls_work(const char *socket, const char *members) {
    mcp_client_t *client = socket_client(socket, members);
    connect_client(client);
    check_echo(client, "through a socket");
    char *info = info_of(client);
    CHECK(json_is(info, "/transport", "socket"));
    CHECK(json_is(info, "/pid", "null"));
    CHECK(json_is(info, "/name", socket));
    CHECK(json_is(info, "/server/name", "line"));
    mcp_string_free(info);
    /* Larger than what a socket takes at once. */
    size_t length = 1000000;
    char *large = malloc(length + 1);
    CHECK(large != NULL);
    memset(large, 'x', length);
    large[length] = '\0';
    check_echo(client, large);
    free(large);
    close_and_free(client);
}

static void many_calls_end_once(const char *socket) {
    uint64_t total = (uint64_t)scaled(10000, 200);
    mcp_client_t *client = socket_client(socket, NULL);
    bool *seen = calloc(total, sizeof *seen);
    uint64_t ended = 0;
    CHECK(seen != NULL);
    connect_client(client);
    drain(client);
    for (uint64_t tag = 0; tag < total; tag++) {
        start_tool(client, "echo", "{\"text\":\"x\"}", NULL, tag);
    }
    while (ended < total) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        uint64_t tag = mcp_message_tag(reply);
        CHECK(tag < total && !seen[tag]);
        seen[tag] = true;
        ended++;
        mcp_message_free(reply);
    }
    free(seen);
    close_and_free(client);
}

static void noise_is_skipped(const char *socket) {
    mcp_client_t *client = socket_client(socket, NULL);
    char *text = tool_text(client, "noise", "{\"text\":\"x\"}");
    CHECK_TEXT(text, "x");
    free(text);
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/garbage_frames"), 1);
    mcp_string_free(info);
    close_and_free(client);
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    static struct line_server server;

    char *path = format("/tmp/mcp-test-%ld.sock", (long)getpid());
    char *address = format("unix:%s", path);
    line_server_on_unix(&server, path);
    calls_work(address, NULL);
    many_calls_end_once(address);
    noise_is_skipped(address);
    line_server_stop(&server);
    unlink(path);
    free(address);
    free(path);

    char *name = socket_name("called");
    address = format("unix:%s", name);
    line_server_on_unix(&server, name);
    calls_work(address, NULL);
    line_server_stop(&server);
    server.content_length = true;
    line_server_on_unix(&server, name);
    calls_work(address, "\"framing\":\"content-length\"");
    line_server_stop(&server);
    server.content_length = false;
    free(address);
    free(name);

    int port = line_server_on_tcp(&server, 0);
    address = format("tcp:127.0.0.1:%d", port);
    calls_work(address, NULL);
    many_calls_end_once(address);
    free(address);
    address = format("tcp:localhost:%d", port);
    calls_work(address, NULL);
    free(address);
    line_server_stop(&server);

    check_nothing_left(before);
    return 0;
}

/*
 * A server at the other end of a socket: calls, and a line without an end.
 */
#include "line_server.h"

/*
 * A server that listens on a Unix socket (a path or an abstract name) or on TCP (a number or a name) is reached
 * with "socket" and called like any other, in both framings, also after garbage; 10,000 started calls end exactly
 * once. Nothing is left afterwards.
 */
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

static void a_server_behind_a_socket_is_called(void) {
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
}

/*
 * Issue row 26e: a line without end. The call whose id the line begins with ends as MCP_ERROR_TOO_LARGE when limits.frame_bytes is
 * crossed, whatever comes after that. When limits.discard_bytes more have come, the connection is ended with a reason
 * that names the limits, the calls under way end with it, and the server is started again. Over pipes and sockets. The same
 * where messages have a header and its length is of no use: there is no way to find the next message.
 */
#define LIMITS "\"limits\":{\"frame_bytes\":1048576,\"discard_bytes\":4194304}"
#define HEADED "\"framing\":\"content-length\",\"reconnect\":{\"initial_ms\":20}"
#define AGAIN "\"reconnect\":{\"initial_ms\":1,\"max_ms\":10}"
#define KNOWN "\"start\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"result\\\":{\\\"content\\\":\\\"\""
/* Longer than the program may run: what ends in time does not end by its deadline. */
#define LATE "{\"timeout_ms\":3600000,\"max_total_ms\":3600000}"

static long long counted(mcp_client_t *client, const char *pointer) {
    char *info = info_of(client);
    long long count = json_number(info, pointer);
    mcp_string_free(info);
    return count;
}

static void check_too_large(mcp_message_t *reply) {
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TOO_LARGE);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "limits.frame_bytes");
    CHECK_EQ(json_number(mcp_message_json(reply, NULL), "/details/frame_bytes"), 1048576);
    mcp_message_free(reply);
}

static void check_ended_with_the_connection(mcp_message_t *reply) {
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_PROTOCOL);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "limits.frame_bytes (1048576)");
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "limits.discard_bytes (4194304)");
    mcp_message_free(reply);
}

static void check_started_again(mcp_client_t *client) {
    UNTIL(counted(client, "/counters/connections") == 2);
    check_echo(client, "the server was started again");
    CHECK_EQ(counted(client, "/counters/connections"), 2);
}

/* The line stops when the bound is crossed, and does not end. */
static void a_call_ends_when_the_bound_is_crossed(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--life", "120"), LIMITS "," AGAIN);
    check_too_large(call_tool(client, "no_newline_forever", "{" KNOWN ",\"bytes\":1100000}", LATE));
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    CHECK_EQ(counted(client, "/counters/oversized_frames"), 1);
    CHECK_EQ(counted(client, "/counters/connections"), 1);
    close_and_free(client);
}

/* One that ends in time is told once, and the stream goes on behind it. */
static void a_line_that_ends_costs_its_call_only(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--life", "120"), LIMITS "," AGAIN);
    check_too_large(
        call_tool(client, "no_newline_forever", "{" KNOWN ",\"bytes\":4000000,\"right_after\":true}", LATE));
    check_echo(client, "behind the line");
    CHECK_EQ(counted(client, "/counters/oversized_frames"), 1);
    CHECK_EQ(counted(client, "/counters/connections"), 1);
    CHECK_EQ(counted(client, "/counters/unknown_answers"), 0);
    close_and_free(client);
}

static void a_line_for_ever_ends_the_connection(const char *server, bool known) {
    mcp_client_t *client = connected(server, ARGS("--life", "120"), LIMITS "," AGAIN);
    pid_t flooding = (pid_t)counted(client, "/pid");
    start_tool(client, "hang", NULL, LATE, 7);
    mcp_message_t *reply = call_tool(client, "no_newline_forever", known ? "{" KNOWN "}" : "{}", LATE);
    known ? check_too_large(reply) : check_ended_with_the_connection(reply);
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), 7);
    check_ended_with_the_connection(reply);
    check_started_again(client);
    CHECK_NE(counted(client, "/pid"), flooding);
    UNTIL(!process_runs(flooding));
    close_and_free(client);
}

static void the_same_over_a_socket(const char *address) {
    mcp_client_t *client = socket_client(address, LIMITS "," AGAIN);
    check_too_large(call_tool(client, "flood", "{\"text\":\"known\"}", LATE));
    check_started_again(client);
    close_and_free(client);

    client = socket_client(address, LIMITS "," AGAIN);
    check_ended_with_the_connection(call_tool(client, "flood", "{\"text\":\"garbage\"}", LATE));
    check_started_again(client);
    close_and_free(client);
}

static void a_bad_length_ends_the_connection(const char *server, const char *behaviour) {
    mcp_client_t *client = connected(server, ARGS("--framing", "content-length", behaviour), HEADED);
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_PROTOCOL);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "Content-Length");
    mcp_message_free(reply);
    UNTIL(counted(client, "/counters/connections") == 2);
    close_and_free(client);
}

static void headers_tell_messages_apart(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--framing", "content-length"), HEADED);
    check_echo(client, "line\nend and \xe2\x82\xac");
    mcp_message_t *reply = call_tool(client, "big", "{\"bytes\":300000}", NULL);
    size_t length = 0;
    CHECK(mcp_message_text(reply, &length) != NULL);
    CHECK_EQ(length, 300000);
    mcp_message_free(reply);
    close_and_free(client);
}

static void a_line_without_end_ends_its_call_and_the_connection(char **argv) {
    struct holdings before = holdings_now();
    a_call_ends_when_the_bound_is_crossed(argv[2]);
    a_line_that_ends_costs_its_call_only(argv[2]);
    a_line_for_ever_ends_the_connection(argv[2], true);
    a_line_for_ever_ends_the_connection(argv[2], false);
    headers_tell_messages_apart(argv[1]);
    a_bad_length_ends_the_connection(argv[2], "bad-length=text");
    a_bad_length_ends_the_connection(argv[2], "bad-length=missing");

    static struct line_server server;
    char *name = socket_name("flood");
    char *address = format("unix:%s", name);
    line_server_on_unix(&server, name);
    the_same_over_a_socket(address);
    line_server_stop(&server);
    free(address);
    address = format("tcp:127.0.0.1:%d", line_server_on_tcp(&server, 0));
    the_same_over_a_socket(address);
    line_server_stop(&server);
    free(address);
    free(name);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    a_server_behind_a_socket_is_called();
    a_line_without_end_ends_its_call_and_the_connection(argv);
    return 0;
}

/*
 * A server behind a socket that ends in the middle of an answer, answers with too much, or reads nothing any more and
 * never closes its side: the calls are told, what waits for it is bounded, and close takes no longer than
 * timeouts.exit_ms. A client can be closed in every state.
 */
#include "line_server.h"

#define PATIENT "\"reconnect\":{\"initial_ms\":3600000,\"max_ms\":3600000}"

static void half_an_answer_is_told(const char *address) {
    mcp_client_t *client = socket_client(address, PATIENT);
    mcp_message_t *reply = call_tool(client, "half", "{\"text\":\"x\"}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    CHECK(json_is(mcp_message_json(reply, NULL), "/message",
                  "the server closed the connection in the middle of a message"));
    CHECK(json_is(mcp_message_json(reply, NULL), "/details/socket", address));
    mcp_message_free(reply);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_BACKOFF);
    long long begun = now_ms();
    close_and_free(client);
    CHECK_LE(now_ms() - begun, slack());
}

static void too_large_an_answer_is_refused(const char *address) {
    mcp_client_t *client = socket_client(address, "\"limits\":{\"frame_bytes\":4096}");
    char *arguments = format("{\"text\":\"%0100000d\"}", 0);
    mcp_message_t *reply = call_tool(client, "echo", arguments, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TOO_LARGE);
    mcp_message_free(reply);
    free(arguments);
    check_echo(client, "the stream goes on");
    close_and_free(client);
}

/* Starts calls until no more are taken. */
static mcp_status_t fill(mcp_client_t *client) {
    char *params = format("{\"name\":\"echo\",\"arguments\":{\"text\":\"%0100000d\"}}", 0);
    mcp_status_t status = MCP_OK;
    for (int i = 0; status == MCP_OK && i < 1000; i++) {
        status = mcp_call_start(client, "tools/call", params, NULL, 1, NULL, NULL);
    }
    free(params);
    return status;
}

static void what_is_never_read_is_bounded(const char *address) {
    mcp_client_t *client =
        socket_client(address, "\"limits\":{\"outgoing_bytes\":1000000},\"timeouts\":{\"exit_ms\":100}");
    connect_client(client);
    start_tool(client, "stop", NULL, NULL, 1);
    CHECK_STATUS(fill(client), MCP_ERROR_BACKPRESSURE);
    mcp_message_t *reply = call_tool(client, "echo", NULL, "{\"timeout_ms\":100}");
    mcp_status_t told = mcp_message_status(reply);
    if (told != MCP_ERROR_BACKPRESSURE && told != MCP_ERROR_TIMEOUT) {
        FAIL("a call that cannot be sent ended with %s: %s", mcp_status_name(told), mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
    long long begun = now_ms();
    close_and_free(client);
    CHECK_GE(now_ms() - begun, 100);
    CHECK_LE(now_ms() - begun, 100 + slack());
}

static void check_close(mcp_client_t *client, mcp_client_state_t state) {
    long long begun = now_ms();
    CHECK_EQ(mcp_client_state(client), state);
    CHECK_STATUS(mcp_client_close(client, 500), MCP_OK);
    CHECK_LE(now_ms() - begun, 500 + slack());
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_client_close(client, 0), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

static void it_closes_in_every_state(const char *address, const char *mute) {
    check_close(socket_client(address, NULL), MCP_CLIENT_STATE_IDLE);

    mcp_client_t *client = socket_client(mute, NULL);
    CHECK_STATUS(mcp_client_connect(client, 0, NULL), MCP_ERROR_TIMEOUT);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_INITIALIZING);
    check_close(client, MCP_CLIENT_STATE_INITIALIZING);

    client = socket_client(address, NULL);
    connect_client(client);
    start_tool(client, "stop", NULL, NULL, 1);
    check_close(client, MCP_CLIENT_STATE_READY);

    client = socket_client("unix:/nowhere/at.all", PATIENT);
    CHECK_STATUS(mcp_client_connect(client, -1, NULL), MCP_ERROR_TRANSPORT);
    check_close(client, MCP_CLIENT_STATE_BACKOFF);

    /* Freed without a close, too. */
    client = socket_client(address, "\"timeouts\":{\"close_ms\":200}");
    connect_client(client);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    static struct line_server server;
    char *name = socket_name("bad");
    char *unix_socket = format("unix:%s", name);
    char *mute_name = socket_name("mute");
    char *mute_address = format("unix:%s", mute_name);
    struct sockaddr_un where;
    socklen_t length = unix_address(&where, mute_name);
    int mute = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(mute >= 0);
    CHECK_EQ(bind(mute, (struct sockaddr *)&where, length), 0);
    CHECK_EQ(listen(mute, 16), 0);

    line_server_on_unix(&server, name);
    half_an_answer_is_told(unix_socket);
    too_large_an_answer_is_refused(unix_socket);
    what_is_never_read_is_bounded(unix_socket);
    it_closes_in_every_state(unix_socket, mute_address);
    line_server_stop(&server);

    char *tcp = format("tcp:127.0.0.1:%d", line_server_on_tcp(&server, 0));
    half_an_answer_is_told(tcp);
    too_large_an_answer_is_refused(tcp);
    what_is_never_read_is_bounded(tcp);
    it_closes_in_every_state(tcp, mute_address);
    line_server_stop(&server);

    close(mute);
    free(tcp);
    free(mute_address);
    free(mute_name);
    free(unix_socket);
    free(name);
    check_nothing_left(before);
    return 0;
}

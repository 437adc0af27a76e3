/*
 * When the server behind a socket dies, calls under way end as MCP_ERROR_TRANSPORT with an error that says what
 * happened, no SIGPIPE is raised, and the client connects again once the server is back: on Unix and on TCP. The same holds
 * for one that ends in the middle of an answer. What waits for one that reads nothing any more and never closes its side is
 * bounded, and close takes no longer than timeouts.exit_ms.
 */
#include "line_server.h"

static volatile sig_atomic_t pipe_signals;

static void count_signal(int signal) {
    (void)signal;
    pipe_signals++;
}

static void a_lost_call_says_so(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "die", NULL, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    const char *error = mcp_message_json(reply, NULL);
    CHECK_CONTAINS(error, "the server closed the connection");
    CHECK(json_has(error, "/details/socket"));
    mcp_message_free(reply);
}

static bool echoes(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"five\"}", NULL);
    bool echoed = mcp_message_status(reply) == MCP_OK;
    mcp_message_free(reply);
    return echoed;
}

/* A call made while the client waits for its next attempt waits, too. */
#define BACK "\"reconnect\":{\"initial_ms\":20,\"max_ms\":100},\"when_unavailable\":\"wait\""

static void it_comes_back(struct line_server *server, const char *address, const char *name, int port) {
    mcp_client_t *client = socket_client(address, BACK);
    connect_client(client);
    check_echo(client, "one");
    a_lost_call_says_so(client);
    check_echo(client, "two");
    /* No call runs while the server dies. */
    drain(client);
    line_server_stop(server);
    await_state(client, MCP_CLIENT_STATE_BACKOFF);
    char *info = info_of(client);
    CHECK(json_has(info, "/failure/message"));
    mcp_string_free(info);
    if (name != NULL) {
        line_server_on_unix(server, name);
    } else {
        line_server_on_tcp(server, port);
    }
    check_echo(client, "three");
    /* Writing to what is gone raises no signal. */
    for (int round = 0; round < 5; round++) {
        start_tool(client, "die", NULL, NULL, 1);
        for (int i = 0; i < 20; i++) {
            start_tool(client, "echo", "{\"text\":\"x\"}", NULL, 1);
        }
        /* It may still go to the connection that is about to end. */
        mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"four\"}", NULL);
        CHECK(mcp_message_status(reply) == MCP_OK || mcp_message_status(reply) == MCP_ERROR_TRANSPORT);
        mcp_message_free(reply);
    }
    UNTIL(echoes(client));
    CHECK_EQ(pipe_signals, 0);
    close_and_free(client);
}

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

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    static struct line_server server;
    struct sigaction action = {.sa_handler = count_signal};
    CHECK_EQ(sigaction(SIGPIPE, &action, NULL), 0);

    char *name = socket_name("back");
    char *address = format("unix:%s", name);
    line_server_on_unix(&server, name);
    it_comes_back(&server, address, name, 0);
    half_an_answer_is_told(address);
    what_is_never_read_is_bounded(address);
    line_server_stop(&server);
    free(address);
    free(name);

    int port = line_server_on_tcp(&server, 0);
    address = format("tcp:127.0.0.1:%d", port);
    it_comes_back(&server, address, NULL, port);
    half_an_answer_is_told(address);
    what_is_never_read_is_bounded(address);
    line_server_stop(&server);
    free(address);

    check_nothing_left(before);
    return 0;
}

/*
 * When the server behind a socket dies, calls under way end as MCP_ERROR_TRANSPORT with an error that says what
 * happened, no SIGPIPE is raised, and the client connects again once the server is back: on Unix and on TCP.
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
    line_server_stop(&server);
    free(address);
    free(name);

    int port = line_server_on_tcp(&server, 0);
    address = format("tcp:127.0.0.1:%d", port);
    it_comes_back(&server, address, NULL, port);
    line_server_stop(&server);
    free(address);

    check_nothing_left(before);
    return 0;
}

/*
 * One tool of a server wants a login, which fails: the other tools work, while it is remembered that there is no login to be had,
 * and also those whose calls waited for that login. No person is asked twice. A login that needs no person asks an
 * authorization server that does not answer: the call that waits for it ends in its own time.
 */
#include "http.h"

static void works(mcp_client_t *client, const char *options) {
    mcp_message_t *reply = call_tool(client, "add", "{\"a\":1,\"b\":2}", options);
    if (mcp_message_status(reply) != MCP_OK) {
        FAIL("%s", mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
}

/* Takes connections and never answers; gives its port. */
static int listen_silently(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int silent = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(silent, 0);
    CHECK_EQ(bind(silent, (struct sockaddr *)&address, length), 0);
    CHECK_EQ(listen(silent, 16), 0);
    CHECK_EQ(getsockname(silent, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    return silent;
}

/* Whether the call waits for the connection, or the connection is there. */
static void takes_no_more_than_the_calls_time(const char *path) {
    int port = 0;
    int silent = listen_silently(&port);
    char *named = format("authorization-server=http://127.0.0.1:%d", port);
    char *auth = format(MODERN ",\"auth\":{\"type\":\"client_credentials\",\"issuer\":\"http://127.0.0.1:%d\","
                               "\"client_id\":\"a\",\"client_secret\":\"a secret\"}",
                        port);
    for (int open = 0; open <= 1; open++) {
        struct server server = start_server(path, ARGS("login=yes", named, open ? "login-for=echo" : NULL));
        mcp_client_t *client = client_at(&server, "/mcp", auth);
        if (open) {
            connect_client(client);
        }
        /* A metadata request has 15 s, and there are two of them. */
        mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":1500}");
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
        mcp_message_free(reply);
        close_and_free(client);
        stop_server(&server);
    }
    free(auth);
    free(named);
    close(silent);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings at_first = holdings_now();

    /* The login fails for good: its authorization server publishes nothing. */
    struct server other = start_server(argv[3], NULL);
    char *named = format("authorization-server=http://127.0.0.1:%d", other.port);
    struct server server = start_server(argv[3], ARGS("login=yes", named, "login-for=echo"));
    mcp_client_t *client = client_at(&server, "/mcp", MODERN ",\"auth\":{}");
    connect_client(client);
    for (int again = 0; again < 3; again++) {
        mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_AUTH);
        CHECK_CONTAINS(mcp_message_json(reply, NULL), "publishes no metadata");
        mcp_message_free(reply);
        works(client, NULL);
    }
    close_and_free(client);
    stop_server(&server);
    stop_server(&other);
    free(named);

    /* A person is asked and does not want to, while the other tool is called. */
    server = start_server(argv[3], ARGS("login=yes", "login-for=echo"));
    client = client_at(&server, "/mcp",
                       MODERN ",\"auth\":{\"redirect_uri\":\"http://127.0.0.1:8976/callback\",\"listen\":false}");
    connect_client(client);
    start_tool(client, "echo", "{\"text\":\"x\"}", NULL, 1);
    mcp_message_free(next_of_kind(client, MCP_KIND_AUTH));
    start_tool(client, "add", "{\"a\":1,\"b\":2}", NULL, 2);
    CHECK_STATUS(mcp_client_abort_login(client, "not now", NULL), MCP_OK);
    for (int replies = 0; replies < 2;) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        CHECK_NE(mcp_message_kind(message), MCP_KIND_AUTH);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            bool is_open = mcp_message_tag(message) == 2;
            CHECK_STATUS(mcp_message_status(message), is_open ? MCP_OK : MCP_ERROR_AUTH);
            replies++;
        }
        mcp_message_free(message);
    }
    works(client, NULL);
    close_and_free(client);
    stop_server(&server);
    takes_no_more_than_the_calls_time(argv[3]);
    check_nothing_left(at_first);
    return 0;
}

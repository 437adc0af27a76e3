/*
 * A login that needs no person asks an authorization server that does not answer: the call that waits for it ends in its own time,
 * whether it waits for the connection or the connection is there.
 */
#include "http.h"

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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings at_first = holdings_now();
    int port = 0;
    int silent = listen_silently(&port);
    char *named = format("authorization-server=http://127.0.0.1:%d", port);
    char *auth = format(MODERN ",\"auth\":{\"type\":\"client_credentials\",\"issuer\":\"http://127.0.0.1:%d\","
                               "\"client_id\":\"a\",\"client_secret\":\"a secret\"}",
                        port);
    for (int open = 0; open <= 1; open++) {
        struct server server = start_server(argv[3], ARGS("login=yes", named, open ? "login-for=echo" : NULL));
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
    check_nothing_left(at_first);
    return 0;
}

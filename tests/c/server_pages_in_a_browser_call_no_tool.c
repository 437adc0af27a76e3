/* A page in the person's browser can send a request of HTTP to any port of the machine. A socket server ends such a session at
 * once, with either framing, and runs no line of its body as a message. Port 0 lets the system choose the port. */
#include "served.h"

#include <arpa/inet.h>

static void on_called(void *user, mcp_message_t *request) {
    (void)user;
    (void)request;
    FAIL("a page called a tool%s", "");
}

static struct peer *peer_on_port(long port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(fd, 0);
    CHECK_EQ(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return peer_on(fd, fd);
}

#define CALL "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"called\",\"arguments\":{}}}"
#define HEAD "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000\r\nContent-Type: text/plain\r\n\r\n"

static void check(const char *framing) {
    char *config = format("{\"name\":\"s\",\"framing\":\"%s\"}", framing);
    mcp_server_t *server = new_server(config);
    free(config);
    add_tool(server, TOOL("called"), on_called, NULL);
    char *bound = NULL;
    CHECK_STATUS(mcp_server_serve(server, "{\"socket\":\"tcp:127.0.0.1:0\"}", &bound, NULL), MCP_OK);
    char *address = json_at(bound, "/socket");
    long port = 0;
    CHECK_EQ(sscanf(address, "tcp:127.0.0.1:%ld", &port), 1);
    mcp_string_free(address);
    mcp_string_free(bound);
    pthread_t thread = start_thread(serve_on, server);
    static const char *const requests[] = {
        HEAD INITIALIZE "\n" CALL "\n",
        "\r\n" HEAD INITIALIZE "\n" CALL "\n",
        HEAD "Content-Length: 500\r\n\r\n" INITIALIZE CALL,
        "GET /?" CALL " HTTP/1.1\r\n\r\n" CALL "\n",
    };
    for (size_t at = 0; at < sizeof requests / sizeof requests[0]; ++at) {
        struct peer *peer = peer_on_port(port);
        peer_write(peer, requests[at], strlen(requests[at]));
        const char *line = peer_line(peer);
        if (line != NULL) {
            FAIL("request %zu is answered: %s", at, line);
        }
        peer_free(peer);
    }
    UNTIL(info_number(server, "/sessions") == 0);
    CHECK_EQ(info_number(server, "/counters/handled"), 0);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings held = holdings_now();
    check("newline");
    check("content-length");
    check_nothing_left(held);
    return 0;
}

/* Some programs write a byte order mark before UTF-8 text: it may stand before the first message, over a socket and over pipes,
 * and nowhere else. */
#include "served.h"

#define MARK "\xef\xbb\xbf"

static void check_first(struct peer *peer) {
    peer_send(peer, MARK INITIALIZE);
    const char *line = peer_line(peer);
    if (line == NULL || !json_is(line, "/result/protocolVersion", "2025-11-25")) {
        FAIL("no handshake: %s", line != NULL ? line : "(end)");
    }
    peer_send(peer, MARK "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
    line = peer_line(peer);
    if (line == NULL || !json_is(line, "/error/code", "-32700")) {
        FAIL("a mark before the second message: %s", line != NULL ? line : "(end)");
    }
    peer_ping(peer, 3);
    peer_free(peer);
}

static void over_pipes(void) {
    int to[2];
    int from[2];
    CHECK_EQ(pipe2(to, O_CLOEXEC), 0);
    CHECK_EQ(pipe2(from, O_CLOEXEC), 0);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        become_server();
        _exit(9);
    }
    close(to[0]);
    close(from[1]);
    check_first(peer_on(from[0], to[1]));
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "serve") == 0) {
        mcp_server_t *server = new_server("{\"name\":\"s\"}");
        CHECK_STATUS(mcp_server_serve(server, "{\"stdio\":true}", NULL, NULL), MCP_OK);
        CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
        CHECK_STATUS(mcp_server_free(server), MCP_OK);
        return 0;
    }
    signal(SIGPIPE, SIG_IGN);
    over_pipes();
    struct holdings held = holdings_now();
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    serve_at(server, path);
    pthread_t thread = start_thread(serve_on, server);
    check_first(peer_at(path));
    /* What is no JSON behind the mark is refused as it is without. */
    struct peer *peer = peer_at(path);
    peer_send(peer, MARK "GET / HTTP/1.1");
    CHECK(peer_line(peer) == NULL);
    peer_free(peer);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
    remove_path(path);
    return 0;
}

/* A request that takes longer than timeouts.finish_ms after the end of the input: its handler is told, it gets no answer, and the
 * server ends with code 0. */
#include "served.h"

#define FINISH_MS 200

static mcp_message_t *kept;

static void on_keep(void *user, mcp_message_t *request) {
    (void)user;
    kept = request;
    CHECK_STATUS(mcp_request_progress(request, 1, 2, NULL), MCP_OK);
}

static int serve(void) {
    struct holdings held = holdings_now();
    char *config = format("{\"name\":\"s\",\"timeouts\":{\"finish_ms\":%d}}", FINISH_MS);
    mcp_server_t *server = new_server(config);
    free(config);
    add_tool(server, TOOL("keep"), on_keep, NULL);
    CHECK_STATUS(mcp_server_serve(server, "{\"stdio\":true}", NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    CHECK(kept != NULL);
    CHECK(mcp_request_cancelled(kept));
    CHECK_STATUS(mcp_request_respond_text(kept, "late", false, NULL), MCP_ERROR_CANCELLED);
    CHECK_STATUS(mcp_message_free(kept), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "serve") == 0) {
        return serve();
    }
    signal(SIGPIPE, SIG_IGN);
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
    struct peer *peer = peer_on(from[0], to[1]);
    peer_initialize(peer);
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"keep\",\"arguments\":{},"
                    "\"_meta\":{\"progressToken\":\"t\"}}}");
    /* Its handler has it. */
    CHECK(json_is(peer_line(peer), "/method", "notifications/progress"));
    long long before = now_ms();
    close(peer->out);
    peer->out = -1;
    const char *line = peer_line(peer);
    if (line != NULL) {
        FAIL("an answer after the end: %s", line);
    }
    CHECK_GE(now_ms() - before, FINISH_MS - 1);
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    peer_free(peer);
    return 0;
}

/* A program with a loop of its own waits in poll(2) for the server's descriptor and takes requests without handlers and runs
 * handlers with timeout 0; requests never get lost in a queue that holds few messages. Two threads in mcp_server_run at once
 * run two handlers at once. */
#include "served.h"

#define CALLS 200

static int handled;

static void on_handled(void *user, mcp_message_t *request) {
    (void)user;
    handled++;
    CHECK_STATUS(mcp_request_respond_text(request, "by handler", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void *client_side(void *path) {
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    for (int id = 1; id <= CALLS; id++) {
        peer_call(peer, id, id % 2 == 0 ? "queued" : "handled");
    }
    bool seen[CALLS + 1] = {false};
    for (int count = 0; count < CALLS; count++) {
        const char *line = peer_line(peer);
        CHECK(line != NULL);
        if (!json_has(line, "/result/content")) {
            FAIL("unexpected: %s", line);
        }
        char *value = json_at(line, "/id");
        int id = atoi(value);
        CHECK(id >= 1 && id <= CALLS && !seen[id]);
        seen[id] = true;
        mcp_string_free(value);
    }
    peer_free(peer);
    return NULL;
}

static void event_loop(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"limits\":{\"queue_messages\":4,\"session_requests\":1000}}");
    add_tool(server, TOOL("handled"), on_handled, NULL);
    add_tool(server, TOOL("queued"), NULL, NULL);
    serve_at(server, path);
    int fd = mcp_server_fd(server);
    CHECK_GE(fd, 0);
    pthread_t thread = start_thread(client_side, path);
    int queued = 0;
    while (queued + handled < CALLS) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        CHECK_EQ(poll(&ready, 1, patience()), 1);
        mcp_message_t *message = NULL;
        mcp_status_t status;
        while ((status = mcp_server_poll(server, 0, &message)) == MCP_OK) {
            if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
                queued++;
                CHECK_STATUS(mcp_request_respond_text(message, "by loop", false, NULL), MCP_OK);
            }
            mcp_message_free(message);
        }
        CHECK_STATUS(status, MCP_EMPTY);
    }
    CHECK_EQ(queued, CALLS / 2);
    join_thread(thread);
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    CHECK_EQ(poll(&ready, 1, 0), 0);
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    CHECK_EQ(poll(&ready, 1, patience()), 1);
    CHECK_STATUS(mcp_server_poll(server, -1, &message), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    /* It is told before the address is looked at, which no program could have. */
    CHECK_STATUS(mcp_server_serve(server, "{\"socket\":\"unix:/\"}", NULL, NULL), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

static pthread_barrier_t both;

static void on_together(void *user, mcp_message_t *request) {
    (void)user;
    pthread_barrier_wait(&both);
    CHECK_STATUS(mcp_request_respond_text(request, "together", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void two_threads(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("together"), on_together, NULL);
    serve_at(server, path);
    pthread_barrier_init(&both, NULL, 2);
    pthread_t threads[2] = {start_thread(serve_on, server), start_thread(serve_on, server)};
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    for (int id = 2; id < 200; id += 2) {
        peer_call(peer, id, "together");
        peer_call(peer, id + 1, "together");
        CHECK(json_has(peer_line(peer), "/result"));
        CHECK(json_has(peer_line(peer), "/result"));
    }
    peer_free(peer);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(threads[0]);
    join_thread(threads[1]);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

int main(void) {
    struct holdings held = holdings_now();
    event_loop();
    two_threads();
    check_nothing_left(held);
    return 0;
}

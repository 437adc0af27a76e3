/* Threads of the library run handlers where the configuration says how many: as many at one time, without a thread of the program;
 * they take no wake that is meant for the program's own thread; a handler may close the server; nothing is left. */
#include "served.h"

#include <stdatomic.h>

static atomic_int inside;
static atomic_int most;
static atomic_bool held_up;
static pthread_t main_thread;

static void on_wait(void *user, mcp_message_t *request) {
    (void)user;
    CHECK(!pthread_equal(pthread_self(), main_thread));
    int now = atomic_fetch_add(&inside, 1) + 1;
    if (now > atomic_load(&most)) {
        atomic_store(&most, now);
    }
    while (atomic_load(&held_up)) {
        breathe();
    }
    atomic_fetch_sub(&inside, 1);
    CHECK_STATUS(mcp_request_respond_text(request, "done", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_close(void *user, mcp_message_t *request) {
    CHECK_STATUS(mcp_request_respond_text(request, "bye", false, NULL), MCP_OK);
    mcp_message_free(request);
    CHECK_STATUS(mcp_server_close(user, -1), MCP_OK);
}

int main(void) {
    struct holdings held = holdings_now();
    main_thread = pthread_self();
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"workers\":3}");
    add_tool(server, TOOL("wait"), on_wait, NULL);
    add_tool(server, TOOL("close"), on_close, server);
    CHECK_STATUS(mcp_server_add_tool(server, TOOL("polled"), NULL, NULL, NULL, NULL), MCP_OK);
    serve_at(server, path);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);

    atomic_store(&held_up, true);
    for (int i = 0; i < 5; i++) {
        peer_call(peer, i, "wait");
    }
    UNTIL(inside == 3);
    /* All of them are busy, and what needs no handler goes on. */
    peer_ping(peer, 100);
    CHECK_EQ(inside, 3);
    atomic_store(&held_up, false);
    for (int i = 0; i < 5; i++) {
        CHECK(json_has(peer_line(peer), "/result/content/0/text"));
    }
    CHECK_EQ(most, 3);

    /* A request without a handler is for the program. */
    peer_call(peer, 7, "polled");
    mcp_message_t *request = NULL;
    CHECK_STATUS(mcp_server_poll(server, patience(), &request), MCP_OK);
    CHECK_STATUS(mcp_request_respond_text(request, "polled", false, NULL), MCP_OK);
    mcp_message_free(request);
    CHECK(json_is(peer_answer(peer, "7"), "/result/content/0/text", "polled"));

    peer_call(peer, 8, "close");
    CHECK(json_is(peer_answer(peer, "8"), "/result/content/0/text", "bye"));
    CHECK(peer_line(peer) == NULL);
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    peer_free(peer);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);

    /* On a shared queue, a wake ends the program's wait and no worker takes it. */
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\",\"workers\":2}", queue, &server, NULL), MCP_OK);
    serve_at(server, path);
    for (int i = 0; i < 50; i++) {
        CHECK_STATUS(mcp_queue_wake(queue), MCP_OK);
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &request), MCP_WOKEN);
    }
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    mcp_server_t *wrong = NULL;
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\",\"workers\":257}", NULL, &wrong, NULL), MCP_ERROR_INVALID_ARGUMENT);
    check_nothing_left(held);
    remove_path(path);
    return 0;
}

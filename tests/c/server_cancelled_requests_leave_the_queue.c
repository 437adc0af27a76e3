/* A client that calls and cancels again and again, while the one thread of the program is in a handler, makes nothing grow and
 * runs no handler later: a request that the program has not taken goes with its cancellation. Requests together may have as many bytes
 * as limits.queue_bytes says; those beyond wait for room. */
#include "served.h"

#include <stdatomic.h>

static pthread_barrier_t inside;
static pthread_barrier_t leave;
static atomic_int runs;

static void on_stuck(void *user, mcp_message_t *request) {
    (void)user;
    pthread_barrier_wait(&inside);
    pthread_barrier_wait(&leave);
    CHECK_STATUS(mcp_request_respond_text(request, "done", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_counted(void *user, mcp_message_t *request) {
    (void)user;
    atomic_fetch_add(&runs, 1);
    CHECK_STATUS(mcp_request_respond_text(request, "counted", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static char *big_call(int id, size_t bytes) {
    char *text = malloc(bytes + 1);
    CHECK(text != NULL);
    memset(text, 'x', bytes);
    text[bytes] = '\0';
    char *line = format("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"counted\",\"arguments\":"
                        "{\"text\":\"%s\"}}}",
                        id, text);
    free(text);
    return line;
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings held = holdings_now();
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"limits\":{\"queue_bytes\":1000000}}");
    pthread_barrier_init(&inside, NULL, 2);
    pthread_barrier_init(&leave, NULL, 2);
    add_tool(server, TOOL("stuck"), on_stuck, NULL);
    add_tool(server, TOOL("counted"), on_counted, NULL);
    serve_at(server, path);
    pthread_t thread = start_thread(serve_on, server);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    peer_call(peer, 1, "stuck");
    pthread_barrier_wait(&inside);

    int rounds = scaled(1000, 20);
    long before = 0;
    for (int round = 0; round < rounds; ++round) {
        char *call = big_call(round + 10, 100000);
        char *cancel = format("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}", round + 10);
        peer_send(peer, call);
        peer_send(peer, cancel);
        free(call);
        free(cancel);
        if (round % 10 == 9) {
            peer_ping(peer, 5);
        }
        if (round == rounds / 10) {
            before = memory_kib("VmRSS");
        }
    }
    CHECK_EQ(info_number(server, "/requests"), 1);
    /* A tenth of what was sent after that, and a sanitizer's own. */
    CHECK_LE(memory_kib("VmRSS") - before, scale() > 1 ? 400000 : 10000);

    /* Nine of them have room, the others wait for it. */
    for (int id = 100; id < 120; ++id) {
        char *call = big_call(id, 100000);
        peer_send(peer, call);
        free(call);
    }
    peer_ping(peer, 5);
    CHECK_EQ(runs, 0);
    pthread_barrier_wait(&leave);
    CHECK(json_is(peer_answer(peer, "1"), "/result/content/0/text", "done"));
    for (int count = 0; count < 20; ++count) {
        CHECK(json_is(peer_line(peer), "/result/content/0/text", "counted"));
    }
    CHECK_EQ(runs, 20);
    peer_free(peer);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
    check_nothing_left(held);
    return 0;
}

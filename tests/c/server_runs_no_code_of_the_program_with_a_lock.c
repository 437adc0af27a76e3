/* What releases the argument of a handler may call the server: the library holds no lock then, whether the entry is removed,
 * replaced, or the last request that needed the handler is answered, cancelled, or loses its client. */
#include "served.h"

struct owned {
    mcp_server_t *server;
    int destroyed;
};

static mcp_message_t *kept;

static void on_kept(void *user, mcp_message_t *request) {
    (void)user;
    __atomic_store_n(&kept, request, __ATOMIC_SEQ_CST);
}

static void destroy(void *user) {
    struct owned *owned = user;
    CHECK_GE(info_number(owned->server, "/sessions"), 0);
    CHECK_STATUS(mcp_server_remove(owned->server, "tool", "nothing", NULL), MCP_EMPTY);
    __atomic_add_fetch(&owned->destroyed, 1, __ATOMIC_SEQ_CST);
}

static void add_owned(struct owned *owned, const char *definition) {
    CHECK_STATUS(mcp_server_add_tool(owned->server, definition, on_kept, owned, destroy, NULL), MCP_OK);
}

static mcp_message_t *taken(void) {
    UNTIL(__atomic_load_n(&kept, __ATOMIC_SEQ_CST) != NULL);
    return __atomic_exchange_n(&kept, NULL, __ATOMIC_SEQ_CST);
}

static int destroyed(struct owned *owned) { return __atomic_load_n(&owned->destroyed, __ATOMIC_SEQ_CST); }

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings held = holdings_now();
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    struct owned owned = {.server = server};
    serve_at(server, path);
    pthread_t thread = start_thread(serve_on, server);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);

    add_owned(&owned, TOOL("removed"));
    CHECK_STATUS(mcp_server_remove(server, "tool", "removed", NULL), MCP_OK);
    CHECK_EQ(destroyed(&owned), 1);

    CHECK_STATUS(mcp_server_add_prompt(server, "{\"name\":\"p\"}", on_kept, NULL, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_add_completion(server, "p", "a", NULL, on_kept, &owned, destroy, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_add_completion(server, "p", "a", "[\"x\"]", NULL, NULL, NULL, NULL), MCP_OK);
    CHECK_EQ(destroyed(&owned), 2);

    add_owned(&owned, TOOL("answered"));
    peer_call(peer, 1, "answered");
    mcp_message_t *request = taken();
    CHECK_STATUS(mcp_server_remove(server, "tool", "answered", NULL), MCP_OK);
    CHECK_EQ(destroyed(&owned), 2);
    CHECK_STATUS(mcp_request_respond_text(request, "late", false, NULL), MCP_OK);
    CHECK_STATUS(mcp_message_free(request), MCP_OK);
    UNTIL(destroyed(&owned) == 3);
    CHECK(json_is(peer_answer(peer, "1"), "/result/content/0/text", "late"));

    add_owned(&owned, TOOL("cancelled"));
    peer_call(peer, 2, "cancelled");
    request = taken();
    CHECK_STATUS(mcp_server_remove(server, "tool", "cancelled", NULL), MCP_OK);
    CHECK_STATUS(mcp_message_free(request), MCP_OK);
    UNTIL(destroyed(&owned) == 4);

    add_owned(&owned, TOOL("left"));
    peer_call(peer, 3, "left");
    request = taken();
    CHECK_STATUS(mcp_server_remove(server, "tool", "left", NULL), MCP_OK);
    peer_free(peer);
    UNTIL(mcp_request_cancelled(request));
    CHECK_STATUS(mcp_message_free(request), MCP_OK);
    UNTIL(destroyed(&owned) == 5);

    add_owned(&owned, TOOL("closed"));
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_remove(server, "tool", "closed", NULL), MCP_OK);
    CHECK_EQ(destroyed(&owned), 6);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
    check_nothing_left(held);
    return 0;
}

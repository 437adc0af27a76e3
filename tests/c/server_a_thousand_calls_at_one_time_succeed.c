/* A thousand calls at one time of our own client, all under way before the first is answered: each succeeds, in one process, over a
 * socket and over HTTP in both eras; with the limits as they are, and at a server that takes four and lets eight wait. */
#include "served_http.h"

#include <stdatomic.h>
#include <sys/resource.h>

static atomic_bool all_started;

static void on_add(void *user, mcp_message_t *request) {
    (void)user;
    /* Only the first one waits for that. The library reads on meanwhile. */
    UNTIL(atomic_load(&all_started));
    CHECK_STATUS(mcp_request_respond_text(request, "sum", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void call_all(mcp_server_t *server, mcp_client_t *client, const char *way, bool is_small) {
    int calls = scaled(1000, 100);
    atomic_store(&all_started, false);
    long long busy = info_number(server, "/counters/busy");
    long long held = info_number(server, "/counters/held");
    for (int i = 0; i < calls; i++) {
        char *options = format("{\"timeout_ms\":%d}", patience());
        start_tool(client, "add", NULL, options, (uint64_t)i);
        free(options);
    }
    atomic_store(&all_started, true);
    for (int i = 0; i < calls; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        if (mcp_message_status(reply) != MCP_OK) {
            FAIL("%s: reply %d: %s", way, i, mcp_message_error(reply, NULL));
        }
        CHECK_TEXT(mcp_message_text(reply, NULL), "sum");
        mcp_message_free(reply);
    }
    busy = info_number(server, "/counters/busy") - busy;
    held = info_number(server, "/counters/held") - held;
    CHECK_EQ(info_number(server, "/requests"), 0);
    CHECK(is_small ? held > 0 : held == 0 && busy == 0);
    close_and_free(client);
}

static void with_limits(const char *limits, bool is_small) {
    char *path = new_path();
    char *config = format("{\"name\":\"s\"%s}", limits);
    mcp_server_t *server = new_server(config);
    free(config);
    add_tool(server, TOOL("add"), on_add, NULL);
    serve_at(server, path);
    int port = serve_http(server, NULL);
    pthread_t serving = start_thread(serve_on, server);

    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new_in_process("{}", NULL, server, &client, NULL), MCP_OK);
    call_all(server, client, "in one process", is_small);
    config = format("{\"socket\":\"" ADDRESS "\"}", path);
    CHECK_STATUS(mcp_client_new(config, NULL, &client, NULL), MCP_OK);
    free(config);
    call_all(server, client, "over a socket", is_small);
    call_all(server, http_client(port, "\"protocol\":\"2025-11-25\""), "over HTTP of 2025-11-25", is_small);
    call_all(server, http_client(port, "\"protocol\":\"2026-07-28\""), "over HTTP of 2026-07-28", is_small);

    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(serving);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

int main(void) {
    /* Over HTTP each call has a connection, whose two ends are here. */
    struct rlimit descriptors;
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &descriptors), 0);
    descriptors.rlim_cur = descriptors.rlim_max;
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &descriptors), 0);
    struct holdings held = holdings_now();
    with_limits("", false);
    with_limits(",\"limits\":{\"session_requests\":4,\"requests\":8,\"session_waiting\":8}", true);
    check_nothing_left(held);
    return 0;
}

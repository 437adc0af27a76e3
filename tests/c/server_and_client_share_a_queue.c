/* A server and a client on one queue: mcp_queue_poll runs the handlers and gives the replies; mcp_server_run ends when the
 * server is closed though its queue goes on; what was registered is released once. */
#include "served.h"

static int released;

static void release(void *user) {
    (void)user;
    released++;
}

static void on_add(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "sum", false, NULL), MCP_OK);
    mcp_message_free(request);
}

int main(void) {
    struct holdings held = holdings_now();
    char *path = new_path();
    mcp_queue_t *queue = NULL;
    mcp_server_t *server = NULL;
    mcp_client_t *client = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\"}", queue, &server, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_add_tool(server, TOOL("add"), on_add, NULL, release, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_add_tool(server, TOOL("add"), on_add, NULL, release, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(released, 1);
    CHECK_STATUS(mcp_server_add_tool(server, "{}", on_add, NULL, release, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "name");
    mcp_string_free(error);
    CHECK_EQ(released, 2);
    serve_at(server, path);
    char *config = format("{\"socket\":\"" ADDRESS "\"}", path);
    CHECK_STATUS(mcp_client_new(config, queue, &client, NULL), MCP_OK);
    free(config);
    int replies = 0;
    for (int i = 0; i < 20; i++) {
        start_tool(client, "add", NULL, NULL, (uint64_t)i);
    }
    while (replies < 20) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_TEXT(mcp_message_text(message, NULL), "sum");
            replies++;
        }
        mcp_message_free(message);
    }
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_server_poll(server, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_run(server, 0), MCP_EMPTY);
    pthread_t thread = start_thread(serve_on, server);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    /* The queue goes on, and tells that the server has ended. */
    int ends = 0;
    while (ends == 0) {
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
        if (mcp_message_server(message) == server) {
            CHECK_EQ(mcp_message_kind(message), MCP_KIND_STATE);
            CHECK(json_is(mcp_message_json(message, NULL), "/state", "closed"));
            CHECK(mcp_message_client(message) == NULL);
            ends++;
        } else {
            CHECK(mcp_message_client(message) == client);
        }
        mcp_message_free(message);
    }
    close_and_free(client);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_EQ(released, 3);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    check_nothing_left(held);
    remove_path(path);
    return 0;
}

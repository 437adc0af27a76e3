/*
 * A result that a server gave after it had asked the application for input is the answer to that input, and is not kept,
 * whatever lifetime it has: the next read asks the server again. One that took no input is kept.
 */
#include "own_transport.h"

struct asking {
    struct own own;
    atomic_int reads;
};

/* A modern server: reading "test://asked" asks for input first, and every result is fresh for an hour. */
static mcp_status_t answer(void *user, mcp_transport_t *transport, const char *frame, size_t length) {
    struct asking *asking = user;
    (void)length;
    char *id = json_has(frame, "/id") ? json_at(frame, "/id") : NULL;
    char *method = json_has(frame, "/method") ? json_at(frame, "/method") : NULL;
    char *result = NULL;
    if (id == NULL || method == NULL) {
        /* A notification. */
    } else if (strcmp(method, "server/discover") == 0) {
        result = format("{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"resources\":{}}}");
    } else if (strcmp(method, "resources/read") == 0) {
        atomic_fetch_add(&asking->reads, 1);
        bool asks = json_is(frame, "/params/uri", "test://asked") && !json_has(frame, "/params/inputResponses");
        result = asks ? format("{\"resultType\":\"input_required\",\"inputRequests\":{\"who\":{\"method\":\"elicitation/create\","
                               "\"params\":{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}}}")
                      : format("{\"resultType\":\"complete\",\"ttlMs\":3600000,\"cacheScope\":\"private\","
                               "\"contents\":[{\"uri\":\"test://x\",\"text\":\"read\"}]}");
    }
    if (result != NULL) {
        char *text = format("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", id, result);
        CHECK_STATUS(mcp_transport_deliver(transport, text, strlen(text)), MCP_OK);
        free(text);
    }
    free(result);
    mcp_string_free(method);
    mcp_string_free(id);
    return MCP_OK;
}

/* Reads a resource, answering what the server asks; gives how often the server was asked to read it. */
static int read_it(struct asking *asking, mcp_client_t *client, const char *uri) {
    int before = atomic_load(&asking->reads);
    CHECK_STATUS(mcp_client_read_resource_start(client, uri, NULL, 1, NULL, NULL), MCP_OK);
    for (long long deadline = now_ms() + patience();;) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        bool is_reply = mcp_message_kind(message) == MCP_KIND_REPLY;
        if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
            CHECK_STATUS(mcp_request_accept_elicitation(message, "{}", NULL), MCP_OK);
        } else if (is_reply) {
            CHECK_STATUS(mcp_message_status(message), MCP_OK);
            CHECK_TEXT(mcp_message_text(message, NULL), "read");
        }
        mcp_message_free(message);
        if (is_reply) {
            return atomic_load(&asking->reads) - before;
        }
    }
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    struct asking asking = {0};
    mcp_transport_functions_t functions = own_functions;
    functions.send = answer;
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new_with_transport(
                     "{\"protocol\":\"modern\",\"cache\":true,\"capabilities\":{\"elicitation\":{}}}", NULL,
                     &functions, &asking.own, &client, NULL),
                 MCP_OK);
    connect_client(client);
    CHECK_EQ(read_it(&asking, client, "test://plain"), 1);
    CHECK_EQ(read_it(&asking, client, "test://plain"), 0);
    CHECK_EQ(read_it(&asking, client, "test://asked"), 2);
    CHECK_EQ(read_it(&asking, client, "test://asked"), 2);
    CHECK_EQ(read_it(&asking, client, "test://plain"), 0);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_EQ(atomic_load(&asking.own.destroys), 1);
    check_nothing_left(before);
    return 0;
}

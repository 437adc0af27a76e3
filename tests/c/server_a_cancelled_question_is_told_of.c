/* A program that asked something for a request, and freed it, hears when the request is cancelled: also when the client's answer came
 * just before, and the run that would have followed had not been taken. When the client does not answer in timeouts.question_ms the
 * run comes with an error, also if the request was freed by another thread meanwhile. */
#include "served.h"

#define FORM                                                                                                 \
    "{\"mode\":\"form\",\"message\":\"Name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"        \
    "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}"
#define ANSWER "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"decline\"}}"
#define CANCEL "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}"

/* The next message of the server, which must come. */
static mcp_message_t *next(mcp_server_t *server) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_server_poll(server, patience(), &message), MCP_OK);
    return message;
}

/* A client that can be asked has called the tool. */
static struct peer *calling(const char *path) {
    struct peer *peer = peer_at(path);
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                    "\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"p\",\"version\":\"1\"}}}");
    CHECK(json_has(peer_answer(peer, "i"), "/result"));
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    peer_call(peer, 1, "ask");
    return peer;
}

static void check_cancellation(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("ask"), NULL, NULL);
    serve_at(server, path);
    struct peer *peer = calling(path);

    mcp_message_t *request = next(server);
    CHECK_EQ(mcp_message_kind(request), MCP_KIND_REQUEST);
    uint64_t number = mcp_message_call_id(request);
    char *answer = NULL;
    CHECK_STATUS(mcp_request_ask(request, "name", "elicitation/create", FORM, &answer, NULL), MCP_EMPTY);
    mcp_message_free(request);
    char *id = json_at(peer_next(peer, "/method", "elicitation/create"), "/id");
    char *answered = format(ANSWER, id);
    peer_send(peer, answered);
    peer_send(peer, CANCEL);
    peer_ping(peer, 5); /* both were read */
    mcp_message_t *told = next(server);
    CHECK_EQ(mcp_message_topic(told), MCP_TOPIC_CANCELLED);
    CHECK_EQ(mcp_message_call_id(told), number);
    mcp_message_free(told);
    CHECK_STATUS(mcp_server_poll(server, 0, &told), MCP_EMPTY);

    free(answered);
    mcp_string_free(id);
    peer_free(peer);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

static void *free_it(void *request) {
    CHECK_STATUS(mcp_message_free(request), MCP_OK);
    return NULL;
}

static void check_timeout(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"timeouts\":{\"question_ms\":100,\"request_ms\":600000}}");
    add_tool(server, TOOL("ask"), NULL, NULL);
    serve_at(server, path);
    struct peer *peer = calling(path);

    mcp_message_t *request = next(server);
    char *answer = NULL;
    CHECK_STATUS(mcp_request_ask(request, "name", "elicitation/create", FORM, &answer, NULL), MCP_EMPTY);
    pthread_t freeing = start_thread(free_it, request);
    mcp_message_t *again = next(server);
    join_thread(freeing);
    CHECK_EQ(mcp_message_kind(again), MCP_KIND_REQUEST);
    CHECK_STATUS(mcp_request_ask(again, "name", "elicitation/create", FORM, &answer, NULL), MCP_ERROR_SERVER);
    CHECK_STATUS(mcp_request_respond_text(again, "no answer", false, NULL), MCP_OK);
    mcp_message_free(again);
    CHECK(json_has(peer_next(peer, "/method", "elicitation/create"), "/params/message"));
    CHECK(json_is(peer_answer(peer, "1"), "/result/content/0/text", "no answer"));

    peer_free(peer);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings held = holdings_now();
    check_cancellation();
    check_timeout();
    check_nothing_left(held);
    return 0;
}

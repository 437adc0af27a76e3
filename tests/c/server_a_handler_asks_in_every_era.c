/* A handler that asks the person is written once: our client answers in both eras, what the handler kept is there in its next
 * run, a client that cannot answer is told so to the handler, and one that does not answer in timeouts.question_ms makes the
 * handler run again with an error, also when the request was freed by a thread of the program. */
#include "served.h"

#define FORM                                                                                                 \
    "{\"mode\":\"form\",\"message\":\"Name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"        \
    "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}"

static void say(mcp_message_t *request, const char *text) {
    CHECK_STATUS(mcp_request_respond_text(request, text, false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_ask(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = NULL;
    char *state = NULL;
    mcp_status_t status = mcp_request_ask(request, "first", "elicitation/create", FORM, &answer, NULL);
    if (status == MCP_EMPTY) {
        CHECK(answer == NULL);
        CHECK_STATUS(mcp_request_state(request, &state, NULL), MCP_EMPTY);
        CHECK_STATUS(mcp_request_set_state(request, "kept by run 1", NULL), MCP_OK);
        mcp_message_free(request);
        return;
    }
    if (status == MCP_ERROR_UNSUPPORTED) {
        say(request, "unsupported");
        return;
    }
    CHECK_STATUS(status, MCP_OK);
    CHECK_STATUS(mcp_request_state(request, &state, NULL), MCP_OK);
    CHECK_TEXT(state, "kept by run 1");
    mcp_string_free(state);
    char *second = NULL;
    status = mcp_request_ask(request, "second", "elicitation/create", FORM, &second, NULL);
    if (status == MCP_EMPTY) {
        mcp_string_free(answer);
        mcp_message_free(request);
        return;
    }
    CHECK_STATUS(status, MCP_OK);
    char *name = json_at(answer, "/content/name");
    char *other = json_at(second, "/content/name");
    char *both = format("%s and %s", name, other);
    say(request, both);
    free(both);
    mcp_string_free(name);
    mcp_string_free(other);
    mcp_string_free(second);
    mcp_string_free(answer);
}

static void *free_it(void *request) {
    CHECK_STATUS(mcp_message_free(request), MCP_OK);
    return NULL;
}

static pthread_t freeing;

static void on_timeout(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = NULL;
    mcp_status_t status = mcp_request_ask(request, "q", "elicitation/create", FORM, &answer, NULL);
    if (status == MCP_EMPTY) {
        __atomic_store_n(&freeing, start_thread(free_it, request), __ATOMIC_SEQ_CST);
        return;
    }
    CHECK_STATUS(status, MCP_ERROR_SERVER);
    say(request, "no answer");
}

static void era(const char *path, const char *protocol) {
    char *members = format("\"protocol\":\"%s\",\"capabilities\":{\"elicitation\":{\"form\":{}}}", protocol);
    mcp_client_t *client = client_at(path, members);
    free(members);
    for (int round = 0; round < 3; round++) {
        start_tool(client, "ask", NULL, NULL, 1);
        for (int question = 0; question < 2; question++) {
            mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
            CHECK_EQ(mcp_message_topic(request), MCP_TOPIC_ELICITATION);
            CHECK_STATUS(mcp_request_accept_elicitation(request, question == 0 ? "{\"name\":\"Ada\"}" : "{\"name\":\"Bob\"}", NULL),
                         MCP_OK);
            mcp_message_free(request);
        }
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_TEXT(mcp_message_text(reply, NULL), "Ada and Bob");
        mcp_message_free(reply);
    }
    close_and_free(client);
}

int main(void) {
    struct holdings held = holdings_now();
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"timeouts\":{\"question_ms\":100,\"request_ms\":600000}}");
    mcp_server_t *patient = new_server("{\"name\":\"s\"}");
    char *other = new_path();
    add_tool(server, TOOL("timeout"), on_timeout, NULL);
    add_tool(patient, TOOL("ask"), on_ask, NULL);
    serve_at(server, path);
    serve_at(patient, other);
    pthread_t threads[2] = {start_thread(serve_on, server), start_thread(serve_on, patient)};

    era(other, "2025-06-18");
    era(other, "2025-11-25");
    era(other, "2026-07-28");

    mcp_client_t *client = client_at(other, "\"protocol\":\"2025-11-25\"");
    char *text = tool_text(client, "ask", NULL);
    CHECK_TEXT(text, "unsupported");
    free(text);
    close_and_free(client);
    client = client_at(other, "\"protocol\":\"2026-07-28\"");
    text = tool_text(client, "ask", NULL);
    CHECK_TEXT(text, "unsupported");
    free(text);
    close_and_free(client);

    struct peer *peer = peer_at(path);
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                    "\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}");
    CHECK(json_has(peer_line(peer), "/result"));
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    peer_call(peer, 1, "timeout");
    CHECK(json_is(peer_next(peer, "/method", "elicitation/create"), "/params/message", "Name?"));
    CHECK(json_is(peer_answer(peer, "1"), "/result/content/0/text", "no answer"));
    join_thread(__atomic_load_n(&freeing, __ATOMIC_SEQ_CST));
    peer_free(peer);

    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    CHECK_STATUS(mcp_server_close(patient, -1), MCP_OK);
    join_thread(threads[0]);
    join_thread(threads[1]);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_server_free(patient), MCP_OK);
    check_nothing_left(held);
    remove_path(path);
    remove_path(other);
    return 0;
}

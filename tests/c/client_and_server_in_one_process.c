/* A client and a server in one process without a socket: calls, and questions in both eras, from several threads and on one
 * thread with one queue. What a handler that asks has kept is there in its next run. Either may be freed first, and each end is
 * told to the other. */
#include "served.h"

static void on_add(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "sum", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_ask(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = NULL;
    mcp_status_t status = mcp_request_ask(request, "name", "elicitation/create",
                                          "{\"mode\":\"form\",\"message\":\"Name?\",\"requestedSchema\":{\"type\":"
                                          "\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}}",
                                          &answer, NULL);
    char *state = NULL;
    if (status == MCP_OK) {
        CHECK_STATUS(mcp_request_state(request, &state, NULL), MCP_OK);
        CHECK_TEXT(state, "kept by run 1");
        mcp_string_free(state);
        char *name = json_at(answer, "/content/name");
        CHECK_STATUS(mcp_request_respond_text(request, name, false, NULL), MCP_OK);
        mcp_string_free(name);
        mcp_string_free(answer);
    } else if (status == MCP_ERROR_UNSUPPORTED) {
        CHECK_STATUS(mcp_request_respond_text(request, "unsupported", false, NULL), MCP_OK);
    } else {
        CHECK_STATUS(status, MCP_EMPTY);
        CHECK(answer == NULL);
        CHECK_STATUS(mcp_request_state(request, &state, NULL), MCP_EMPTY);
        CHECK_STATUS(mcp_request_set_state(request, "kept by run 1", NULL), MCP_OK);
    }
    mcp_message_free(request);
}

static mcp_client_t *client_of(mcp_server_t *server, const char *config, mcp_queue_t *queue) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    if (mcp_client_new_in_process(config, queue, server, &client, &error) != MCP_OK) {
        FAIL("no client: %s", error != NULL ? error : "(no error)");
    }
    return client;
}

static void *call_many(void *client) {
    for (int i = 0; i < scaled(500, 50); i++) {
        char *text = tool_text(client, "add", NULL);
        CHECK_TEXT(text, "sum");
        mcp_string_free(text);
    }
    return NULL;
}

static void threads_call(const char *config) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("add"), on_add, NULL);
    add_tool(server, TOOL("ask"), on_ask, NULL);
    pthread_t serving = start_thread(serve_on, server);
    mcp_client_t *client = client_of(server, config, NULL);
    pthread_t callers[3];
    for (int i = 0; i < 3; i++) {
        callers[i] = start_thread(call_many, client);
    }
    for (int i = 0; i < 3; i++) {
        join_thread(callers[i]);
    }
    CHECK_EQ(info_number(server, "/sessions"), 1);
    /* The client cannot be asked, and the handler is told. */
    char *text = tool_text(client, "ask", NULL);
    CHECK_TEXT(text, "unsupported");
    free(text);
    /* The end of the client is the end of its session, and not of the server. */
    close_and_free(client);
    CHECK_EQ(info_number(server, "/sessions"), 0);
    client = client_of(server, config, NULL);
    pthread_t caller = start_thread(call_many, client);
    join_thread(caller);

    /* The end of the server ends what the client waits for, and what it tries. */
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(serving);
    mcp_message_t *reply = call_tool(client, "add", NULL, "{\"timeout_ms\":50}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_UNAVAILABLE);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    close_and_free(client);
}

static void on_wait(void *server, mcp_message_t *request) {
    /* The first one waits until a call has found no place. The library reads on meanwhile. */
    UNTIL(info_number(server, "/counters/held") > 0);
    CHECK_STATUS(mcp_request_respond_text(request, "x", false, NULL), MCP_OK);
    mcp_message_free(request);
}

/* Calls at one time at a server that takes four of them and lets eight wait: each succeeds. */
static void with_few_places(void) {
    mcp_server_t *server =
        new_server("{\"name\":\"s\",\"limits\":{\"session_requests\":4,\"requests\":8,\"session_waiting\":8}}");
    add_tool(server, TOOL("wait"), on_wait, server);
    pthread_t serving = start_thread(serve_on, server);
    mcp_client_t *client = client_of(server, "{}", NULL);
    for (int i = 0; i < 64; i++) {
        start_tool(client, "wait", NULL, NULL, (uint64_t)i);
    }
    for (int i = 0; i < 64; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        if (mcp_message_status(reply) != MCP_OK) {
            FAIL("reply %d: %s", i, mcp_message_error(reply, NULL));
        }
        mcp_message_free(reply);
    }
    close_and_free(client);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(serving);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

/* One thread and one queue: its polls run the handlers, answer the questions and take the replies. */
static void one_thread_does_all(const char *protocol) {
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_server_t *server = NULL;
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\"}", queue, &server, NULL), MCP_OK);
    add_tool(server, TOOL("add"), on_add, NULL);
    add_tool(server, TOOL("ask"), on_ask, NULL);
    char *config = format("{\"protocol\":\"%s\",\"capabilities\":{\"elicitation\":{\"form\":{}}}}", protocol);
    mcp_client_t *client = client_of(server, config, queue);
    free(config);
    int replies = 0;
    int questions = 0;
    for (int i = 0; i < 10; i++) {
        start_tool(client, i % 2 == 0 ? "add" : "ask", NULL, NULL, (uint64_t)i);
    }
    while (replies < 10) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
            CHECK(mcp_message_client(message) == client);
            CHECK_STATUS(mcp_request_respond(message, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}", NULL), MCP_OK);
            questions++;
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_TEXT(mcp_message_text(message, NULL), mcp_message_tag(message) % 2 == 0 ? "sum" : "Ann");
            replies++;
        }
        mcp_message_free(message);
    }
    CHECK_EQ(questions, 5);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    close_and_free(client);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void what_makes_no_sense_is_refused(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    mcp_client_t *client = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_client_new_in_process("{\"limits\":{\"overflow\":\"block\"}}", NULL, server, &client, &error),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "drop_oldest");
    mcp_string_free(error);
    CHECK_STATUS(mcp_client_new_in_process("{\"command\":\"x\"}", NULL, server, &client, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_new_in_process("{}", NULL, NULL, &client, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_new_in_process("{}", NULL, server, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_new_in_process(NULL, NULL, server, &client, NULL), MCP_ERROR_INVALID_ARGUMENT);
    /* A call that no thread serves ends in its time. */
    add_tool(server, TOOL("add"), on_add, NULL);
    client = client_of(server, "{\"reconnect\":false}", NULL);
    connect_client(client);
    mcp_message_t *reply = call_tool(client, "add", NULL, "{\"timeout_ms\":50}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    mcp_message_free(reply);
    close_and_free(client);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

int main(void) {
    struct holdings held = holdings_now();
    threads_call("{}");
    threads_call("{\"protocol\":\"legacy\"}");
    with_few_places();
    one_thread_does_all("modern");
    one_thread_does_all("legacy");
    what_makes_no_sense_is_refused();
    check_nothing_left(held);
    return 0;
}

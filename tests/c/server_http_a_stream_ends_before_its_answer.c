/* A handler ends the event stream of its request before the answer (2025-11-25): the client is told after which time to come back, and
 * gets the rest with the id of the last event, as often as the handler does so. There is nothing to end in another revision, for a
 * client that takes JSON alone, over other transports and without kept events. A client of this library comes back by itself. */
#include "served_http.h"

static mcp_message_t *held_back;

static void on_later(void *user, mcp_message_t *request) {
    (void)user;
    __atomic_store_n(&held_back, request, __ATOMIC_SEQ_CST);
}

static mcp_message_t *taken(void) {
    long long deadline = now_ms() + patience();
    mcp_message_t *request;
    while ((request = __atomic_exchange_n(&held_back, NULL, __ATOMIC_SEQ_CST)) == NULL) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    return request;
}

static void answer(mcp_message_t *request) {
    CHECK_STATUS(mcp_request_respond_text(request, "the answer", false, NULL), MCP_OK);
    mcp_message_free(request);
}

/* Ends its stream at once and answers when the client has come back, which is not a message of its own: the answer waits for it. */
static void on_away(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_close_stream(request, 200, NULL), MCP_OK); /* so late that it is not back for the next line */
    CHECK_STATUS(mcp_request_close_stream(request, 1, NULL), MCP_EMPTY);
    answer(request);
}

/* The last id of an event that came; free() it. */
static char *last_id(const struct wire *wire) {
    const char *last = NULL;
    for (const char *next = wire->bytes; (next = strstr(next, "\nid: ")) != NULL; next++) {
        last = next + 5;
    }
    CHECK(last != NULL);
    return format("%.*s", (int)strcspn(last, "\n"), last);
}

static struct wire *come_back(int port, const char *session, const char *id) {
    char *headers = format("%sLast-Event-ID: %s\r\nAccept: text/event-stream\r\n", session, id);
    struct wire *wire = begin(port, "GET", headers, "");
    free(headers);
    return wire;
}

#define END "\r\n0\r\n\r\n"

static void check_twice(int port) {
    char *session = open_session(port);
    struct wire *call = begin(port, "POST", session, CALL(3, "later"));
    mcp_message_t *request = taken();
    CHECK_STATUS(mcp_request_close_stream(request, -2, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_close_stream(request, -1, NULL), MCP_OK);
    wire_until(call, END);
    CHECK_EQ(status_of(call), 200);
    CHECK_CONTAINS(call->bytes, "\nretry: 700\n"); /* timeouts.retry_ms */
    CHECK(strstr(call->bytes, "jsonrpc") == NULL);
    char *id = last_id(call);
    wire_free(call);
    CHECK(!mcp_request_cancelled(request));

    /* What is said while no client is there is kept. */
    CHECK_STATUS(mcp_request_close_stream(request, -1, NULL), MCP_EMPTY);
    CHECK_STATUS(mcp_request_progress(request, 1, 2, NULL), MCP_OK);
    struct wire *again = come_back(port, session, id);
    wire_until(again, "\"progress\":1");
    CHECK_STATUS(mcp_request_close_stream(request, 20, NULL), MCP_OK);
    wire_until(again, END);
    CHECK_CONTAINS(again->bytes, "\nretry: 20\n");
    free(id);
    id = last_id(again);
    wire_free(again);

    again = come_back(port, session, id);
    wire_until(again, "200 OK");
    answer(request);
    wire_until(again, END);
    CHECK_CONTAINS(again->bytes, "the answer");
    CHECK(strstr(again->bytes, "\"progress\":1") == NULL);
    wire_free(again);
    free(id);
    free(session);
}

/* Where there is nothing to end, the handler goes on and the client gets its answer. */
static void check_refused(int port, const char *method, const char *headers, const char *body) {
    struct wire *call = begin(port, method, headers, body);
    mcp_message_t *request = taken();
    CHECK_STATUS(mcp_request_close_stream(request, -1, NULL), MCP_EMPTY);
    answer(request);
    wire_until(call, "the answer");
    wire_free(call);
}

static void check_nothing_to_end(int port, int keeping_nothing) {
    char *session = open_session(port);
    char *headers = format("%sAccept: application/json\r\n", session);
    check_refused(port, "POST", headers, CALL(3, "later"));
    free(headers);
    free(session);
    check_refused(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: later\r\n", MODERN_CALL(3, "later"));
    session = open_session(keeping_nothing);
    check_refused(keeping_nothing, "POST", session, CALL(3, "later"));
    free(session);
    struct wire *wire = ask(port, "POST", "", INITIALIZE_AS("2025-06-18"));
    char *name = header_of(wire, "mcp-session-id");
    session = format("Mcp-Session-Id: %s\r\n", name);
    wire_free(wire);
    check_refused(port, "POST", session, CALL(3, "later"));
    free(session);
    free(name);
}

static void check_own_client(mcp_client_t *client) {
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_call_tool(client, "away", "{}", NULL, &reply), MCP_OK);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "the answer");
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

static void check_over(int port) {
    char *session = open_session(port);
    struct wire *call = begin(port, "POST", session, CALL(3, "later"));
    mcp_message_t *request = taken();
    CHECK_STATUS(mcp_request_respond_text(request, "the answer", false, NULL), MCP_OK);
    CHECK_STATUS(mcp_request_close_stream(request, -1, NULL), MCP_ERROR_CANCELLED);
    mcp_message_free(request);
    wire_until(call, "the answer");
    wire_free(call);
    free(session);
}

int main(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"timeouts\":{\"retry_ms\":700}}");
    mcp_server_t *keeping_nothing = new_server("{\"name\":\"s\",\"limits\":{\"session_events\":0}}");
    add_tool(server, TOOL("later"), on_later, NULL);
    add_tool(server, TOOL("away"), on_away, NULL);
    add_tool(keeping_nothing, TOOL("later"), on_later, NULL);
    int port = serve_http(server, NULL);
    int other = serve_http(keeping_nothing, NULL);
    pthread_t threads[2] = {start_thread(serve_on, server), start_thread(serve_on, keeping_nothing)};
    check_twice(port);
    check_nothing_to_end(port, other);
    check_own_client(http_client(port, "\"protocol\":\"2025-11-25\""));
    check_over(port);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    CHECK_STATUS(mcp_server_close(keeping_nothing, patience()), MCP_OK);
    join_thread(threads[0]);
    join_thread(threads[1]);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_server_free(keeping_nothing), MCP_OK);
    check_nothing_left(held);
    return 0;
}

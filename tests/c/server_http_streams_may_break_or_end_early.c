/*
 * Streams of a server over HTTP that break, or end before their answer.
 */
#include "served_http.h"

/* A client of the legacy era whose stream breaks off comes back with the id of its last event and gets the rest of that stream, and
 * of no other; a second stream for other messages ends the first; sessions that are not used end; quiet
 * streams have comments. In 2026-07-28 going away
 * withdraws the request. */
static mcp_message_t *held_back;

/* Sends progress, and is answered later. */
static void on_later(void *user, mcp_message_t *request) {
    (void)user;
    mcp_request_progress(request, 1, 2, NULL); /* not every request asks for it */
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

static void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "hello", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void check_resumed(int port) {
    char *session = open_session(port);
    char *other = open_session(port);
    struct wire *call = begin(port, "POST", session, CALL(3, "later"));
    wire_until(call, "\"progress\":1");
    char *id = format("%.*s", (int)strcspn(strstr(call->bytes, "-1\ndata") - 1, "\n"), strstr(call->bytes, "-1\ndata") - 1);
    wire_free(call); /* in the middle of the answer */
    mcp_message_t *request = taken();
    CHECK_STATUS(mcp_request_progress(request, 2, 2, NULL), MCP_OK);
    CHECK_STATUS(mcp_request_respond_text(request, "the rest", false, NULL), MCP_OK);
    mcp_message_free(request);

    char *headers = format("%sLast-Event-ID: %s\r\nAccept: text/event-stream\r\n", session, id);
    struct wire *again = ask(port, "GET", headers, "");
    CHECK_EQ(status_of(again), 200);
    CHECK(strstr(again->bytes, "\"progress\":2") != NULL && strstr(again->bytes, "the rest") != NULL);
    CHECK(strstr(again->bytes, "\"progress\":1") == NULL);
    wire_free(again);
    free(headers);

    /* The stream has ended and its client has all of it: with an empty stream it would come back again and again. */
    id[strlen(id) - 1] = '3';
    headers = format("%sLast-Event-ID: %s\r\nAccept: text/event-stream\r\n", session, id);
    again = ask(port, "GET", headers, "");
    CHECK_EQ(status_of(again), 204);
    wire_free(again);
    free(headers);
    id[strlen(id) - 1] = '1';

    /* Another session has no such event. */
    headers = format("%sLast-Event-ID: %s\r\nAccept: text/event-stream\r\n", other, id);
    again = ask(port, "GET", headers, "");
    CHECK(status_of(again) == 400);
    CHECK(strstr(again->bytes, "the rest") == NULL);
    wire_free(again);
    free(headers);
    headers = format("%sLast-Event-ID: nonsense\r\nAccept: text/event-stream\r\n", session);
    again = ask(port, "GET", headers, "");
    CHECK_EQ(status_of(again), 400);
    wire_free(again);
    free(headers);
    free(id);
    free(session);
    free(other);
}

/* A call that its client cancels has no answer: a client that comes back for one is told that nothing follows. */
static void check_cancelled(int port) {
    char *session = open_session(port);
    struct wire *call = begin(port, "POST", session, CALL(4, "later"));
    wire_until(call, "\"progress\":1");
    mcp_message_t *request = taken();
    char *id = format("%.*s", (int)strcspn(strstr(call->bytes, "-1\ndata") - 1, "\n"), strstr(call->bytes, "-1\ndata") - 1);
    struct wire *cancel = ask(port, "POST", session,
                              "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}");
    CHECK_EQ(status_of(cancel), 202);
    wire_free(cancel);
    wire_until(call, "\r\n0\r\n\r\n");
    wire_free(call);
    mcp_message_free(request);
    for (char last = '0'; last <= '1'; last++) { /* nothing was missed behind 1; behind 0 the progress was */
        id[strlen(id) - 1] = last;
        char *headers = format("%sLast-Event-ID: %s\r\nAccept: text/event-stream\r\n", session, id);
        struct wire *again = ask(port, "GET", headers, "");
        CHECK_EQ(status_of(again), last == '1' ? 204 : 200);
        CHECK((strstr(again->bytes, "\"progress\":1") != NULL) == (last == '0'));
        wire_free(again);
        free(headers);
    }
    free(id);
    free(session);
}

/* A stream for other messages may be opened again at once, and what was missed comes first. */
static void check_listening(mcp_server_t *server, int port) {
    char *session = open_session(port);
    char *headers = format("%sAccept: text/event-stream\r\n", session);
    struct wire *first = begin(port, "GET", headers, "");
    wire_until(first, "id: 0-0");
    struct wire *second = begin(port, "GET", headers, "");
    wire_until(second, "id: 0-0");
    wire_until(first, "\r\n0\r\n\r\n"); /* it has ended, as its body says */
    add_tool(server, TOOL("more"), on_hello, NULL);
    wire_until(second, "notifications/tools/list_changed");
    wire_free(second);
    wire_free(first);
    /* What is written to a stream before the server knows that its client has left is not missed: it could be asked for again. */
    UNTIL(info_number(server, "/http/connections") == 0);
    CHECK_STATUS(mcp_server_remove(server, "tool", "more", NULL), MCP_OK);
    struct wire *third = begin(port, "GET", headers, "");
    wire_until(third, "notifications/tools/list_changed");
    wire_free(third);
    free(headers);
    free(session);
}

static bool is_cancelled(mcp_message_t *request) { return mcp_request_cancelled(request); }

static void check_going_away(mcp_server_t *server, int port) {
    struct wire *call = begin(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: later\r\n", MODERN_CALL(3, "later"));
    mcp_message_t *request = taken();
    CHECK(!is_cancelled(request));
    wire_free(call);
    long long deadline = now_ms() + patience();
    while (!is_cancelled(request)) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    mcp_message_free(request);

    /* In the legacy era it goes on, and only the message withdraws it. */
    char *session = open_session(port);
    call = begin(port, "POST", session, CALL(7, "later"));
    wire_until(call, "\"progress\":1");
    request = taken();
    wire_free(call);
    UNTIL(info_number(server, "/http/connections") == 0); /* the server knows that it is gone */
    struct wire *ping = ask(port, "POST", session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    CHECK_EQ(status_of(ping), 200);
    wire_free(ping);
    CHECK(!is_cancelled(request));
    struct wire *cancel = ask(port, "POST", session,
                              "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}");
    CHECK_EQ(status_of(cancel), 202);
    wire_free(cancel);
    CHECK(is_cancelled(request));
    mcp_message_free(request);
    free(session);
}

/* An array of messages in which nothing is left to answer ends, and ends no other stream. */
static void check_batches(int port) {
    struct wire *wire = ask(port, "POST", "", INITIALIZE_AS("2025-03-26"));
    char *name = header_of(wire, "mcp-session-id");
    char *session = format("Mcp-Session-Id: %s\r\n", name);
    wire_free(wire);
    char *headers = format("%sAccept: text/event-stream\r\n", session);
    struct wire *listening = begin(port, "GET", headers, "");
    wire_until(listening, "200 OK");
    wire = ask(port, "POST", session,
               "[" CALL(1, "later") ",{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}]");
    CHECK_EQ(status_of(wire), 200);
    wire_free(wire);
    wire = ask(port, "POST", session, "[{\"jsonrpc\":\"2.0\",\"id\":1}]");
    CHECK_EQ(status_of(wire), 400); /* nothing in it was a request */
    CHECK(strstr(wire->bytes, "-32600") != NULL);
    wire_free(wire);
    wire = ask(port, "POST", session, "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]");
    CHECK_EQ(status_of(wire), 202);
    wire_free(wire);
    CHECK(strstr(listening->bytes, "\r\n0\r\n\r\n") == NULL);
    wire = ask(port, "DELETE", session, "");
    CHECK_EQ(status_of(wire), 204);
    wire_free(wire);
    wire_until(listening, "\r\n0\r\n\r\n");
    wire_free(listening);
    free(headers);
    free(session);
    free(name);
}

static void server_http_a_broken_stream_is_taken_up(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"timeouts\":{\"burst_ms\":1}}");
    mcp_server_t *short_lived = new_server("{\"name\":\"s\",\"timeouts\":{\"session_ms\":50,\"keep_alive_ms\":20}}");
    add_tool(server, TOOL("later"), on_later, NULL);
    add_tool(short_lived, TOOL("later"), on_later, NULL);
    int port = serve_http(server, NULL);
    int other = serve_http(short_lived, NULL);
    pthread_t threads[2] = {start_thread(serve_on, server), start_thread(serve_on, short_lived)};
    check_resumed(port);
    check_cancelled(port);
    check_listening(server, port);
    check_going_away(server, port);
    check_batches(port);
    mcp_message_free(__atomic_exchange_n(&held_back, NULL, __ATOMIC_SEQ_CST)); /* the one that the array withdrew, if it ran */

    /* A session in use does not end; one that is not used does. */
    char *session = open_session(other);
    struct wire *call = begin(other, "POST", session, CALL(3, "later"));
    wire_until(call, "\"progress\":1");
    mcp_message_t *request = taken();
    wire_until(call, "\r\n:\n\n"); /* a comment: the stream lives, although nothing is said */
    char *unused = open_session(other);
    long long deadline = now_ms() + patience();
    while (info_number(short_lived, "/sessions") > 1) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    CHECK_STATUS(mcp_request_respond_text(request, "still here", false, NULL), MCP_OK);
    mcp_message_free(request);
    wire_until(call, "still here");
    wire_free(call);
    struct wire *ping = ask(other, "POST", unused, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    CHECK_EQ(status_of(ping), 404);
    wire_free(ping);
    free(unused);
    free(session);

    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    CHECK_STATUS(mcp_server_close(short_lived, patience()), MCP_OK);
    join_thread(threads[0]);
    join_thread(threads[1]);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_server_free(short_lived), MCP_OK);
    check_nothing_left(held);
}

/* A handler ends the event stream of its request before the answer (2025-11-25): the client is told after which time to come back, and
 * gets the rest with the id of the last event, as often as the handler does so. There is nothing to end in another revision, for a
 * client that takes JSON alone, over other transports and without kept events. A client of this library comes back by itself. */
static void on_later_early(void *user, mcp_message_t *request) {
    (void)user;
    __atomic_store_n(&held_back, request, __ATOMIC_SEQ_CST);
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

static void server_http_a_stream_ends_before_its_answer(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"timeouts\":{\"retry_ms\":700}}");
    mcp_server_t *keeping_nothing = new_server("{\"name\":\"s\",\"limits\":{\"session_events\":0}}");
    add_tool(server, TOOL("later"), on_later_early, NULL);
    add_tool(server, TOOL("away"), on_away, NULL);
    add_tool(keeping_nothing, TOOL("later"), on_later_early, NULL);
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
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    server_http_a_broken_stream_is_taken_up();
    server_http_a_stream_ends_before_its_answer();
    return 0;
}

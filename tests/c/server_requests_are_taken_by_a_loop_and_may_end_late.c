/*
 * Requests of clients that an event loop takes, that do not return, and whose questions are cancelled.
 */
#include "served.h"

/* A program with a loop of its own waits in poll(2) for the server's descriptor and takes requests without handlers and runs
 * handlers with timeout 0; requests never get lost in a queue that holds few messages. Two threads in mcp_server_run at once
 * run two handlers at once. */
#define CALLS 200

static int handled;

static void on_handled(void *user, mcp_message_t *request) {
    (void)user;
    handled++;
    CHECK_STATUS(mcp_request_respond_text(request, "by handler", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void *client_side(void *path) {
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    for (int id = 1; id <= CALLS; id++) {
        peer_call(peer, id, id % 2 == 0 ? "queued" : "handled");
    }
    bool seen[CALLS + 1] = {false};
    for (int count = 0; count < CALLS; count++) {
        const char *line = peer_line(peer);
        CHECK(line != NULL);
        if (!json_has(line, "/result/content")) {
            FAIL("unexpected: %s", line);
        }
        char *value = json_at(line, "/id");
        int id = atoi(value);
        CHECK(id >= 1 && id <= CALLS && !seen[id]);
        seen[id] = true;
        mcp_string_free(value);
    }
    peer_free(peer);
    return NULL;
}

static void event_loop(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"limits\":{\"queue_messages\":4,\"session_requests\":1000}}");
    add_tool(server, TOOL("handled"), on_handled, NULL);
    add_tool(server, TOOL("queued"), NULL, NULL);
    serve_at(server, path);
    int fd = mcp_server_fd(server);
    CHECK_GE(fd, 0);
    pthread_t thread = start_thread(client_side, path);
    int queued = 0;
    while (queued + handled < CALLS) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        CHECK_EQ(poll(&ready, 1, patience()), 1);
        mcp_message_t *message = NULL;
        mcp_status_t status;
        while ((status = mcp_server_poll(server, 0, &message)) == MCP_OK) {
            if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
                queued++;
                CHECK_STATUS(mcp_request_respond_text(message, "by loop", false, NULL), MCP_OK);
            }
            mcp_message_free(message);
        }
        CHECK_STATUS(status, MCP_EMPTY);
    }
    CHECK_EQ(queued, CALLS / 2);
    join_thread(thread);
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    CHECK_EQ(poll(&ready, 1, 0), 0);
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    CHECK_EQ(poll(&ready, 1, patience()), 1);
    CHECK_STATUS(mcp_server_poll(server, -1, &message), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    /* It is told before the address is looked at, which no program could have. */
    CHECK_STATUS(mcp_server_serve(server, "{\"socket\":\"unix:/\"}", NULL, NULL), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

/* Closes the server, waits for the threads that serve, and removes its socket. */
static void end_server(mcp_server_t *server, char *path, const pthread_t *threads, int count) {
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    for (int i = 0; i < count; i++) {
        join_thread(threads[i]);
    }
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

static pthread_barrier_t both;

static void on_together(void *user, mcp_message_t *request) {
    (void)user;
    pthread_barrier_wait(&both);
    CHECK_STATUS(mcp_request_respond_text(request, "together", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void two_threads(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("together"), on_together, NULL);
    serve_at(server, path);
    pthread_barrier_init(&both, NULL, 2);
    pthread_t threads[2] = {start_thread(serve_on, server), start_thread(serve_on, server)};
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    for (int id = 2; id < 200; id += 2) {
        peer_call(peer, id, "together");
        peer_call(peer, id + 1, "together");
        CHECK(json_has(peer_line(peer), "/result"));
        CHECK(json_has(peer_line(peer), "/result"));
    }
    peer_free(peer);
    end_server(server, path, threads, 2);
}

static void server_a_queue_serves_an_event_loop(void) {
    struct holdings held = holdings_now();
    event_loop();
    two_threads();
    check_nothing_left(held);
}

/* A handler that does not return stops no ping, no list, no other session, and no answer that was given before it ran; the
 * deadline of its request answers for it. */
static pthread_barrier_t inside;
static pthread_barrier_t leave;

struct test {
    mcp_server_t *server;
    pthread_t *second;
    mcp_status_t late;
};

static void on_stuck(void *user, mcp_message_t *request) {
    struct test *test = user;
    if (test->second != NULL) {
        /* At once, before a thread of the library looks after the answers. */
        *test->second = start_thread(serve_on, test->server);
    }
    pthread_barrier_wait(&inside);
    pthread_barrier_wait(&leave);
    CHECK_STATUS(mcp_request_respond_text(request, "late", false, NULL), test->late);
    mcp_message_free(request);
}

static void on_quick(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "quick", false, NULL), MCP_OK);
    mcp_message_free(request);
}

#define CALL(id, tool) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool "\"}}\n"

static void with_threads(int runners, bool deadline) {
    char *path = new_path();
    mcp_server_t *server = new_server(deadline ? "{\"name\":\"s\",\"timeouts\":{\"request_ms\":400}}"
                                               : "{\"name\":\"s\",\"timeouts\":{\"request_ms\":0}}");
    pthread_t threads[2];
    struct test test = {server, runners > 1 ? &threads[1] : NULL, deadline ? MCP_ERROR_CANCELLED : MCP_OK};
    add_tool(server, TOOL("stuck"), on_stuck, &test);
    add_tool(server, TOOL("quick"), on_quick, NULL);
    serve_at(server, path);
    threads[0] = start_thread(serve_on, server);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    /* Both come with one read: the answer to the first is not held back by the second. */
    static const char both[] = CALL("1", "quick") CALL("2", "stuck");
    CHECK(peer_write(peer, both, sizeof both - 1));
    pthread_barrier_wait(&inside);
    CHECK(json_is(peer_line(peer), "/result/content/0/text", "quick"));
    peer_ping(peer, 3);
    struct peer *other = peer_at(path);
    peer_initialize(other);
    peer_send(other, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\"}");
    CHECK(json_has(peer_answer(other, "4"), "/result/tools"));
    if (runners > 1) {
        peer_call(other, 5, "quick");
        CHECK(json_is(peer_line(other), "/result/content/0/text", "quick"));
    }
    if (deadline) {
        CHECK(json_has(peer_answer(peer, "2"), "/error"));
    }
    pthread_barrier_wait(&leave);
    if (!deadline) {
        CHECK(json_is(peer_answer(peer, "2"), "/result/content/0/text", "late"));
    }
    peer_call(peer, 6, "quick");
    CHECK(json_has(peer_answer(peer, "6"), "/result"));
    peer_free(peer);
    peer_free(other);
    end_server(server, path, threads, runners);
}

static pthread_barrier_t all_inside;
static pthread_barrier_t all_leave;

static void on_both_stuck(void *user, mcp_message_t *request) {
    (void)user;
    pthread_barrier_wait(&all_inside);
    pthread_barrier_wait(&all_leave);
    CHECK_STATUS(mcp_request_respond_text(request, "at last", false, NULL), MCP_OK);
    mcp_message_free(request);
}

/* Every thread that serves goes into a handler with one read, after all of them were idle for a while: the library reads on. */
static void every_thread_stuck(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("stuck"), on_both_stuck, NULL);
    serve_at(server, path);
    pthread_barrier_init(&all_inside, NULL, 3);
    pthread_barrier_init(&all_leave, NULL, 3);
    pthread_t threads[2] = {start_thread(serve_on, server), start_thread(serve_on, server)};
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    for (int round = 0; round < scaled(100, 5); round++) {
        for (int pause = 0; pause < 5; pause++) {
            breathe();
        }
        static const char both[] = CALL("1", "stuck") CALL("2", "stuck");
        CHECK(peer_write(peer, both, sizeof both - 1));
        pthread_barrier_wait(&all_inside);
        peer_ping(peer, 3);
        pthread_barrier_wait(&all_leave);
        CHECK(json_is(peer_line(peer), "/result/content/0/text", "at last"));
        CHECK(json_is(peer_line(peer), "/result/content/0/text", "at last"));
    }
    peer_free(peer);
    end_server(server, path, threads, 2);
}

static void server_a_handler_that_does_not_return_stops_nothing_else(void) {
    struct holdings held = holdings_now();
    every_thread_stuck();
    pthread_barrier_init(&inside, NULL, 2);
    pthread_barrier_init(&leave, NULL, 2);
    with_threads(1, true);
    with_threads(2, true);
    for (int round = 0; round < scaled(100, 5); round++) {
        with_threads(1 + round % 2, false);
    }
    check_nothing_left(held);
}

/* A program that asked something for a request, and freed it, hears when the request is cancelled: also when the client's answer came
 * just before, and the run that would have followed had not been taken. When the client does not answer in timeouts.question_ms the
 * run comes with an error, also if the request was freed by another thread meanwhile. */
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
    end_server(server, path, NULL, 0);
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
    end_server(server, path, NULL, 0);
}

static void server_a_cancelled_question_is_told_of(void) {
    struct holdings held = holdings_now();
    check_cancellation();
    check_timeout();
    check_nothing_left(held);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    server_a_queue_serves_an_event_loop();
    server_a_handler_that_does_not_return_stops_nothing_else();
    server_a_cancelled_question_is_told_of();
    return 0;
}

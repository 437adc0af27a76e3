/*
 * Where and when the functions of a server's tools run: in workers, in the loop of the program, without a lock, beside
 * clients.
 */
#include "served.h"

#include <stdatomic.h>
#include <sys/epoll.h>

/* Threads of the library run handlers where the configuration says how many: as many at one time, without a thread of the program;
 * they take no wake that is meant for the program's own thread; a handler may close the server; nothing is left. */
static atomic_int inside;
static atomic_int most;
static atomic_bool held_up;
static pthread_t main_thread;

static void on_wait(void *user, mcp_message_t *request) {
    (void)user;
    CHECK(!pthread_equal(pthread_self(), main_thread));
    int now = atomic_fetch_add(&inside, 1) + 1;
    if (now > atomic_load(&most)) {
        atomic_store(&most, now);
    }
    while (atomic_load(&held_up)) {
        breathe();
    }
    atomic_fetch_sub(&inside, 1);
    CHECK_STATUS(mcp_request_respond_text(request, "done", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_close(void *user, mcp_message_t *request) {
    CHECK_STATUS(mcp_request_respond_text(request, "bye", false, NULL), MCP_OK);
    mcp_message_free(request);
    CHECK_STATUS(mcp_server_close(user, -1), MCP_OK);
}

static void server_workers_run_handlers(void) {
    struct holdings held = holdings_now();
    main_thread = pthread_self();
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"workers\":3}");
    add_tool(server, TOOL("wait"), on_wait, NULL);
    add_tool(server, TOOL("close"), on_close, server);
    CHECK_STATUS(mcp_server_add_tool(server, TOOL("polled"), NULL, NULL, NULL, NULL), MCP_OK);
    serve_at(server, path);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);

    atomic_store(&held_up, true);
    for (int i = 0; i < 5; i++) {
        peer_call(peer, i, "wait");
    }
    UNTIL(inside == 3);
    /* All of them are busy, and what needs no handler goes on. */
    peer_ping(peer, 100);
    CHECK_EQ(inside, 3);
    atomic_store(&held_up, false);
    for (int i = 0; i < 5; i++) {
        CHECK(json_has(peer_line(peer), "/result/content/0/text"));
    }
    CHECK_EQ(most, 3);

    /* A request without a handler is for the program. */
    peer_call(peer, 7, "polled");
    mcp_message_t *request = NULL;
    CHECK_STATUS(mcp_server_poll(server, patience(), &request), MCP_OK);
    CHECK_STATUS(mcp_request_respond_text(request, "polled", false, NULL), MCP_OK);
    mcp_message_free(request);
    CHECK(json_is(peer_answer(peer, "7"), "/result/content/0/text", "polled"));

    peer_call(peer, 8, "close");
    CHECK(json_is(peer_answer(peer, "8"), "/result/content/0/text", "bye"));
    CHECK(peer_line(peer) == NULL);
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    peer_free(peer);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);

    /* On a shared queue, a wake ends the program's wait and no worker takes it. */
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\",\"workers\":2}", queue, &server, NULL), MCP_OK);
    serve_at(server, path);
    for (int i = 0; i < 50; i++) {
        CHECK_STATUS(mcp_queue_wake(queue), MCP_OK);
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &request), MCP_WOKEN);
    }
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    mcp_server_t *wrong = NULL;
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\",\"workers\":257}", NULL, &wrong, NULL), MCP_ERROR_INVALID_ARGUMENT);
    check_nothing_left(held);
    remove_path(path);
}

/* What releases the argument of a handler may call the server: the library holds no lock then, whether the entry is removed,
 * replaced, or the last request that needed the handler is answered, cancelled, or loses its client. */
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

static void server_runs_no_code_of_the_program_with_a_lock(void) {
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
}

/* What a handler sends goes out while it runs, also when its request was there before any thread looked: no thread has driven
 * the server then. Its time limit holds as well. */
struct stage {
    mcp_server_t *server;
    volatile bool seen;
    volatile bool is_over;
};

static void on_count(void *user, mcp_message_t *request) {
    struct stage *stage = user;
    CHECK_STATUS(mcp_request_progress(request, 1, 0, NULL), MCP_OK);
    UNTIL(__atomic_load_n(&stage->seen, __ATOMIC_ACQUIRE));
    UNTIL(mcp_request_cancelled(request));
    __atomic_store_n(&stage->is_over, true, __ATOMIC_RELEASE);
    mcp_message_free(request);
}

/* Serves as the first thread that looks, and finds the request at once. */
static void *serve_one(void *user) {
    struct stage *stage = user;
    while (!__atomic_load_n(&stage->is_over, __ATOMIC_ACQUIRE)) {
        mcp_message_t *message = NULL;
        mcp_status_t status = mcp_server_poll(stage->server, 100, &message);
        CHECK(status == MCP_EMPTY || status == MCP_OK);
        mcp_message_free(message);
    }
    return NULL;
}

static void server_a_first_request_is_not_held_back(void) {
    struct holdings held = holdings_now();
    struct stage stage = {new_server("{\"name\":\"s\",\"timeouts\":{\"request_ms\":2000}}"), false, false};
    add_tool(stage.server, TOOL("count"), on_count, &stage);
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new_in_process("{}", NULL, stage.server, &client, NULL), MCP_OK);
    uint64_t call = 0;
    CHECK_STATUS(mcp_call_start(client, "tools/call", "{\"name\":\"count\",\"arguments\":{}}", "{\"progress\":true}", 1, &call, NULL),
                 MCP_OK);
    UNTIL(info_number(stage.server, "/requests") == 1);
    pthread_t serving = start_thread(serve_one, &stage);
    bool has_ended = false;
    while (!has_ended) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, (int)patience(), &message), MCP_OK);
        if (mcp_message_topic(message) == MCP_TOPIC_PROGRESS) {
            __atomic_store_n(&stage.seen, true, __ATOMIC_RELEASE);
        }
        has_ended = mcp_message_kind(message) == MCP_KIND_REPLY;
        mcp_message_free(message);
    }
    CHECK(stage.seen);
    join_thread(serving);
    mcp_client_free(client);
    mcp_server_free(stage.server);
    check_nothing_left(held);
}

/* A loop that hears of changes only, by an edge of the descriptor or by the function of mcp_queue_on_ready(), polls with timeout 0 until
 * MCP_EMPTY. A poll that leaves requests behind, because many handlers ran, lets it hear of these: all are answered though nothing
 * else ever wakes the loop. */
#if defined(__linux__)
#endif

#define CALLS 500

static int handled;

static void on_call(void *user, mcp_message_t *request) {
    (void)user;
    handled++;
    CHECK_STATUS(mcp_request_respond_text(request, "done", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void *client_side(void *path) {
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    for (int id = 1; id <= CALLS; id++) {
        peer_call(peer, id, "handled");
    }
    for (int count = 0; count < CALLS; count++) {
        const char *line = peer_line(peer);
        CHECK(line != NULL && json_has(line, "/result/content"));
    }
    peer_free(peer);
    return NULL;
}

/* What the loop hears of: a queue has a function called, a server has a descriptor. */
struct loop {
    mcp_server_t *server;
    mcp_queue_t *queue;
    int changes;
    int is_called;
};

static void ready(void *user) { __atomic_store_n(&((struct loop *)user)->is_called, 1, __ATOMIC_SEQ_CST); }

static void wait_for_change(struct loop *loop) {
    if (loop->queue != NULL) {
        UNTIL(__atomic_exchange_n(&loop->is_called, 0, __ATOMIC_SEQ_CST) == 1);
        return;
    }
#if defined(__linux__)
    struct epoll_event event;
    CHECK_EQ(epoll_wait(loop->changes, &event, 1, patience()), 1);
#endif
}

static void take_all(struct loop *loop) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    do {
        status = loop->queue != NULL ? mcp_queue_poll(loop->queue, 0, &message)
                                     : mcp_server_poll(loop->server, 0, &message);
        mcp_message_free(message);
    } while (status == MCP_OK);
    CHECK_STATUS(status, MCP_EMPTY);
}

static void serve(struct loop *loop) {
    char *path = new_path();
    loop->server = NULL;
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\",\"limits\":{\"session_requests\":1000}}", loop->queue, &loop->server, NULL),
                 MCP_OK);
    add_tool(loop->server, TOOL("handled"), on_call, NULL);
    serve_at(loop->server, path);
    if (loop->queue != NULL) {
        CHECK_STATUS(mcp_queue_on_ready(loop->queue, ready, loop, NULL), MCP_OK);
    } else {
#if defined(__linux__)
        struct epoll_event watched = {.events = EPOLLIN | EPOLLET};
        loop->changes = epoll_create1(EPOLL_CLOEXEC);
        CHECK_EQ(epoll_ctl(loop->changes, EPOLL_CTL_ADD, mcp_server_fd(loop->server), &watched), 0);
#endif
    }
    handled = 0;
    pthread_t thread = start_thread(client_side, path);
    /* Everything waits before the first poll, so that more is there than one poll takes. */
    UNTIL(info_number(loop->server, "/requests") == CALLS);
    while (handled < CALLS) {
        wait_for_change(loop);
        take_all(loop);
    }
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(loop->server), MCP_OK);
    remove_path(path);
}

static void server_a_loop_of_changes_takes_every_request(void) {
    struct holdings held = holdings_now();
    struct loop loop = {.changes = -1};
#if defined(__linux__)
    serve(&loop);
    close(loop.changes);
#endif
    CHECK_STATUS(mcp_queue_new(NULL, &loop.queue, NULL), MCP_OK);
    serve(&loop);
    CHECK_STATUS(mcp_queue_free(loop.queue), MCP_OK);
    check_nothing_left(held);
}

/* A server and a client on one queue: mcp_queue_poll runs the handlers and gives the replies; mcp_server_run ends when the
 * server is closed though its queue goes on; what was registered is released once. */
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

static void server_and_client_share_a_queue(void) {
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
}

/* A server that speaks first: it calls clients of the legacy era and notifies them outside of any request; each call has one reply
 * with its tag, also when the client refuses, is too late or leaves; what cannot be done is refused at once. */
static void on_session(void *user, mcp_message_t *request) {
    char *context = NULL;
    CHECK_STATUS(mcp_request_context(request, &context, NULL), MCP_OK);
    atomic_store((_Atomic uint64_t *)user, (uint64_t)json_number(context, "/session"));
    mcp_string_free(context);
    CHECK_STATUS(mcp_request_respond_text(request, "known", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static uint64_t start(mcp_server_t *server, uint64_t session, const char *method, const char *options, uint64_t tag) {
    uint64_t call = 0;
    char *error = NULL;
    if (mcp_server_call_start(server, session, method, NULL, options, tag, &call, &error) != MCP_OK) {
        FAIL("not called: %s", error != NULL ? error : "(no error)");
    }
    CHECK(call != 0);
    return call;
}

/* The outcome of a call; free it. */
static mcp_message_t *outcome(mcp_server_t *server, uint64_t call, uint64_t tag) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_server_poll(server, patience(), &message), MCP_OK);
    CHECK_EQ(mcp_message_kind(message), MCP_KIND_REPLY);
    CHECK(mcp_message_server(message) == server);
    CHECK_EQ(mcp_message_call_id(message), call);
    CHECK_EQ(mcp_message_tag(message), tag);
    return message;
}

static void server_calls_and_notifies_clients(void) {
    struct holdings held = holdings_now();
    char *path = new_path();
    _Atomic uint64_t session = 0;
    mcp_server_t *server = new_server("{\"name\":\"s\",\"workers\":1}");
    add_tool(server, TOOL("session"), on_session, &session);
    serve_at(server, path);

    /* A client of ours answers by itself. */
    mcp_client_t *client = client_at(path, "\"protocol\":\"legacy\",\"capabilities\":{\"roots\":{}}");
    CHECK_STATUS(mcp_client_set_roots(client, "[{\"uri\":\"file:///work\"}]", NULL), MCP_OK);
    char *error = NULL;
    CHECK_STATUS(mcp_client_set_roots(client, "[7]", &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "neither");
    mcp_string_free(error);
    CHECK_STATUS(mcp_client_set_roots(client, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    char *text = tool_text(client, "session", NULL);
    CHECK_TEXT(text, "known");
    mcp_string_free(text);
    drain(client);
    mcp_message_t *message = NULL;
    while (mcp_server_poll(server, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
    /* A client reads while it is called, or watched. */
    CHECK_GE(mcp_client_fd(client), 0);
    uint64_t call = start(server, session, "roots/list", NULL, 7);
    message = outcome(server, call, 7);
    CHECK_STATUS(mcp_message_status(message), MCP_OK);
    CHECK(json_is(mcp_message_json(message, NULL), "/roots/0/uri", "file:///work"));
    mcp_message_free(message);
    CHECK_STATUS(mcp_server_notify(server, 0, "notifications/custom", "{\"n\":1}", NULL), MCP_OK);
    message = next_of_kind(client, MCP_KIND_NOTIFICATION);
    CHECK_TEXT(mcp_message_method(message), "notifications/custom");
    CHECK(json_is(mcp_message_json(message, NULL), "/n", "1"));
    mcp_message_free(message);
    close_and_free(client);

    /* One that refuses, is too late, or leaves. */
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    peer_call(peer, 1, "session");
    CHECK(json_has(peer_answer(peer, "1"), "/result"));
    call = start(server, session, "ping", NULL, 1);
    char *id = format("%llu", (unsigned long long)call);
    CHECK(json_is(peer_next(peer, "/method", "ping"), "/id", id));
    char *answer = format("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-5,\"message\":\"no\"}}", id);
    peer_send(peer, answer);
    message = outcome(server, call, 1);
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_SERVER);
    CHECK(json_is(mcp_message_json(message, NULL), "/code", "-5"));
    mcp_message_free(message);
    free(answer);
    free(id);
    call = start(server, session, "ping", "{\"timeout_ms\":20}", 2);
    message = outcome(server, call, 2);
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_TIMEOUT);
    mcp_message_free(message);
    CHECK(json_has(peer_next(peer, "/method", "notifications/cancelled"), "/params/requestId"));
    CHECK_STATUS(mcp_server_call_start(server, session, "roots/list", NULL, NULL, 0, NULL, &error), MCP_ERROR_UNSUPPORTED);
    CHECK(json_has(error, "/details/missing/roots"));
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_call_start(server, session, "ping", NULL, "{\"timeout\":1}", 0, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "timeout_ms");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_call_start(server, 999, "ping", NULL, NULL, 0, NULL, NULL), MCP_ERROR_UNAVAILABLE);
    CHECK_STATUS(mcp_server_call_start(server, session, NULL, NULL, NULL, 0, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_call_start(NULL, session, "ping", NULL, NULL, 0, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_notify(server, 999, "notifications/custom", NULL, NULL), MCP_ERROR_UNAVAILABLE);
    CHECK_STATUS(mcp_server_notify(server, 0, "notifications/progress", NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "mcp_request_progress");
    mcp_string_free(error);
    call = start(server, session, "ping", NULL, 3);
    peer_free(peer);
    message = outcome(server, call, 3);
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_TRANSPORT);
    mcp_message_free(message);

    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
    remove_path(path);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    server_workers_run_handlers();
    server_runs_no_code_of_the_program_with_a_lock();
    server_a_first_request_is_not_held_back();
    server_a_loop_of_changes_takes_every_request();
    server_and_client_share_a_queue();
    server_calls_and_notifies_clients();
    return 0;
}

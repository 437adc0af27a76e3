/* Clients over transports of the program: what is delivered is answered through `send`, also inside `open`; each session ends by
 * itself; `open` that fails, `send` that fails or does not return, a message over the bound, the end of either side: each is told,
 * and `close` and `destroy` are called once. */
#include "served.h"

#include <stdatomic.h>

struct link {
    atomic_int opens;
    atomic_int closes;
    atomic_int destroys;
    atomic_int sent;
    atomic_int inside;
    atomic_int open_status;
    atomic_int send_status;
    atomic_bool stuck;
    /* What `open` delivers before it returns. */
    const char *first;
    _Atomic(mcp_transport_t *) handle;
    /* The last message that was sent; free() it. */
    _Atomic(char *) last;
};

static mcp_status_t on_open(void *user, mcp_transport_t *transport) {
    struct link *link = user;
    CHECK_EQ(atomic_fetch_add(&link->inside, 1), 0);
    atomic_store(&link->handle, transport);
    if (link->first != NULL) {
        CHECK_STATUS(mcp_transport_deliver(transport, link->first, strlen(link->first)), MCP_OK);
        /* Its answer waits until this has returned. */
        CHECK_EQ(link->sent, 0);
    }
    if (link->open_status == MCP_OK) {
        atomic_fetch_add(&link->opens, 1);
    }
    atomic_fetch_sub(&link->inside, 1);
    return atomic_load(&link->open_status);
}

static mcp_status_t on_send(void *user, mcp_transport_t *transport, const char *frame, size_t length) {
    struct link *link = user;
    CHECK_EQ(atomic_fetch_add(&link->inside, 1), 0);
    CHECK(atomic_load(&link->handle) == transport);
    CHECK_EQ(strlen(frame), length);
    free(atomic_exchange(&link->last, format("%s", frame)));
    atomic_fetch_add(&link->sent, 1);
    while (atomic_load(&link->stuck)) {
        breathe();
    }
    atomic_fetch_sub(&link->inside, 1);
    return atomic_load(&link->send_status);
}

static void on_close(void *user, mcp_transport_t *transport) {
    struct link *link = user;
    CHECK_EQ(atomic_load(&link->inside), 0);
    CHECK(atomic_load(&link->handle) == transport);
    CHECK_STATUS(mcp_transport_deliver(transport, "{}", 2), MCP_ERROR_INVALID_ARGUMENT);
    atomic_fetch_add(&link->closes, 1);
}

static void on_destroy(void *user) {
    struct link *link = user;
    CHECK_EQ(atomic_load(&link->inside), 0);
    CHECK_EQ(atomic_load(&link->opens), atomic_load(&link->closes));
    CHECK_EQ(atomic_fetch_add(&link->destroys, 1), 0);
}

static const mcp_transport_functions_t functions = {
    .size = sizeof functions,
    .version = MCP_TRANSPORT_VERSION,
    .open = on_open,
    .send = on_send,
    .close = on_close,
    .destroy = on_destroy,
};

static void attach(mcp_server_t *server, struct link *link) {
    char *error = NULL;
    if (mcp_server_attach(server, &functions, link, &error) != MCP_OK) {
        FAIL("not attached: %s", error != NULL ? error : "(no error)");
    }
}

static mcp_status_t deliver(struct link *link, const char *frame) {
    return mcp_transport_deliver(atomic_load(&link->handle), frame, strlen(frame));
}

/* Sends a request, and waits for the answer with this id. */
static void exchange(struct link *link, const char *frame, const char *id, const char *member) {
    int before = link->sent;
    CHECK_STATUS(deliver(link, frame), MCP_OK);
    UNTIL(link->sent > before);
    UNTIL(link->inside == 0);
    CHECK(json_is(link->last, "/id", id));
    CHECK(json_has(link->last, member));
}

static void release(struct link *link) {
    CHECK_EQ(link->destroys, 1);
    CHECK_EQ(link->opens, link->closes);
    free(link->last);
}

#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}"
#define CALL(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{}}}"

static void on_add(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "sum", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void clients_are_served(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\",\"limits\":{\"frame_bytes\":1024,\"sessions\":2}}");
    add_tool(server, TOOL("add"), on_add, NULL);
    pthread_t thread = start_thread(serve_on, server);
    struct link first = {.first = INITIALIZE};
    struct link second = {.first = NULL};
    struct link third = {.first = NULL};
    attach(server, &first);
    UNTIL(first.sent == 1);
    CHECK(json_is(first.last, "/result/protocolVersion", "2025-11-25"));
    attach(server, &second);
    CHECK_STATUS(mcp_server_attach(server, &functions, &third, NULL), MCP_ERROR_BACKPRESSURE);
    release(&third);
    /* What needs no handler is answered on the thread that delivers. */
    CHECK_STATUS(deliver(&second, PING("7")), MCP_OK);
    CHECK_EQ(second.sent, 1);
    exchange(&first, CALL("\"a\""), "a", "/result");
    for (int i = 0; i < 100; i++) {
        exchange(&first, CALL("3"), "3", "/result");
    }
    static char large[2048];
    memset(large, ' ', sizeof large);
    CHECK_STATUS(mcp_transport_deliver(first.handle, large, sizeof large), MCP_ERROR_TOO_LARGE);
    CHECK_CONTAINS(first.last, "1024");
    CHECK_STATUS(deliver(&first, "nonsense"), MCP_OK);
    CHECK(json_is(first.last, "/error/code", "-32700"));
    exchange(&first, PING("9"), "9", "/result");

    /* The end of one leaves the other, and a server without sessions goes on. */
    CHECK_EQ(info_number(server, "/sessions"), 2);
    CHECK_STATUS(mcp_transport_closed(second.handle, "it left"), MCP_OK);
    CHECK_STATUS(mcp_transport_closed(second.handle, "it left"), MCP_ERROR_INVALID_ARGUMENT);
    release(&second);
    atomic_store(&first.send_status, MCP_ERROR_TRANSPORT);
    CHECK_STATUS(deliver(&first, PING("10")), MCP_OK);
    release(&first);
    CHECK_EQ(info_number(server, "/sessions"), 0);
    struct link fourth = {.first = INITIALIZE};
    attach(server, &fourth);
    exchange(&fourth, CALL("4"), "4", "/result");

    /* What an end finds under way is withdrawn. */
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    release(&fourth);
    join_thread(thread);
    struct link fifth = {.first = NULL};
    CHECK_STATUS(mcp_server_attach(server, &functions, &fifth, NULL), MCP_ERROR_CLOSED);
    release(&fifth);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

static void attaching_may_fail(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    char *error = NULL;
    struct link link = {.first = PING("1"), .open_status = MCP_ERROR_AUTH};
    CHECK_STATUS(mcp_server_attach(server, &functions, &link, &error), MCP_ERROR_TRANSPORT);
    CHECK_CONTAINS(error, "(auth)");
    CHECK_EQ(json_number(error, "/details/transport_status"), MCP_ERROR_AUTH);
    mcp_string_free(error);
    release(&link);
    CHECK_EQ(link.closes + link.sent, 0);
    mcp_transport_functions_t wrong = functions;
    wrong.size = 8;
    struct link small = {.first = NULL};
    CHECK_STATUS(mcp_server_attach(server, &wrong, &small, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "sizeof");
    mcp_string_free(error);
    release(&small);
    CHECK_STATUS(mcp_server_attach(server, NULL, &link, NULL), MCP_ERROR_INVALID_ARGUMENT);
    struct link unused = {.first = NULL};
    CHECK_STATUS(mcp_server_attach(NULL, &functions, &unused, NULL), MCP_ERROR_INVALID_ARGUMENT);
    release(&unused);
    wrong = functions;
    wrong.send = NULL;
    struct link half = {.first = NULL};
    CHECK_STATUS(mcp_server_attach(server, &wrong, &half, NULL), MCP_ERROR_INVALID_ARGUMENT);
    release(&half);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

static void *deliver_ping(void *link) {
    CHECK_STATUS(deliver(link, PING("1")), MCP_OK);
    return NULL;
}

/* A `send` that does not return holds up neither the other clients nor the end; what waits for it is bounded. */
static void a_send_that_does_not_return_is_bounded(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\",\"limits\":{\"outgoing_bytes\":4096}}");
    struct link stuck = {.stuck = true};
    struct link other = {.first = NULL};
    attach(server, &stuck);
    attach(server, &other);
    pthread_t thread = start_thread(deliver_ping, &stuck);
    UNTIL(stuck.inside == 1);
    exchange(&other, PING("5"), "5", "/result");
    mcp_status_t status = MCP_OK;
    int delivered = 0;
    while (status == MCP_OK && delivered < 10000) {
        status = deliver(&stuck, PING("2"));
        delivered++;
    }
    CHECK_STATUS(status, MCP_ERROR_INVALID_ARGUMENT);
    CHECK_GE(delivered, 50);
    CHECK_EQ(stuck.closes, 0);
    exchange(&other, PING("6"), "6", "/result");
    CHECK_STATUS(mcp_server_close(server, 50), MCP_OK);
    release(&other);
    CHECK_EQ(stuck.destroys, 0);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_EQ(stuck.destroys, 0);
    atomic_store(&stuck.stuck, false);
    join_thread(thread);
    UNTIL(stuck.destroys == 1);
    release(&stuck);
    CHECK_EQ(stuck.sent, 1);
}

int main(void) {
    struct holdings held = holdings_now();
    clients_are_served();
    attaching_may_fail();
    a_send_that_does_not_return_is_bounded();
    check_nothing_left(held);
    return 0;
}

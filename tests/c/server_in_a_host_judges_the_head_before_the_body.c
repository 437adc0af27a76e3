/* Inside an HTTP server of the program: a request is judged by its head, and only one that is accepted is asked for its body, part by
 * part. A body that stops ends in its time although the program does nothing; where there are as many requests, or bytes, as there may
 * be, one without its whole body gives way, of the address that has most of them. */
#include "served_host.h"

#define JSON "Content-Type", "application/json"
#define LOCAL "Host", "127.0.0.1", JSON

/* Begins a request of which only the head is there. */
static struct seen *begin(mcp_server_t *server, const char *method, const char *target, const char *const *headers, const char *peer) {
    struct seen *seen = calloc(1, sizeof *seen);
    CHECK(seen != NULL);
    char *error = NULL;
    if (mcp_server_http_begin(server, method, target, headers, peer, on_ready, seen, on_destroy, &seen->exchange, &error) != MCP_OK) {
        FAIL("not taken: %s", error != NULL ? error : "(no error)");
    }
    CHECK(error == NULL && seen->exchange != NULL);
    return seen;
}

static size_t permit(struct seen *seen) {
    size_t bytes = 1;
    CHECK_STATUS(mcp_exchange_permit(seen->exchange, patience(), &bytes), MCP_OK);
    return bytes;
}

/* Gives a body in parts of at most so many bytes. */
static void give(struct seen *seen, const char *body, size_t most) {
    size_t length = strlen(body);
    size_t given = 0;
    for (size_t wanted; (wanted = permit(seen)) > 0;) {
        size_t part = length - given < most ? length - given : most;
        CHECK_STATUS(mcp_exchange_write(seen->exchange, body + given, part, given + part == length), MCP_OK);
        given += part;
    }
    CHECK_EQ(given, length);
}

static void wait_until_ready(struct seen *seen, int times) {
    long long deadline = now_ms() + patience();
    while (readies(seen) < times) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
}

/* No body is asked for, and the answer is there. */
static void check_refused(mcp_server_t *server, const char *about, const char *method, const char *target, const char *const *headers, int status) {
    struct seen *seen = begin(server, method, target, headers, "192.0.2.1");
    size_t bytes = 1;
    CHECK_STATUS(mcp_exchange_permit(seen->exchange, 0, &bytes), MCP_OK);
    CHECK_STATUS(mcp_exchange_head(seen->exchange, 0, &seen->status, &seen->announced), MCP_OK);
    if (bytes != 0 || seen->status != status) {
        FAIL("%s: %zu bytes are wanted, and the status is %d", about, bytes, (int)seen->status);
    }
    CHECK_STATUS(mcp_exchange_write(seen->exchange, "{}", 2, true), MCP_OK); /* which the client sent meanwhile */
    host_until_end(seen);
    CHECK_EQ(readies(seen), 0);
    host_free(seen);
}

static void check_heads(mcp_server_t *server, mcp_server_t *guarded) {
    check_refused(server, "another host", "POST", "/mcp", HEADERS("Host", "evil.example.com", JSON), 403);
    check_refused(server, "no host", "POST", "/mcp", HEADERS(JSON), 400);
    check_refused(server, "a page of another origin", "POST", "/mcp", HEADERS(LOCAL, "Origin", "https://evil.example.com"), 403);
    check_refused(server, "another path", "POST", "/other", HEADERS(LOCAL), 404);
    check_refused(server, "another method", "PUT", "/mcp", HEADERS(LOCAL), 405);
    check_refused(server, "no session", "GET", "/mcp", HEADERS(LOCAL), 400);
    check_refused(server, "another media type", "POST", "/mcp", HEADERS("Host", "127.0.0.1", "Content-Type", "text/plain"), 415);
    check_refused(server, "nothing that is accepted", "POST", "/mcp", HEADERS(LOCAL, "Accept", "text/html"), 406);
    check_refused(server, "a body that is too large", "POST", "/mcp", HEADERS(LOCAL, "content-length", "4097"), 413);
    check_refused(server, "a header in a header", "POST", "/mcp", HEADERS(LOCAL, "X", "a\r\nY: b"), 400);
    check_refused(guarded, "no token", "POST", "/mcp", HEADERS(LOCAL), 401);
    check_refused(guarded, "a wrong token", "POST", "/mcp", HEADERS(LOCAL, "Authorization", "Bearer a.b.c"), 401);
    check_refused(guarded, "an unknown scheme", "POST", "/mcp", HEADERS(LOCAL, "Authorization", "Basic YTpi"), 401);
}

static void check_parts(mcp_server_t *server) {
    static const size_t sizes[] = {1, 7, 1000, 100000};
    const char *const body = MODERN_CALL(3, "hello");
    char *length = format("%zu", strlen(body));
    for (size_t i = 0; i < 8; i++) {
        bool is_announced = i % 2 == 0;
        const char *const *headers = is_announced ? HEADERS(LOCAL, MODERN_HEADERS("tools/call"), "Mcp-Name", "hello", "Content-Length", length)
                                                  : HEADERS(LOCAL, MODERN_HEADERS("tools/call"), "Mcp-Name", "hello");
        struct seen *seen = begin(server, "POST", "/mcp", headers, i < 4 ? "192.0.2.1:99" : NULL);
        CHECK_EQ(permit(seen), is_announced ? strlen(body) : 65536);
        give(seen, body, sizes[i / 2]);
        host_head(seen);
        CHECK_EQ(seen->status, 200);
        host_until_end(seen);
        CHECK(strstr(seen->body, "hello") != NULL);
        host_free(seen);
    }
    free(length);

    /* Larger than it may be, found while it comes. */
    struct seen *seen = begin(server, "POST", "/mcp", HEADERS(LOCAL), NULL);
    char *large = calloc(1, 5000);
    CHECK(large != NULL);
    memset(large, ' ', 4999);
    CHECK_EQ(permit(seen), 65536);
    CHECK_STATUS(mcp_exchange_write(seen->exchange, large, 4000, false), MCP_OK);
    CHECK(permit(seen) > 0);
    CHECK_STATUS(mcp_exchange_write(seen->exchange, large, 97, false), MCP_OK);
    CHECK_EQ(permit(seen), 0);
    host_head(seen);
    CHECK_EQ(seen->status, 413);
    host_free(seen);
    free(large);

    /* The client leaves in the middle. */
    seen = begin(server, "POST", "/mcp", HEADERS(LOCAL), NULL);
    CHECK(permit(seen) > 0);
    CHECK_STATUS(mcp_exchange_write(seen->exchange, "{", 1, false), MCP_OK);
    host_free(seen);
}

/* What asks for no token until the application has judged it asks for no body either. */
static void check_judging(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\",\"auth\":{\"resource\":\"https://mcp.example/mcp\",\"authorization_servers\":[\"https://as.example\"],"
                                      "\"application\":true}}");
    serve_inside(server, NULL);
    struct seen *seen = begin(server, "POST", "/mcp", HEADERS(LOCAL, "Authorization", "Bearer ann"), NULL);
    size_t bytes = 1;
    CHECK_STATUS(mcp_exchange_permit(seen->exchange, 0, &bytes), MCP_EMPTY);
    CHECK_EQ(bytes, 0);
    CHECK_STATUS(mcp_exchange_write(seen->exchange, "{}", 2, true), MCP_ERROR_BACKPRESSURE);
    CHECK_STATUS(mcp_exchange_permit(seen->exchange, 0, &bytes), MCP_EMPTY);
    mcp_message_t *question = NULL;
    CHECK_STATUS(mcp_server_poll(server, patience(), &question), MCP_OK);
    CHECK_EQ(mcp_message_kind(question), MCP_KIND_AUTH);
    CHECK_STATUS(mcp_request_respond(question, "{\"principal\":\"ann\",\"scopes\":[]}", NULL), MCP_OK);
    mcp_message_free(question);
    wait_until_ready(seen, 1);
    CHECK(permit(seen) > 0);
    give(seen, INITIALIZE_AS("2025-11-25"), 10000);
    host_head(seen);
    CHECK_EQ(seen->status, 200);
    host_free(seen);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

/* Its time is over although the program waits for its client and calls nothing; `ready` tells it so once. */
static void check_stopped(mcp_server_t *server) {
    struct seen *seen = begin(server, "POST", "/mcp", HEADERS(LOCAL), "192.0.2.1");
    CHECK(permit(seen) > 0);
    CHECK_STATUS(mcp_exchange_write(seen->exchange, "{", 1, false), MCP_OK);
    CHECK(permit(seen) > 0);
    CHECK_EQ(readies(seen), 0);
    wait_until_ready(seen, 1);
    CHECK_STATUS(mcp_exchange_head(seen->exchange, 0, &seen->status, NULL), MCP_OK);
    CHECK_EQ(seen->status, 408);
    CHECK_EQ(permit(seen), 0);
    CHECK_EQ(readies(seen), 1);
    host_free(seen);
}

/* So many bodies at a time do not come; the next request finds room. */
static void check_room(mcp_server_t *server) {
    struct seen *waiting[4];
    for (int i = 0; i < 4; i++) {
        waiting[i] = begin(server, "POST", "/mcp", HEADERS(LOCAL), i < 3 ? "192.0.2.1" : "192.0.2.2");
        CHECK(permit(waiting[i]) > 0);
    }
    struct seen *other = begin(server, "POST", "/mcp", HEADERS(LOCAL), "192.0.2.3");
    wait_until_ready(waiting[0], 1);
    CHECK_EQ(permit(waiting[0]), 0);
    host_head(waiting[0]);
    CHECK_EQ(waiting[0]->status, 503);
    CHECK_TEXT(host_header(waiting[0], "retry-after"), "1");
    for (int i = 1; i < 4; i++) {
        CHECK_EQ(readies(waiting[i]), 0);
        CHECK(permit(waiting[i]) > 0);
    }
    give(other, INITIALIZE_AS("2025-11-25"), 100);
    host_head(other);
    CHECK_EQ(other->status, 200);
    host_free(other);
    for (int i = 0; i < 4; i++) {
        host_free(waiting[i]);
    }

    /* Of one address, or without: the oldest. */
    for (int i = 0; i < 4; i++) {
        waiting[i] = begin(server, "POST", "/mcp", HEADERS(LOCAL), NULL);
        CHECK(permit(waiting[i]) > 0);
    }
    other = begin(server, "POST", "/mcp", HEADERS(LOCAL), "no address");
    CHECK(permit(other) > 0);
    wait_until_ready(waiting[0], 1);
    CHECK_EQ(permit(waiting[0]), 0);
    CHECK(permit(waiting[1]) > 0);
    host_free(other);
    for (int i = 0; i < 4; i++) {
        host_free(waiting[i]);
    }

    /* What is being answered is not refused for one of the same address; for another address the largest gives way. */
    for (int i = 0; i < 4; i++) {
        waiting[i] = begin(server, "POST", "/mcp", HEADERS(LOCAL, MODERN_HEADERS("tools/call"), "Mcp-Name", "later"), "192.0.2.1");
        give(waiting[i], MODERN_CALL(3, "later"), 10000);
        CHECK_STATUS(mcp_exchange_head(waiting[i]->exchange, 0, NULL, NULL), MCP_EMPTY);
    }
    other = begin(server, "POST", "/mcp", HEADERS(LOCAL), "192.0.2.1");
    CHECK_EQ(permit(other), 0);
    host_head(other);
    CHECK_EQ(other->status, 503);
    host_free(other);
    other = begin(server, "POST", "/mcp", HEADERS(LOCAL), "192.0.2.2");
    CHECK(permit(other) > 0);
    wait_until_ready(waiting[0], 1);
    CHECK_STATUS(mcp_exchange_head(waiting[0]->exchange, 0, NULL, NULL), MCP_ERROR_BACKPRESSURE);
    host_free(other);
    for (int i = 0; i < 4; i++) {
        host_free(waiting[i]);
    }
}

/* Begins a body and gives 200,000 bytes of it; whether they were all wanted. */
static bool give_half(mcp_server_t *server, const char *peer, struct seen **out) {
    static const char part[50000];
    *out = begin(server, "POST", "/mcp", HEADERS(LOCAL), peer);
    for (int i = 0; i < 4; i++) {
        if (permit(*out) == 0) {
            return false;
        }
        CHECK_STATUS(mcp_exchange_write((*out)->exchange, part, sizeof part, false), MCP_OK);
    }
    return permit(*out) > 0;
}

/* Bodies that take all the bytes there are give way to those of another address. */
static void check_bytes(mcp_server_t *server) {
    enum { FLOOD = 12 };
    struct seen *flood[FLOOD];
    for (int i = 0; i < FLOOD; i++) {
        give_half(server, "192.0.2.1", &flood[i]);
    }
    struct seen *other[2];
    CHECK(give_half(server, "192.0.2.2", &other[0]));
    CHECK(give_half(server, "192.0.2.2", &other[1]));
    /* Before any is freed: that would make room for the next one. The last one that has to give way does so on a thread of the library,
     * while its bytes still count as leaving. */
    int refused = 0;
    bool is_refused[FLOOD];
    for (long long deadline = now_ms() + patience();; breathe()) {
        refused = 0;
        for (int i = 0; i < FLOOD; i++) {
            is_refused[i] = permit(flood[i]) == 0;
            refused += is_refused[i];
        }
        if (refused >= FLOOD - 3) { /* there is room for five of them */
            break;
        }
        CHECK_LE(now_ms(), deadline);
    }
    for (int i = 0; i < FLOOD; i++) {
        if (is_refused[i]) {
            host_head(flood[i]);
            CHECK_EQ(flood[i]->status, 503);
            host_until_end(flood[i]);
            if (strstr(flood[i]->body, "limits.shared_bytes") == NULL) {
                FAIL("refused for another reason: %s", flood[i]->body);
            }
        }
        host_free(flood[i]);
    }
    for (int i = 0; i < 2; i++) {
        CHECK(permit(other[i]) > 0);
        host_free(other[i]);
    }
}

static void check_misuse(mcp_server_t *server) {
    struct seen seen = {0};
    size_t bytes = 0;
    CHECK_STATUS(mcp_server_http_begin(server, "POST", NULL, NULL, NULL, NULL, &seen, on_destroy, &seen.exchange, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_http_begin(server, "POST", "/mcp", NULL, NULL, NULL, &seen, on_destroy, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_http_begin(NULL, "POST", "/mcp", NULL, NULL, NULL, &seen, on_destroy, &seen.exchange, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_http_begin(server, "POST", "/mcp", HEADERS("Host"), NULL, NULL, &seen, on_destroy, &seen.exchange, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(seen.exchange == NULL);
    CHECK_EQ(seen.destroyed, 4);
    CHECK_STATUS(mcp_exchange_permit(NULL, 0, &bytes), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_exchange_write(NULL, NULL, 0, true), MCP_ERROR_INVALID_ARGUMENT);

    struct seen *begun = begin(server, "POST", "/mcp", HEADERS(LOCAL), NULL);
    CHECK_STATUS(mcp_exchange_permit(begun->exchange, 0, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_exchange_write(begun->exchange, NULL, 1, true), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_exchange_write(begun->exchange, NULL, 0, true), MCP_OK);
    CHECK_EQ(permit(begun), 0);
    host_head(begun);
    CHECK_EQ(begun->status, 400);
    mcp_exchange_t *freed = begun->exchange;
    host_free(begun);
    CHECK_STATUS(mcp_exchange_permit(freed, 0, &bytes), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_exchange_write(freed, "{}", 2, true), MCP_ERROR_INVALID_ARGUMENT);

    /* A request that came whole wants nothing more. */
    struct seen *whole = host_begin(server, "POST", NULL, PING);
    CHECK_EQ(permit(whole), 0);
    CHECK_STATUS(mcp_exchange_write(whole->exchange, "{}", 2, true), MCP_OK);
    CHECK_EQ(permit(whole), 0);
    host_free(whole);
}

/* A child of fork() leaves the body alone; the end of the server ends it. */
static void check_ended(mcp_server_t *server) {
    struct seen *seen = begin(server, "POST", "/mcp", HEADERS(LOCAL), NULL);
    CHECK(permit(seen) > 0);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        size_t bytes = 0;
        bool right = mcp_exchange_permit(seen->exchange, -1, &bytes) == MCP_ERROR_FORKED &&
                     mcp_exchange_write(seen->exchange, "{}", 2, true) == MCP_ERROR_FORKED;
        end_child(right ? 0 : 1);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    wait_until_ready(seen, 1);
    CHECK_EQ(permit(seen), 0);
    host_head(seen);
    CHECK_EQ(seen->status, 503);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_exchange_write(seen->exchange, "{}", 2, true), MCP_OK);
    host_free(seen);
}

int main(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"workers\":1,\"limits\":{\"frame_bytes\":4096}}");
    mcp_server_t *guarded = new_server("{\"name\":\"g\",\"auth\":{\"resource\":\"https://mcp.example/mcp\",\"authorization_servers\":[\"https://as.example\"],"
                                       "\"jwks\":{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"kid\":\"a\"}]}}}");
    mcp_server_t *hasty = new_server("{\"name\":\"h\",\"timeouts\":{\"body_ms\":100}}");
    mcp_server_t *small = new_server("{\"name\":\"m\",\"limits\":{\"connections\":4}}");
    mcp_server_t *narrow = new_server("{\"name\":\"n\",\"limits\":{\"frame_bytes\":1048576,\"shared_bytes\":1048576}}");
    add_tool(server, TOOL("hello"), on_hello, NULL);
    add_tool(small, TOOL("later"), NULL, NULL);
    mcp_server_t *const all[] = {server, guarded, hasty, small, narrow};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        serve_inside(all[i], NULL);
    }
    check_heads(server, guarded);
    check_parts(server);
    check_judging();
    check_stopped(hasty);
    check_room(small);
    check_bytes(narrow);
    check_misuse(server);
    CHECK_STATUS(mcp_server_free(guarded), MCP_OK);
    CHECK_STATUS(mcp_server_free(hasty), MCP_OK);
    CHECK_STATUS(mcp_server_free(small), MCP_OK);
    CHECK_STATUS(mcp_server_free(narrow), MCP_OK);
    check_ended(server);
    check_nothing_left(held);
    return 0;
}

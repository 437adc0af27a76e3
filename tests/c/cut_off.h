/*
 * For tests of servers that nothing reaches any more: clients of every kind, connected, idle, and yet to connect, when that
 * happens. Connecting, a call and close end within their bounds; and when the server is reached again, so are calls.
 */
#ifndef MCP_TESTS_CUT_OFF_H
#define MCP_TESTS_CUT_OFF_H

#include "http.h"

static char *folder;

/* How clients of one kind are made. */
struct way {
    const char *name;
    const char *members;
    bool tls;
    const char *const *arguments;
};

#define BOUNDS                                                                                                        \
    "\"timeouts\":{\"probe_ms\":400,\"initialize_ms\":400,\"connect_ms\":400,\"listen_ms\":300,\"close_ms\":400}"

static inline mcp_client_t *client_of(const struct way *way, const struct server *server, const char *more) {
    char *members = format("%s,%s%s", way->members, BOUNDS, more);
    mcp_client_t *client =
        way->tls ? tls_client(server, folder, "ca.pem", members) : client_at(server, "/mcp", members);
    free(members);
    return client;
}

/* Connects to a server that is reached, however slow the machine is: the short bounds are for the server that is not. */
static inline void connect_in_the_end(mcp_client_t *client) {
    UNTIL(mcp_client_connect(client, patience(), NULL) == MCP_OK);
}

/* A call that reaches no server ends in its time. */
static inline void call_ends(mcp_client_t *client, int timeout_ms) {
    char *options = format("{\"timeout_ms\":%d}", timeout_ms);
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", options);
    CHECK_NE(mcp_message_status(reply), MCP_OK);
    CHECK_LE(now_ms() - begin, timeout_ms + slack());
    mcp_message_free(reply);
    free(options);
}

static inline void close_ends(mcp_client_t *client, int limit_ms) {
    long long begin = now_ms();
    mcp_client_close(client, limit_ms);
    CHECK_LE(now_ms() - begin, limit_ms + slack());
    begin = now_ms();
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_LE(now_ms() - begin, slack());
}

/* `cut` has nothing come to the server any more, and `mend` again. Where it is not `silent`, the system says so. */
static inline void check(const char *path, const struct way *way, void cut(const struct server *), void mend(const struct server *),
                         bool silent) {
    struct server server =
        way->tls ? start_tls_server(path, folder, way->arguments) : start_server(path, way->arguments);
    /* Connected and in use, with calls under way, when the line is cut. */
    mcp_client_t *busy = client_of(way, &server, "");
    connect_in_the_end(busy);
    start_tool(busy, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":700}", 1);
    /* Connected, then idle: its connection is kept. */
    mcp_client_t *idle = client_of(way, &server, ",\"reconnect\":{\"initial_ms\":50,\"max_ms\":100}");
    connect_in_the_end(idle);
    check_echo(idle, "before");
    mcp_client_t *quiet = client_of(way, &server, "");
    connect_in_the_end(quiet);
    UNTIL(count_of(&server, "tools/call") >= 2);
    cut(&server);

    long long begin = now_ms();
    mcp_message_t *reply = next_of_kind(busy, MCP_KIND_REPLY);
    CHECK_NE(mcp_message_status(reply), MCP_OK);
    CHECK_LE(now_ms() - begin, 700 + slack());
    mcp_message_free(reply);
    close_ends(busy, 300);
    call_ends(idle, 400);
    call_ends(idle, 400);
    /* Closed although the server does not acknowledge that. */
    close_ends(quiet, 300);
    /* Connecting: by the caller's time, and by the configuration's. */
    mcp_client_t *late = client_of(way, &server, "");
    begin = now_ms();
    CHECK_STATUS(mcp_client_connect(late, 200, NULL), MCP_ERROR_TIMEOUT);
    CHECK_LE(now_ms() - begin, 200 + slack());
    call_ends(late, 150);
    close_ends(late, 200);
    late = client_of(way, &server, ",\"reconnect\":false");
    begin = now_ms();
    char *error = NULL;
    CHECK_NE(mcp_client_connect(late, patience(), &error), MCP_OK);
    if (silent && strstr(error, "400 ms") == NULL) {
        FAIL("%s: %s", way->name, error);
    }
    mcp_string_free(error);
    CHECK_LE(now_ms() - begin, 3 * 400 + slack());
    close_ends(late, 200);

    mend(&server);
    UNTIL((reply = call_tool(idle, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":2000,\"when_unavailable\":\"wait\"}"),
           begin = mcp_message_status(reply), mcp_message_free(reply), begin == MCP_OK));
    close_ends(idle, 2000);
    stop_server(&server);
}

/* The same for every kind of client, or for each so many-th. */
static inline void check_all(const char *path, void cut(const struct server *), void mend(const struct server *), bool silent,
                             size_t each) {
    const struct way ways[] = {
        {"modern", MODERN, false, NULL},
        {"legacy", LEGACY, false, NULL},
        {"auto", "\"protocol\":\"auto\"", false, NULL},
        {"HTTP+SSE", "\"protocol\":\"2024-11-05\"", false, ARGS("--shape", "sse", "--era", "legacy")},
        {"HTTP/2", MODERN ",\"http\":{\"ping_ms\":300}", true, NULL},
        {"HTTP/2, legacy", LEGACY ",\"http\":{\"ping_ms\":300}", true, NULL},
        {"TLS", MODERN, true, ARGS("--alpn", "http/1.1")},
    };
    folder = make_folder();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i += each) {
        check(path, &ways[i], cut, mend, silent);
    }
    remove_folder(folder);
}

#endif

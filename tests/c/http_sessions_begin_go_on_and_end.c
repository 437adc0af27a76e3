/*
 * A session over HTTP: its first messages, one that a server has forgotten or lost in a restart, and its end.
 */
#include "http.h"

/*
 * In the legacy era no request but a ping may come before `notifications/initialized`. Over HTTP that is a POST of its own: a
 * server that is slow to take it sees no call before it, also where the client does not wait for the stream of the server's
 * messages. One that never answers it costs a moment, not the calls.
 */
static const char *const SCRIPTS[] = {"slow-initialized=300", "slow-initialized=300,no-session", "on-initialized=hang"};

static void http_calls_come_after_the_introduction(char **argv) {
    struct holdings before = holdings_now();
    for (size_t i = 0; i < sizeof SCRIPTS / sizeof SCRIPTS[0]; i++) {
        struct server server = start_server(argv[3], NULL);
        set_script(&server, SCRIPTS[i]);
        mcp_client_t *client = client_at(&server, "/mcp", LEGACY ",\"timeouts\":{\"listen_ms\":1}");
        char *error = NULL;
        if (mcp_client_connect(client, patience(), &error) != MCP_OK) {
            FAIL("with %s: %s", SCRIPTS[i], error);
        }
        for (int calls = 0; calls < 3; calls++) {
            check_echo(client, SCRIPTS[i]);
        }
        CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
        close_and_free(client);
        if (strstr(SCRIPTS[i], "hang") == NULL) {
            check_no_violations(&server);
        }
        stop_server(&server);
    }
    check_nothing_left(before);
}

/*
 * A session id that is not visible ASCII, or too long to be sent back, is not sent back: connecting fails and says why, and
 * the id, a secret, is not in the text. An empty one counts as missing.
 */
static void http_a_bad_session_id_is_refused(char **argv) {
    struct holdings before = holdings_now();
    const char *const ids[] = {"space", "tab", "latin", "long"};
    for (int i = 0; i < 4; i++) {
        char *behaviour = format("session-id=%s", ids[i]);
        struct server server = start_server(argv[3], ARGS(behaviour));
        mcp_client_t *client = client_at(&server, "/mcp", LEGACY ",\"reconnect\":false");
        char *error = connect_error(client, MCP_ERROR_PROTOCOL);
        CHECK_CONTAINS(error, "session id");
        CHECK(strstr(error, "session-") == NULL && strstr(error, "xxxx") == NULL);
        mcp_string_free(error);
        close_and_free(client);
        stop_server(&server);
        free(behaviour);
    }
    check_nothing_left(before);
}

/*
 * A server that speaks Streamable HTTP and answers with 2024-11-05, which has no such transport, opens a session all the same:
 * its id goes along with every further request, and the session is ended with a DELETE.
 */
static bool has_session(const char *request, void *user) {
    return json_is(request, "/method", user) && json_has(request, "/headers/mcp-session-id");
}

static void http_a_session_at_the_oldest_revision_is_kept(char **argv) {
    struct server server = start_server(argv[3], ARGS("--era", "legacy", "--revision", "2024-11-05"));
    mcp_client_t *client = client_at(&server, "/mcp", NULL);
    connect_client(client);
    char *info = info_of(client);
    CHECK(json_is(info, "/revision", "2024-11-05"));
    mcp_string_free(info);
    check_echo(client, "hello");
    check_echo(client, "again");
    /* The notification that the client is ready, and the two calls. */
    CHECK_GE(count_requests(&server, has_session, "POST"), 3);
    close_and_free(client);
    CHECK_EQ(count_requests(&server, has_session, "DELETE"), 1);
    stop_server(&server);
}

/*
 * Field fault H01: the server forgets the session while calls are under way. Eight threads meet the 404; one new session
 * is opened for all of them, what is safe to repeat is repeated, and what was under way on the old one ends, whether with
 * its result or as MCP_ERROR_TRANSPORT. Nothing hangs.
 */
#define THREADS 8
#define UNDER_WAY 8

static void *call_echo(void *argument) {
    mcp_message_t *reply = call_tool(argument, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":30000}");
    if (mcp_message_status(reply) != MCP_OK) {
        FAIL("echo: %s", mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
    return NULL;
}

static void h01_a_session_is_opened_anew_once_for_all(char **argv) {
    struct holdings before = holdings_now();
    pthread_t threads[THREADS];
    mcp_message_t *list = NULL;
    int ended[UNDER_WAY] = {0};
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *client = connected_to(&server, LEGACY ",\"retry\":\"safe\",\"when_unavailable\":\"wait\"");
    /* From the list the library knows that echo may be repeated. */
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &list), MCP_OK);
    mcp_message_free(list);
    for (uint64_t tag = 0; tag < UNDER_WAY; tag++) {
        start_tool(client, "slow", "{\"ms\":1000}", "{\"timeout_ms\":30000}", tag);
    }
    UNTIL(stat_of(&server, "/in_flight") >= UNDER_WAY);
    tell_server(&server, "/forget");
    for (int i = 0; i < THREADS; i++) {
        threads[i] = start_thread(call_echo, client);
    }
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    for (int i = 0; i < UNDER_WAY; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        mcp_status_t status = mcp_message_status(reply);
        if (status != MCP_OK && status != MCP_ERROR_TRANSPORT) {
            FAIL("a call under way: %s", mcp_message_json(reply, NULL));
        }
        CHECK(mcp_message_tag(reply) < UNDER_WAY);
        CHECK_EQ(++ended[mcp_message_tag(reply)], 1);
        mcp_message_free(reply);
    }
    check_echo(client, "afterwards");
    CHECK_EQ(count_of(&server, "initialize"), 2);
    CHECK_EQ(stat_of(&server, "/sessions"), 2);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    check_nothing_left(before);
}

/*
 * Field fault H02: after the server forgot the session the client opens another one, says so in STATE messages, restores
 * the subscriptions and the log level, and hears what the server sends on the new session's own stream.
 */
static void run(mcp_client_t *client, const char *method, const char *params) {
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call(client, method, params, NULL, &reply), MCP_OK);
    mcp_message_free(reply);
}

static bool is_restored(mcp_client_t *client) {
    char *restored = tool_text(client, "restored", NULL);
    bool is = strcmp(restored, "{\"level\":\"warning\",\"subscriptions\":[\"test://greeting\"]}") == 0;
    free(restored);
    return is;
}

static void lose_and_check(const struct server *server, mcp_client_t *client, int losses) {
    drain(client);
    tell_server(server, "/forget");
    /* It finds out with the next request. The server has not looked at that one, so it is sent again. */
    check_echo(client, "on the new session");
    await_state(client, MCP_CLIENT_STATE_READY);
    /* Calls wait for the answers to what is restored, since each request is a POST of its own. */
    CHECK(is_restored(client));
    CHECK_EQ(count_of(server, "initialize"), 1 + losses);
    UNTIL(stat_of(server, "/get_streams") >= 1 + losses);
    tell_server(server, "/push?count=1");
    mcp_message_t *notification = next_of_kind(client, MCP_KIND_NOTIFICATION);
    CHECK_CONTAINS(mcp_message_json(notification, NULL), "pushed 1 of 1");
    mcp_message_free(notification);
}

static void check(const char *path, const char *behaviours) {
    struct server server = start_server(path, ARGS(behaviours));
    mcp_client_t *client =
        connected_to(&server, LEGACY ",\"when_unavailable\":\"wait\",\"reconnect\":{\"initial_ms\":50,\"jitter\":0}");
    run(client, "resources/subscribe", "{\"uri\":\"test://greeting\"}");
    run(client, "logging/setLevel", "{\"level\":\"warning\"}");
    lose_and_check(&server, client, 1);
    lose_and_check(&server, client, 2);
    check_no_violations(&server);
    close_and_free(client);
    CHECK_EQ(stat_of(&server, "/methods/DELETE"), 1); /* the lost ones had no end to be told of */
    stop_server(&server);
}

static void h02_a_lost_session_is_restored(char **argv) {
    struct holdings before = holdings_now();
    check(argv[3], "");
    check(argv[3], "unknown-400"); /* not what the specification says, and widely used */
    check_nothing_left(before);
}

/*
 * The server ends and comes back at the same place. In the modern era the next call just works; in the legacy era a new
 * session is opened, and with HTTP+SSE a new stream.
 */
static void check_restarted(const char *path, const char *shape, const char *era) {
    struct server server = start_server(path, ARGS("--shape", shape));
    char *members = format("%s,\"when_unavailable\":\"wait\",\"reconnect\":{\"initial_ms\":50,\"max_ms\":200}", era);
    mcp_client_t *client = connected_to(&server, members);
    for (int restarts = 0; restarts < 3; restarts++) {
        check_echo(client, "before");
        int port = server.port;
        stop_server(&server);
        server = start_server_on(path, port, ARGS("--shape", shape));
        bool works = false;
        /* A call may meet the end of the old connections; after that it works. */
        for (int tries = 0; tries < 3 && !works; tries++) {
            mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
            works = mcp_message_status(reply) == MCP_OK;
            if (!works && tries == 2) {
                FAIL("%s, %s: %s", shape, era, mcp_message_json(reply, NULL));
            }
            mcp_message_free(reply);
        }
        check_no_violations(&server);
    }
    close_and_free(client);
    stop_server(&server);
    free(members);
}

static void http_a_restarted_server_is_found_again(char **argv) {
    struct holdings before = holdings_now();
    check_restarted(argv[3], "streamable", MODERN);
    check_restarted(argv[3], "streamable", LEGACY);
    check_restarted(argv[3], "sse", "\"protocol\":\"auto\"");
    check_nothing_left(before);
}

/*
 * Closing a client ends its session with one DELETE, whatever the server says to that. Where there is no session there is
 * no DELETE: in the modern era, even if the server sends a stray session id, and with servers that keep none.
 */
static bool is_delete_of_session(const char *request, void *user) {
    (void)user;
    return json_is(request, "/method", "DELETE") && json_has(request, "/headers/mcp-session-id") &&
           json_is(request, "/headers/mcp-protocol-version", "2025-11-25");
}

static void check_end(const char *path, const char *behaviours, const char *era, int deletes) {
    struct server server = start_server(path, ARGS(behaviours));
    mcp_client_t *client = connected_to(&server, era);
    check_echo(client, "x");
    close_and_free(client);
    CHECK_EQ(stat_of(&server, "/methods/DELETE"), deletes);
    CHECK_EQ(count_requests(&server, is_delete_of_session, NULL), deletes);
    check_no_violations(&server);
    stop_server(&server);
}

static void http_close_ends_the_session(char **argv) {
    struct holdings before = holdings_now();
    check_end(argv[3], "", LEGACY, 1);
    check_end(argv[3], "on-delete=405", LEGACY, 1);
    check_end(argv[3], "on-delete=html:404", LEGACY, 1);
    check_end(argv[3], "on-delete=close", LEGACY, 1);
    check_end(argv[3], "session-id=symbols", LEGACY, 1);
    check_end(argv[3], "no-session", LEGACY, 0);
    check_end(argv[3], "", MODERN, 0);
    check_end(argv[3], "stray-session", MODERN, 0);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    http_calls_come_after_the_introduction(argv);
    http_a_bad_session_id_is_refused(argv);
    http_a_session_at_the_oldest_revision_is_kept(argv);
    h01_a_session_is_opened_anew_once_for_all(argv);
    h02_a_lost_session_is_restored(argv);
    http_a_restarted_server_is_found_again(argv);
    http_close_ends_the_session(argv);
    return 0;
}

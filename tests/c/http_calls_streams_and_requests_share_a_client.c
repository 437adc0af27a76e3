/*
 * What a client does over HTTP at once: calls, streams that break, notifications, requests of the server, redirects.
 */
#include "http.h"

/*
 * Field fault H10: 64 calls are under way on one client and one of them is slow. The others do not wait for it, nor for
 * each other.
 */
#define CALLS 64

static void check(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    mcp_client_t *client = connected_to(&server, era);
    int ended[CALLS] = {0};
    start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}", 0);
    long long begin = now_ms();
    int ms = 500 * (scale() > 1 ? 4 : 1); /* so that all are under way before the first one ends */
    char *arguments = format("{\"ms\":%d}", ms);
    for (uint64_t tag = 1; tag < CALLS; tag++) {
        start_tool(client, "slow", arguments, "{\"timeout_ms\":30000}", tag);
    }
    free(arguments);
    for (int i = 1; i < CALLS; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        if (mcp_message_status(reply) != MCP_OK) {
            FAIL("call %d: %s", (int)mcp_message_tag(reply), mcp_message_json(reply, NULL));
        }
        CHECK_NE(mcp_message_tag(reply), 0);
        CHECK_EQ(++ended[mcp_message_tag(reply)], 1);
        mcp_message_free(reply);
    }
    /* One after another they would take half a minute. */
    CHECK_LE(now_ms() - begin, ms + 2 * slack());
    CHECK_GE(stat_of(&server, "/max_in_flight"), CALLS);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

static void h10_sixty_four_calls_do_not_wait_for_a_slow_one(char **argv) {
    struct holdings before = holdings_now();
    check(argv[3], MODERN);
    check(argv[3], LEGACY);
    check_nothing_left(before);
}

/*
 * Log messages and progress on the stream of a call, in both eras, and what the server sends by itself on the stream of its
 * own messages.
 */
static void check_call(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "notify", "{\"count\":5}", WITH_LOG);
    CHECK_TEXT(mcp_message_text(reply, NULL), "sent 5");
    mcp_message_free(reply);
    for (int i = 1; i <= 5; i++) {
        char *expected = format("message %d of 5", i);
        mcp_message_t *notification = next_of_kind(client, MCP_KIND_NOTIFICATION);
        CHECK_CONTAINS(mcp_message_json(notification, NULL), expected);
        mcp_message_free(notification);
        free(expected);
    }
    start_tool(client, "progress", "{\"steps\":4}", "{\"progress\":true}", 9);
    for (int i = 1; i <= 4; i++) {
        mcp_message_t *progress = next_of_kind(client, MCP_KIND_PROGRESS);
        CHECK_EQ(mcp_message_tag(progress), 9);
        CHECK_EQ(json_number(mcp_message_json(progress, NULL), "/progress"), i);
        mcp_message_free(progress);
    }
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_TEXT(mcp_message_text(reply, NULL), "4 steps");
    mcp_message_free(reply);
}

static void http_notifications_and_progress_arrive(char **argv) {
    struct holdings before = holdings_now();
    const char *const eras[] = {MODERN, LEGACY, "\"protocol\":\"2025-03-26\""};
    for (int i = 0; i < 3; i++) {
        struct server server = start_server(argv[3], NULL);
        mcp_client_t *client = connected_to(&server, eras[i]);
        check_call(client);
        if (i > 0) {
            tell_server(&server, "/push?count=3");
            for (int pushed = 1; pushed <= 3; pushed++) {
                char *expected = format("pushed %d of 3", pushed);
                mcp_message_t *notification = next_of_kind(client, MCP_KIND_NOTIFICATION);
                CHECK_CONTAINS(mcp_message_json(notification, NULL), expected);
                mcp_message_free(notification);
                free(expected);
            }
        }
        check_no_violations(&server);
        close_and_free(client);
        stop_server(&server);
    }
    check_nothing_left(before);
}

/*
 * What the server asks of the application: in the legacy era on the stream of the call or on its own, in the modern era
 * within a result. The application sees the same message and answers it in the same way.
 */
#define ABLE "\"capabilities\":{\"elicitation\":{}}"

static void check_ask(mcp_client_t *client, const char *on, const char *expected) {
    char *arguments = format("{\"method\":\"elicitation/create\",\"on\":\"%s\"}", on);
    start_tool(client, "ask", arguments, NULL, 1);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_TEXT(mcp_message_method(request), "elicitation/create");
    CHECK_CONTAINS(mcp_message_json(request, NULL), "What is your name?");
    CHECK_STATUS(mcp_request_respond(request,
                                     "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}", NULL), MCP_OK);
    mcp_message_free(request);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    if (mcp_message_status(reply) != MCP_OK) {
        FAIL("asked on %s: %s", on, mcp_message_json(reply, NULL));
    }
    CHECK_TEXT(mcp_message_text(reply, NULL), expected);
    mcp_message_free(reply);
    free(arguments);
}

static void check_request(const char *path, const char *const *arguments, const char *protocol, const char *expected) {
    struct server server = start_server(path, arguments);
    char *members = format("%s,%s", ABLE, protocol);
    mcp_client_t *client = connected_to(&server, members);
    check_ask(client, "post", expected);
    check_ask(client, "get", expected);
    check_ask(client, "post", expected);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    free(members);
}

static void http_a_server_request_is_answered(char **argv) {
    struct holdings before = holdings_now();
    const char *answer = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
    char *modern = format("%s in state-1", answer);
    check_request(argv[3], NULL, MODERN, modern);
    check_request(argv[3], ARGS("sse"), MODERN, modern);
    check_request(argv[3], NULL, LEGACY, answer);
    check_request(argv[3], ARGS("no-session"), LEGACY, answer);
    check_request(argv[3], ARGS("--revision", "2025-06-18"), LEGACY, answer);
    free(modern);
    check_nothing_left(before);
}

/*
 * Legacy: an answer's stream that ends behind an event with an id is taken up with Last-Event-ID, not sooner than the
 * server asked for, as often as it takes, and the call has its answer. Without an id, and in the modern era, the call ends
 * as MCP_ERROR_TRANSPORT and nothing more is asked for.
 */
static void check_lost(const char *path, const char *era, const char *tool, const char *arguments) {
    struct server server = start_server(path, ARGS("on-get=405"));
    mcp_client_t *client = connected_to(&server, era);
    long long gets = stat_of(&server, "/methods/GET");
    mcp_message_t *reply = call_tool(client, tool, arguments, "{\"timeout_ms\":15000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "stream");
    mcp_message_free(reply);
    /* A server may close a connection behind its answer without having said so: a call that is on its way then is lost. */
    UNTIL(is_quiet(&server));
    check_echo(client, "afterwards");
    CHECK_EQ(stat_of(&server, "/methods/GET"), gets);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

static void http_a_broken_stream_is_taken_up(char **argv) {
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *client = connected_to(&server, LEGACY);
    char *text = tool_text(client, "detach", "{\"retry\":300,\"ms\":100}");
    CHECK_TEXT(text, "back again");
    free(text);
    CHECK_EQ(stat_of(&server, "/resumed"), 1);
    text = tool_text(client, "detach", "{\"retry\":200,\"ms\":100,\"cuts\":8}");
    CHECK_TEXT(text, "back again");
    free(text);
    /* Where the client comes late the server has less to cut. More than the five attempts that bring nothing it takes. */
    long long resumed = stat_of(&server, "/resumed");
    CHECK_GE(resumed, 8);
    struct times times = times_of(&server, "GET"); /* the first is of the session's own stream */
    CHECK_EQ(times.count, resumed + 1);
    for (int i = 3; i < times.count; i++) {
        CHECK_GE(times.at[i] - times.at[i - 1], 180);
    }
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    check_lost(argv[3], LEGACY, "detach", "{\"id\":false}");
    check_lost(argv[3], LEGACY, "fault", "{\"do\":\"lost\"}");
    check_lost(argv[3], LEGACY, "fault", "{\"do\":\"half-event\"}");
    check_lost(argv[3], MODERN, "fault", "{\"do\":\"lost\"}");
    check_lost(argv[3], MODERN, "fault", "{\"do\":\"lost-after-id\"}");
    check_lost(argv[3], MODERN, "fault", "{\"do\":\"half-event\"}");
    check_nothing_left(before);
}

/*
 * Field fault H13: a redirect is followed only with 307 or 308, only within the origin and only a few times. Another origin
 * gets nothing at all, and the error says where the redirect led.
 */
#define SECRET "\"headers\":{\"Authorization\":\"Bearer secret-of-the-test\"},\"reconnect\":false"

static void check_followed(const struct server *server, const char *path) {
    const char *const eras[] = {MODERN, LEGACY, "\"protocol\":\"auto\""};
    for (int i = 0; i < 3; i++) {
        mcp_client_t *client = client_at(server, path, eras[i]);
        connect_client(client);
        check_echo(client, path);
        close_and_free(client);
    }
}

static void check_refused(const struct server *server, const char *path, const char *part) {
    const char *const eras[] = {MODERN, LEGACY, "\"protocol\":\"auto\""};
    for (int i = 0; i < 3; i++) {
        char *members = format("%s,%s", eras[i], SECRET);
        mcp_client_t *client = client_at(server, path, members);
        char *error = NULL;
        CHECK_NE(mcp_client_connect(client, patience(), &error), MCP_OK);
        CHECK_CONTAINS(error, part);
        CHECK(strstr(error, "secret-of-the-test") == NULL);
        mcp_string_free(error);
        close_and_free(client);
        free(members);
    }
}

static void h13_redirects_stay_at_the_origin(char **argv) {
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], NULL);
    struct server other = start_server(argv[3], NULL);
    check_followed(&server, "/redirect/307");
    check_followed(&server, "/redirect/308");
    check_followed(&server, "/redirect/307/4");
    check_no_violations(&server);
    check_refused(&server, "/redirect/301", "301");
    check_refused(&server, "/redirect/302", "302");
    check_refused(&server, "/redirect/303", "303");
    check_refused(&server, "/redirect/307/loop", "redirect");
    check_refused(&server, "/redirect/308/20", "redirect");
    const char *const hosts[] = {"127.0.0.1", "localhost", "[::1]"};
    for (int i = 0; i < 3; i++) {
        char *origin = format("http://%s:%d", hosts[i], other.port);
        char *path = format("/redirect/307?to=%s/mcp", origin);
        check_refused(&server, path, origin);
        free(path);
        free(origin);
    }
    check_refused(&server, "/redirect/307?to=//127.0.0.1:1/mcp", "127.0.0.1:1");
    check_refused(&server, "/redirect/307?to=file:///etc/passwd", "redirect");
    CHECK_EQ(stat_of(&other, "/connections"), 0);
    stop_server(&server);
    stop_server(&other);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    h10_sixty_four_calls_do_not_wait_for_a_slow_one(argv);
    http_notifications_and_progress_arrive(argv);
    http_a_server_request_is_answered(argv);
    http_a_broken_stream_is_taken_up(argv);
    h13_redirects_stay_at_the_origin(argv);
    return 0;
}

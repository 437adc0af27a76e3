/*
 * Which era a server over HTTP speaks is found at its first answer, once, also that of the older transport.
 */
#include "http.h"

/*
 * Which era and which transport a server has is found out from what it answers, whatever servers of the legacy era answer
 * to a question that they do not know.
 */
static void check(const char *path, const char *const *arguments, const char *era, const char *revision) {
    struct server server = start_server(path, arguments);
    mcp_client_t *client = connected_to(&server, NULL);
    char *info = info_of(client);
    if (!json_is(info, "/era", era) || !json_is(info, "/revision", revision)) {
        FAIL("with %s %s: %s, expected %s %s", arguments[0], arguments[1], info, era, revision);
    }
    mcp_string_free(info);
    check_echo(client, "x");
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

static void http_the_era_is_found(char **argv) {
    struct holdings before = holdings_now();
    check(argv[3], ARGS("--era", "both"), "modern", "2026-07-28");
    check(argv[3], ARGS("--era", "modern"), "modern", "2026-07-28");
    check(argv[3], ARGS("--era", "legacy"), "legacy", "2025-11-25");
    check(argv[3], ARGS("--era", "legacy", "no-session"), "legacy", "2025-11-25");
    check(argv[3], ARGS("--era", "legacy", "--revision", "2025-06-18"), "legacy", "2025-06-18");
    check(argv[3], ARGS("--era", "legacy", "--revision", "2025-03-26"), "legacy", "2025-03-26");
    check(argv[3], ARGS("--shape", "sse"), "legacy", "2024-11-05");
    check(argv[3], ARGS("--shape", "sse", "on-post=404*2"), "legacy", "2024-11-05");
    static const char *const REFUSALS[] = {
        "400", "404", "405", "406", "415", "html:400", "text:404", "error:400:32000", "error:404:32001",
        "own-error:404:32601", "own-error:400:32601", "own-error:200:32601", "own-error:200:32602", "error:400:32600",
        "accepted", "no-content", "empty", "number", "html", "not-json",
    };
    for (size_t i = 0; i < sizeof REFUSALS / sizeof REFUSALS[0]; i++) {
        char *behaviour = format("on-probe=%s", REFUSALS[i]);
        /* The version header of the probe is not known there, so a server of both eras would not do. */
        check(argv[3], ARGS("--era", "legacy", behaviour), "legacy", "2025-11-25");
        free(behaviour);
    }
    check_nothing_left(before);
}

/*
 * What one client found out about a server's era, the next ones in the process know: a legacy server is probed once, an old
 * one found once. It holds for the place and not for the host, is dropped when it proves wrong, and a program can have each
 * client find out by itself.
 */
#define ALONE "\"http\":{\"remember_era\":false}"

static void meets(const struct server *server, const char *path, const char *members, const char *revision) {
    mcp_client_t *client = client_at(server, path, members);
    connect_client(client);
    check_echo(client, "hello");
    char *info = info_of(client);
    if (!json_is(info, "/revision", revision)) {
        FAIL("expected %s: %s", revision, info);
    }
    mcp_string_free(info);
    close_and_free(client);
}

static void http_the_era_is_found_once_for_all_clients(char **argv) {
    const char *path = argv[3];
    struct holdings before = holdings_now();
    struct server server = start_server(path, ARGS("--era", "legacy"));
    meets(&server, "/mcp", ALONE, "2025-11-25");
    meets(&server, "/mcp", ALONE, "2025-11-25");
    CHECK_EQ(count_of(&server, "server/discover"), 2);
    for (int i = 0; i < 5; i++) {
        meets(&server, "/mcp", NULL, "2025-11-25");
    }
    CHECK_EQ(count_of(&server, "server/discover"), 3);
    /* Not what else is there; it leads here, so that its probe comes twice. */
    meets(&server, "/redirect/308", NULL, "2025-11-25");
    CHECK_EQ(count_of(&server, "server/discover"), 5);
    /* A program that permits one era only never asks. */
    meets(&server, "/mcp", LEGACY, "2025-11-25");
    CHECK_EQ(count_of(&server, "server/discover"), 5);
    check_no_violations(&server);
    /* The server is replaced by a modern one: initialize fails, it is probed at once, and the next client probes too. */
    int port = server.port;
    stop_server(&server);
    server = start_server_on(path, port, ARGS("--era", "modern"));
    meets(&server, "/mcp", NULL, "2026-07-28");
    CHECK_EQ(count_of(&server, "initialize"), 1);
    CHECK_EQ(count_of(&server, "server/discover"), 1);
    meets(&server, "/mcp", NULL, "2026-07-28");
    CHECK_EQ(count_of(&server, "initialize"), 1);
    stop_server(&server);
    /* And that by one of HTTP+SSE, which is found by a probe, an initialize and a GET, and then by the GET alone. */
    server = start_server_on(path, port, ARGS("--shape", "sse", "--era", "legacy"));
    meets(&server, "/mcp", NULL, "2024-11-05");
    long long posts = stat_of(&server, "/methods/POST");
    meets(&server, "/mcp", NULL, "2024-11-05");
    long long alone = stat_of(&server, "/methods/POST") - posts;
    CHECK_LE(alone, posts - 2);
    stop_server(&server);
    /* That stream is gone again: the attempt fails, and the next finds the server as it is. */
    server = start_server_on(path, port, ARGS("--era", "legacy"));
    mcp_client_t *client = client_at(&server, "/mcp", "\"reconnect\":{\"initial_ms\":20,\"max_ms\":50}");
    UNTIL(mcp_client_connect(client, 5000, NULL) == MCP_OK);
    check_echo(client, "hello");
    close_and_free(client);
    stop_server(&server);
    check_nothing_left(before);
}

/*
 * HTTP+SSE of 2024-11-05: everything comes on one stream. Where to post the server says, at its own origin only; when the
 * stream is lost, so are the calls, and a new one is opened.
 */
static void check_endpoint(const char *path, const struct server *other, const char *endpoint, mcp_status_t expected) {
    char *behaviour = format("endpoint=%s", endpoint);
    struct server server = start_server(path, ARGS("--shape", "sse", behaviour));
    mcp_client_t *client = client_at(&server, "/mcp", "\"reconnect\":false,\"timeouts\":{\"connect_ms\":1000,\"initialize_ms\":3000}");
    char *error = NULL;
    mcp_status_t status = mcp_client_connect(client, patience(), &error);
    if (status != expected) {
        FAIL("with endpoint %s: %s %s", endpoint, mcp_status_name(status), error != NULL ? error : "");
    }
    if (status == MCP_OK) {
        check_echo(client, "x");
        check_no_violations(&server);
    } else {
        CHECK_CONTAINS(error, "endpoint");
    }
    CHECK_EQ(stat_of(other, "/connections"), 0);
    mcp_string_free(error);
    close_and_free(client);
    stop_server(&server);
    free(behaviour);
}

static void http_the_older_transport_works(char **argv) {
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], ARGS("--shape", "sse"));
    struct server other = start_server(argv[3], NULL);
    mcp_client_t *client = connected_to(&server, "\"capabilities\":{\"elicitation\":{}},\"roots\":[\"file:///x\"],\"reconnect\":{\"initial_ms\":50},\"when_unavailable\":\"wait\"");
    check_echo(client, "h\xc3\xa9");
    char *text = tool_text(client, "ask", "{\"method\":\"roots/list\"}");
    CHECK_CONTAINS(text, "file:///x");
    free(text);
    mcp_message_t *reply = call_tool(client, "notify", "{\"count\":3}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    for (int i = 0; i < 3; i++) {
        mcp_message_free(next_of_kind(client, MCP_KIND_NOTIFICATION));
    }
    for (uint64_t tag = 0; tag < 20; tag++) {
        start_tool(client, "slow", "{\"ms\":50}", NULL, tag);
    }
    for (int i = 0; i < 20; i++) {
        reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        mcp_message_free(reply);
    }
    start_tool(client, "never", NULL, NULL, 1);
    UNTIL(count_of(&server, "tools/call") >= 24);
    tell_server(&server, "/drop");
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    mcp_message_free(reply);
    check_echo(client, "on a new stream");
    CHECK_EQ(stat_of(&server, "/sessions"), 2);
    /* The first of all was refused: it was posted as to a newer server. */
    CHECK_EQ(count_of(&server, "initialize"), 3);
    CHECK_EQ(stat_of(&server, "/methods/DELETE"), 0);
    check_no_violations(&server);
    close_and_free(client);
    UNTIL(stat_of(&server, "/get_streams_open") == 0);
    stop_server(&server);
    check_endpoint(argv[3], &other, "message?session={session}", MCP_OK);
    char *elsewhere = format("http://127.0.0.1:%d/message?session={session}", other.port);
    check_endpoint(argv[3], &other, elsewhere, MCP_ERROR_PROTOCOL);
    free(elsewhere);
    check_endpoint(argv[3], &other, "//evil.invalid/message", MCP_ERROR_PROTOCOL);
    check_endpoint(argv[3], &other, "file:///etc/passwd", MCP_ERROR_PROTOCOL);
    check_endpoint(argv[3], &other, "none", MCP_ERROR_TIMEOUT);
    stop_server(&other);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    http_the_era_is_found(argv);
    http_the_era_is_found_once_for_all_clients(argv);
    http_the_older_transport_works(argv);
    return 0;
}

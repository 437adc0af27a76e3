/*
 * HTTP/2 on one connection, and whom a client trusts.
 */
#include "http.h"

/*
 * Over TLS HTTP/2 is spoken where the server has it: 64 calls at a time and 1,000 one after another go over one connection,
 * and whatever else HTTP carries goes over it as well: event streams, progress, requests of the server, cancelling, the
 * session's end.
 */
/* valgrind: skip what the assembly of ring has written counts as uninitialised there, and so does what is decided with it */

#define CALLS 64

static char *folder;

static mcp_client_t *client_for(const struct server *server, const char *era) {
    mcp_client_t *client = tls_client(server, folder, "ca.pem", era);
    connect_client(client);
    return client;
}

/* Waits until the server knows that the call was cancelled. In the modern era its stream was reset. In the legacy era the server is told by
 * a notification, and may end the stream before it is reset. */
static void until_cancelled(const struct server *server, bool is_legacy) {
    if (is_legacy) {
        UNTIL(count_of(server, "notifications/cancelled") == 1);
    } else {
        UNTIL(stat_of(server, "/h2_resets") >= 1);
    }
}

static void in_flight(const char *path, const char *era, bool is_legacy) {
    struct server server = start_tls_server(path, folder, NULL);
    mcp_client_t *client = client_for(&server, era);
    int ended[CALLS] = {0};
    /* One of them is slow, and the others do not wait for it. */
    uint64_t slow = start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}", 0);
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
        CHECK_EQ(++ended[mcp_message_tag(reply)], 1);
        mcp_message_free(reply);
    }
    CHECK_LE(now_ms() - begin, ms + 2 * slack());
    CHECK_GE(stat_of(&server, "/h2_max_streams"), CALLS);
    CHECK_EQ(stat_of(&server, "/h2_connections"), 1);
    CHECK_EQ(stat_of(&server, "/tls_connections"), 1);
    /* A cancelled call resets its own stream at most; the connection goes on. */
    CHECK_STATUS(mcp_call_cancel(client, slow, NULL), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    until_cancelled(&server, is_legacy);
    check_echo(client, "after");
    CHECK_LE(stat_of(&server, "/h2_resets"), 1);
    CHECK_EQ(stat_of(&server, "/h2_connections"), 1);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

static void in_sequence(const char *path, const char *era, const char *behaviours) {
    struct server server = start_tls_server(path, folder, ARGS(behaviours));
    mcp_client_t *client = client_for(&server, era);
    int calls = scaled(1000, 50);
    for (int i = 0; i < calls; i++) {
        check_echo(client, "again");
    }
    CHECK_EQ(stat_of(&server, "/tls_connections"), 1);
    CHECK_EQ(stat_of(&server, "/connections"), 1);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

/* As many streams as the server permits, and the others wait for their turn. */
static void few_streams(const char *path) {
    struct server server = start_tls_server(path, folder, ARGS("h2-streams=4"));
    mcp_client_t *client = client_for(&server, MODERN);
    for (uint64_t tag = 1; tag <= 16; tag++) {
        start_tool(client, "slow", "{\"ms\":20}", "{\"timeout_ms\":30000}", tag);
    }
    for (int i = 0; i < 16; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        mcp_message_free(reply);
    }
    CHECK_LE(stat_of(&server, "/h2_max_streams"), 4);
    close_and_free(client);
    stop_server(&server);
}

/* Bodies of either side that are larger than any window. */
static void large(const char *path) {
    struct server server = start_tls_server(path, folder, NULL);
    mcp_client_t *client = client_for(&server, MODERN);
    size_t length = (size_t)scaled(3 << 20, 1 << 18);
    char *text = malloc(length + 1);
    CHECK(text != NULL);
    memset(text, 'x', length);
    text[length] = '\0';
    check_echo(client, text);
    free(text);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

static void everything_else(const char *path, const char *era, bool is_legacy) {
    struct server server = start_tls_server(path, folder, NULL);
    mcp_client_t *client = client_for(&server, era);
    const char *const right[] = {"chunks:3", "trailers", "hints", "gzip", "br", "sse"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        check_fine(client, right[i]);
    }
    if (is_legacy) {
        UNTIL(stat_of(&server, "/get_streams_open") == 1);
        tell_server(&server, "/push");
        mcp_message_t *pushed = next_of_kind(client, MCP_KIND_NOTIFICATION);
        CHECK(strstr(mcp_message_json(pushed, NULL), "pushed 1 of 1") != NULL);
        mcp_message_free(pushed);
    }
    check_no_violations(&server);
    close_and_free(client);
    CHECK_EQ(stat_of(&server, "/methods/DELETE"), is_legacy ? 1 : 0);
    CHECK_EQ(stat_of(&server, "/tls_connections"), 1);
    stop_server(&server);
}

static void http2_carries_everything_on_one_connection(char **argv) {
    struct holdings before = holdings_now();
    folder = make_folder();
    in_flight(argv[3], MODERN, false);
    in_flight(argv[3], LEGACY, true);
    in_sequence(argv[3], MODERN, "");
    in_sequence(argv[3], MODERN, "sse");
    in_sequence(argv[3], LEGACY, "sse");
    few_streams(argv[3]);
    large(argv[3]);
    everything_else(argv[3], MODERN, false);
    everything_else(argv[3], LEGACY, true);
    remove_folder(folder);
    check_nothing_left(before);
}

/*
 * A server behind https:// is believed only if its certificate is for its name, of this time, and signed by an authority that is
 * trusted; and a client shows a certificate of its own where the configuration gives one. Whatever is wrong with that is
 * told with the values that differ, at once, and no request goes out.
 */
static char *folder_tls;

static const char *const ERAS[] = {"\"reconnect\":false", "\"reconnect\":false," LEGACY, "\"reconnect\":false," MODERN};

/* That connecting fails with this kind of fault of TLS, whose text says this, and that the server got nothing. */
static void refused(const char *path, const char *const *arguments, const char *ca, const char *fault, const char *part,
                    const char *member, const char *value) {
    struct server server = start_tls_server(path, folder_tls, arguments);
    for (size_t i = 0; i < sizeof ERAS / sizeof ERAS[0]; i++) {
        mcp_client_t *client = tls_client(&server, folder_tls, ca, ERAS[i]);
        long long begin = now_ms();
        char *error = connect_error(client, MCP_ERROR_TRANSPORT);
        CHECK_LE(now_ms() - begin, 5 * slack());
        if (!json_is(error, "/details/tls", fault) || strstr(error, part) == NULL ||
            (member != NULL && !json_is(error, member, value))) {
            FAIL("%s: %s", fault, error);
        }
        CHECK(strstr(error, "https://localhost:") != NULL);
        char *retryable = json_at(error, "/retryable");
        CHECK_TEXT(retryable, "false");
        mcp_string_free(retryable);
        mcp_string_free(error);
        /* A call says the same. */
        mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
        CHECK_NE(mcp_message_status(reply), MCP_OK);
        mcp_message_free(reply);
        close_and_free(client);
    }
    char *requests = control(&server, "GET", "/requests", "");
    CHECK_TEXT(requests, "[]");
    free(requests);
    CHECK_GE(stat_of(&server, "/tls_connections"), 3);
    stop_server(&server);
}

/* That a client works; `members` are its own. */
static void works(const char *path, const char *const *arguments, const char *members, int least_h2) {
    struct server server = start_tls_server(path, folder_tls, arguments);
    mcp_client_t *client = client_of_config(format("{\"url\":\"https://127.0.0.1:%d/mcp\",%s}", server.port, members));
    connect_client(client);
    check_echo(client, "hello");
    CHECK_GE(stat_of(&server, "/h2_connections"), least_h2);
    CHECK_LE(stat_of(&server, "/h2_connections"), least_h2);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

/* That a configuration whose files cannot be used is refused when they are needed, with the name of the file. */
static void unusable(int port, const char *tls, const char *part) {
    char *config = format("{\"url\":\"https://localhost:%d/mcp\",\"reconnect\":false,\"tls\":{%s}}", port, tls);
    mcp_client_t *client = client_of_config(config);
    char *error = connect_error(client, MCP_ERROR_INVALID_ARGUMENT);
    if (strstr(error, part) == NULL) {
        FAIL("%s: %s", tls, error);
    }
    mcp_string_free(error);
    close_and_free(client);
}

/* Answers whatever comes with a line that is not TLS. */
static void *answer_in_plain(void *argument) {
    int listener = *(int *)argument;
    int descriptor = accept(listener, NULL, NULL);
    CHECK_GE(descriptor, 0);
    char bytes[4096];
    CHECK_GE(recv(descriptor, bytes, sizeof bytes, 0), 1);
    const char *answer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
    write_all(descriptor, answer, strlen(answer));
    while (recv(descriptor, bytes, sizeof bytes, 0) > 0) {
    }
    close(descriptor);
    return NULL;
}

static void no_tls_there(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(listener, 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_EQ(listen(listener, 4), 0);
    CHECK_EQ(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    pthread_t thread = start_thread(answer_in_plain, &listener);
    mcp_client_t *client =
        client_of_config(format("{\"url\":\"https://127.0.0.1:%d/mcp\",\"reconnect\":false,\"tls\":{\"ca_file\":\"%s/ca.pem\","
                                "\"system_roots\":false}}",
                                ntohs(address.sin_port), folder_tls));
    char *error = connect_error(client, MCP_ERROR_TRANSPORT);
    if (!json_is(error, "/details/tls", "no_tls") || strstr(error, "http://") == NULL) {
        FAIL("%s", error);
    }
    mcp_string_free(error);
    close_and_free(client);
    join_thread(thread);
    close(listener);
}

static void http_tls_trusts_only_what_it_should(char **argv) {
    const char *path = argv[3];
    struct holdings before = holdings_now();
    folder_tls = make_folder();
    /* What is right works, with whatever both sides can. */
    char *trusts = format("\"tls\":{\"ca_file\":\"%s/ca.pem\",\"system_roots\":false}", folder_tls);
    char *shows = format("\"tls\":{\"ca_file\":\"%s/ca.pem\",\"system_roots\":false,\"client_certificate\":\"%s/client.pem\","
                         "\"client_key\":\"%s/client.key\"}",
                         folder_tls, folder_tls, folder_tls);
    works(path, NULL, trusts, 1);
    works(path, ARGS("--tls-version", "1.2"), trusts, 1);
    works(path, ARGS("--alpn", "http/1.1"), trusts, 0);
    works(path, ARGS("--alpn", "none"), trusts, 0);
    works(path, ARGS("--ask-certificate", "yes"), shows, 1);
    works(path, ARGS("--ask-certificate", "yes", "--tls-version", "1.2", "--alpn", "http/1.1"), shows, 0);
    /* One that is not asked for is not in the way. */
    works(path, NULL, shows, 1);
    free(trusts);
    free(shows);
    /* The server's certificate. */
    refused(path, NULL, "other-ca.pem", "unknown_issuer", "tls.ca_file", NULL, NULL);
    refused(path, ARGS("--certificate", "other-issuer"), "ca.pem", "unknown_issuer", "tls.ca_file", NULL, NULL);
    refused(path, ARGS("--certificate", "self-signed"), "ca.pem", "unknown_issuer", "tls.ca_file", NULL, NULL);
    refused(path, ARGS("--certificate", "other-name"), "ca.pem", "wrong_name", "'localhost' but for other.example",
            "/details/found", "other.example");
    refused(path, ARGS("--certificate", "expired"), "ca.pem", "expired", "ended on 2020-01-01", "/details/not_after",
            "2020-01-01");
    refused(path, ARGS("--certificate", "not-yet"), "ca.pem", "not_yet_valid", "begins on 2090-01-01",
            "/details/not_before", "2090-01-01");
    /* The client's. */
    const char *const versions[] = {"1.2", "1.3"};
    for (int i = 0; i < 2; i++) {
        refused(path, ARGS("--ask-certificate", "yes", "--tls-version", versions[i], "--alpn", "http/1.1"), "ca.pem",
                "certificate_required", "tls.client_certificate", NULL, NULL);
        refused(path, ARGS("--ask-certificate", "yes", "--tls-version", versions[i], "--alpn", "h2"), "ca.pem",
                "certificate_required", "tls.client_certificate", NULL, NULL);
    }
    struct server server = start_tls_server(path, folder_tls, ARGS("--ask-certificate", "yes"));
    char *config = format("{\"url\":\"https://localhost:%d/mcp\",\"reconnect\":false,\"tls\":{\"ca_file\":\"%s/ca.pem\","
                          "\"system_roots\":false,\"client_certificate\":\"%s/other-client.pem\",\"client_key\":"
                          "\"%s/other-client.key\"}}",
                          server.port, folder_tls, folder_tls, folder_tls);
    mcp_client_t *client = client_of_config(config);
    char *error = connect_error(client, MCP_ERROR_TRANSPORT);
    if (!json_is(error, "/details/tls", "certificate_refused") || strstr(error, "who signed it") == NULL) {
        FAIL("%s", error);
    }
    mcp_string_free(error);
    close_and_free(client);
    /* Files that cannot be used. */
    char *tls = format("\"ca_file\":\"%s/no-such.pem\"", folder_tls);
    unusable(server.port, tls, "no-such.pem");
    free(tls);
    tls = format("\"ca_file\":\"%s/client.key\"", folder_tls);
    unusable(server.port, tls, "has no certificate in it");
    free(tls);
    tls = format("\"ca_file\":\"%s/ca.pem\",\"client_certificate\":\"%s/client.pem\",\"client_key\":\"%s/ca.pem\"", folder_tls,
                 folder_tls, folder_tls);
    unusable(server.port, tls, "tls.client_key");
    free(tls);
    tls = format("\"ca_file\":\"%s/ca.pem\",\"client_certificate\":\"%s/client.pem\",\"client_key\":\"%s/other-client.key\"",
                 folder_tls, folder_tls, folder_tls);
    unusable(server.port, tls, "do not work together");
    free(tls);
    stop_server(&server);
    no_tls_there();
    remove_folder(folder_tls);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    http2_carries_everything_on_one_connection(argv);
    http_tls_trusts_only_what_it_should(argv);
    return 0;
}

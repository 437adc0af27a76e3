/*
 * Answers over HTTP that are not MCP's: the call ends, and says what came.
 */
#include "http.h"

/*
 * Field fault H09: a URL where something else answers, or nothing. Connecting ends in time with an error that has the status
 * and the beginning of the body, whatever eras are permitted, and does not hang.
 */
static const struct {
    const char *fault;
    const char *part; /* what the error must say */
} ANSWERS[] = {
    {"html", "This is a page for people"},
    {"html:404", "This is a page for people"},
    {"text:500", "The cat sat on the mat"},
    {"text:404", "The cat sat on the mat"},
    {"text:400", "The cat sat on the mat"},
    {"404", "404"},
    {"405", "405"},
    {"500", "500"},
    {"503", "503"},
    {"not-json", "oh no"},
    {"number", "7"},
    {"no-content", "204"},
    {"garbage", "127.0.0.1"},
    {"close", "127.0.0.1"},
    {"reset", "127.0.0.1"},
    {"bad-utf8", "the server"},
    {"redirect:302:/elsewhere", "302"},
};

static void check(const struct server *server, const char *path, const char *protocol, const char *part) {
    char *members = format("\"protocol\":\"%s\",\"reconnect\":false,\"timeouts\":{\"probe_ms\":3000,\"initialize_ms\":3000,"
                           "\"connect_ms\":3000}",
                           protocol);
    mcp_client_t *client = client_at(server, path, members);
    char *error = NULL;
    long long begin = now_ms();
    mcp_status_t status = mcp_client_connect(client, patience(), &error);
    CHECK_LE(now_ms() - begin, 10000 + slack());
    CHECK_NE(status, MCP_OK);
    CHECK_NE(status, MCP_ERROR_INTERNAL);
    if (error == NULL || strstr(error, part) == NULL) {
        FAIL("%s at %s: %s does not say \"%s\"", protocol, path, error != NULL ? error : "(no error)", part);
    }
    mcp_string_free(error);
    close_and_free(client);
    free(members);
}

static void h09_a_url_that_is_no_server_is_told_with_its_answer(char **argv) {
    struct holdings before = holdings_now();
    const char *const protocols[] = {"auto", "legacy", "modern"};
    struct server server = start_server(argv[3], NULL);
    for (int era = 0; era < 3; era++) {
        for (size_t i = 0; i < sizeof ANSWERS / sizeof ANSWERS[0]; i++) {
            char *script = format("on-any=%s", ANSWERS[i].fault);
            set_script(&server, script);
            check(&server, "/mcp", protocols[era], ANSWERS[i].part);
            free(script);
        }
        set_script(&server, "");
        check(&server, "/nowhere", protocols[era], "404");
        check(&server, "/nowhere", protocols[era], "Cannot");
    }
    stop_server(&server);
    /* Nothing listens there any more. */
    for (int era = 0; era < 3; era++) {
        check(&server, "/mcp", protocols[era], "efused");
    }
    check_nothing_left(before);
}

/*
 * Answers over HTTP that are wrong, break off or make no sense fail the call that they are for, with a status that says how,
 * and no other call. Of what is empty or no message the error says status, content type, and how the body begins.
 * Answers that are only written in an unusual way are right.
 */
static const struct {
    const char *fault;
    mcp_status_t status;
    const char *parts[3]; /* of the error */
} WRONG[] = {
    {"500", MCP_ERROR_TRANSPORT, {"500"}},
    {"503", MCP_ERROR_UNAVAILABLE, {"503"}},
    {"rate-limit:7", MCP_ERROR_BACKPRESSURE, {"429"}},
    {"busy:429:seconds:120", MCP_ERROR_BACKPRESSURE, {"\"http_status\":429"}},
    {"busy:503:seconds:120", MCP_ERROR_UNAVAILABLE, {"\"retry_after_s\":120"}},
    /* After 503 a call of a tool is worth another try only where the server says when. */
    {"busy:503:imf:120", MCP_ERROR_UNAVAILABLE, {"\"retryable\":true"}},
    {"400", MCP_ERROR_PROTOCOL, {"400"}},
    {"405", MCP_ERROR_PROTOCOL, {"405"}},
    {"401", MCP_ERROR_AUTH, {"401"}},
    {"403", MCP_ERROR_AUTH, {"403"}},
    {"html:403", MCP_ERROR_AUTH, {"403"}},
    {"413", MCP_ERROR_TOO_LARGE, {"413"}},
    {"431", MCP_ERROR_TOO_LARGE, {"431"}},
    {"html",
     MCP_ERROR_PROTOCOL,
     {"HTTP status 200", "content type 'text/html; charset=utf-8'", "This is a page for people"}},
    {"text:200",
     MCP_ERROR_PROTOCOL,
     {"HTTP status 200", "content type 'text/plain'", "begins: The cat sat on the mat."}},
    {"text:500", MCP_ERROR_TRANSPORT, {"The cat sat on the mat"}},
    {"own-error:400:32602", MCP_ERROR_SERVER, {"an error for the test"}},
    {"own-error:404:32601", MCP_ERROR_SERVER, {"an error for the test"}},
    {"own-error:500:32603", MCP_ERROR_SERVER, {"an error for the test"}},
    {"error:400:32602", MCP_ERROR_SERVER, {"an error for the test"}},
    {"empty", MCP_ERROR_PROTOCOL, {"HTTP status 200", "content type 'application/json'", "the body is empty"}},
    {"no-content", MCP_ERROR_PROTOCOL, {"HTTP status 204", "no content", "a request"}},
    {"not-json",
     MCP_ERROR_PROTOCOL,
     {"HTTP status 200", "content type 'application/json'", "begins: {\\\"jsonrpc\\\": oh no"}},
    {"bad-utf8", MCP_ERROR_PROTOCOL, {""}},
    {"number", MCP_ERROR_PROTOCOL, {"HTTP status 200", "content type 'application/json'", "begins: 7"}},
    {"other-id", MCP_ERROR_PROTOCOL, {"HTTP status 200", "content type 'application/json'", "not for you"}},
    {"close", MCP_ERROR_TRANSPORT, {""}},
    {"reset", MCP_ERROR_TRANSPORT, {""}},
    {"close-in-head", MCP_ERROR_TRANSPORT, {""}},
    {"close-in-body", MCP_ERROR_TRANSPORT, {""}},
    {"close-in-chunk", MCP_ERROR_TRANSPORT, {""}},
    {"garbage", MCP_ERROR_TRANSPORT, {""}},
    {"bad-chunk", MCP_ERROR_TRANSPORT, {""}},
    {"huge-chunk", MCP_ERROR_TRANSPORT, {""}},
    {"bad-length", MCP_ERROR_TRANSPORT, {""}},
    {"two-lengths", MCP_ERROR_TRANSPORT, {""}},
    {"bad-header", MCP_ERROR_TRANSPORT, {""}},
    {"bad-gzip", MCP_ERROR_TRANSPORT, {""}},
    {"deflate", MCP_ERROR_PROTOCOL, {""}},
    {"redirect:302:/mcp", MCP_ERROR_PROTOCOL, {"302"}},
    {"redirect:307:http://127.0.0.1:1/mcp", MCP_ERROR_PROTOCOL, {"127.0.0.1:1"}},
};

static const char *const RIGHT[] = {
    "wrong-type:application/json-rpc", "wrong-type:text/plain", "no-type", "charset",   "http10",     "until-close", "chunks",
    "chunks:7",   "split:3", "chunk-extensions", "trailers", "hints", "odd-headers", "gzip", "br", "slow-head:1", "slow-body:1",
    "wait:300",
    /* Event streams: lines that end in each way, split anywhere, and what else servers write before and after an answer. */
    "sse", "sse-crlf", "sse-crlf:1", "sse-cr", "sse-cr:1", "sse-split", "sse-split:3", "sse-bom", "sse-lines", "sse-nospace",
    "sse-comments", "sse-fields", "sse-empty", "sse-other", "sse-bad-json", "sse-retry:100", "sse-retry:x", "sse-tail",
    "sse-open", "sse-null-id", "sse-charset", "twice",
};

static void check_answer(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    mcp_client_t *client = connected_to(&server, era);
    start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}", 1);
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        for (int part = 0; part < 3 && WRONG[i].parts[part] != NULL; part++) {
            check_fault(client, WRONG[i].fault, WRONG[i].status, WRONG[i].parts[part]);
        }
        check_echo(client, WRONG[i].fault);
    }
    for (size_t i = 0; i < sizeof RIGHT / sizeof RIGHT[0]; i++) {
        check_fine(client, RIGHT[i]);
    }
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    /* The one that was under way all the time still is. */
    CHECK_GE(stat_of(&server, "/in_flight"), 1);
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        CHECK_NE(mcp_message_kind(message), MCP_KIND_REPLY);
        mcp_message_free(message);
    }
    close_and_free(client);
    stop_server(&server);
}

static void http_a_wrong_answer_fails_one_call(char **argv) {
    struct holdings before = holdings_now();
    check_answer(argv[3], MODERN);
    check_answer(argv[3], LEGACY);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    h09_a_url_that_is_no_server_is_told_with_its_answer(argv);
    http_a_wrong_answer_fails_one_call(argv);
    return 0;
}

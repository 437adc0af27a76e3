/*
 * HTTP 429 ends a call as MCP_ERROR_BACKPRESSURE and 503 as MCP_ERROR_UNAVAILABLE, both retryable, with the time of Retry-After in the
 * details: in seconds, and as a date in each of the three forms that RFC 9110 has. The same holds where connecting fails so.
 */
#include "http.h"

#define SECONDS 120

/* The time that an error names: a date is read against a clock that goes on meanwhile. */
static void check_time(const char *error) {
    long long wait = json_number(error, "/details/retry_after_s");
    CHECK_LE(wait, SECONDS);
    CHECK_GE(wait, SECONDS - 60);
}

static void check_call(mcp_client_t *client, int status, const char *form, mcp_status_t expected) {
    char *fault = format("busy:%d:%s:%d", status, form, SECONDS);
    mcp_message_t *reply = call_fault(client, fault, "{\"timeout_ms\":20000}");
    const char *error = mcp_message_json(reply, NULL);
    if (mcp_message_status(reply) != expected || !json_is(error, "/retryable", "true")) {
        FAIL("%s: %s", fault, error);
    }
    CHECK_EQ(json_number(error, "/details/http_status"), status);
    check_time(error);
    mcp_message_free(reply);
    free(fault);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_echo(client, "afterwards");
}

static void check_connect(const char *path, const char *era, int status, mcp_status_t expected) {
    char *behaviour = format("on-any=busy:%d:imf:%d", status, SECONDS);
    struct server server = start_server(path, ARGS(behaviour));
    mcp_client_t *client = client_at(&server, "/mcp", era);
    char *error = connect_error(client, expected);
    CHECK(json_is(error, "/retryable", "true"));
    check_time(error);
    mcp_string_free(error);
    close_and_free(client);
    stop_server(&server);
    free(behaviour);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const eras[] = {MODERN, LEGACY};
    const char *const forms[] = {"seconds", "imf", "rfc850", "asctime"};
    for (int i = 0; i < 2; i++) {
        struct server server = start_server(argv[3], NULL);
        mcp_client_t *client = connected_to(&server, eras[i]);
        for (int form = 0; form < 4; form++) {
            check_call(client, 429, forms[form], MCP_ERROR_BACKPRESSURE);
            check_call(client, 503, forms[form], MCP_ERROR_UNAVAILABLE);
        }
        /* Without a time the status says the same. */
        check_fault(client, "429", MCP_ERROR_BACKPRESSURE, "429");
        check_fault(client, "503", MCP_ERROR_UNAVAILABLE, "503");
        close_and_free(client);
        stop_server(&server);
        check_connect(argv[3], eras[i], 429, MCP_ERROR_BACKPRESSURE);
        check_connect(argv[3], eras[i], 503, MCP_ERROR_UNAVAILABLE);
    }
    check_nothing_left(before);
    return 0;
}

/*
 * Field fault H06: whatever the server answers to the GET for its own messages, which no server needs to offer, the
 * connection is ready and calls work.
 */
#include "http.h"

static const char *const FAULTS[] = {
    "405",       "404",         "400",      "500",           "503",        "401",          "403",
    "202",       "html",        "html:404", "text:500",      "not-json",   "empty",        "no-content",
    "hang",      "silent",      "close",    "reset",         "wrong-type", "error:400",    "half-head",
    "garbage",   "bad-chunk",   "lost",     "comments:20",   "half-event", "endless-line", "endless-header",
    "rate-limit", "redirect:302:/elsewhere", "redirect:307:http://127.0.0.1:1/mcp", "redirect:307:/mcp",
};

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], NULL);
    for (size_t i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
        char *script = format("on-get=%s", FAULTS[i]);
        set_script(&server, script);
        mcp_client_t *client = client_at(&server, "/mcp", LEGACY ",\"timeouts\":{\"listen_ms\":100}");
        char *error = NULL;
        long long begin = now_ms();
        if (mcp_client_connect(client, patience(), &error) != MCP_OK) {
            FAIL("with GET answered by %s: %s", FAULTS[i], error);
        }
        CHECK_LE(now_ms() - begin, 1000 + slack());
        for (int calls = 0; calls < 3; calls++) {
            check_echo(client, FAULTS[i]);
        }
        CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
        close_and_free(client);
        free(script);
    }
    CHECK_EQ(stat_of(&server, "/sessions"), (long long)(sizeof FAULTS / sizeof FAULTS[0]));
    check_no_violations(&server);
    stop_server(&server);
    check_nothing_left(before);
    return 0;
}

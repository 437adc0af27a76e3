/*
 * Field fault H12: line ends of all three kinds, split anywhere, a byte order mark, split characters, many data lines, no
 * blank behind the colon, comments, unknown fields, empty events: the answer comes out all the same, in both eras.
 */
#include "http.h"

static const char *const STYLES[] = {
    "sse",          "sse-crlf",   "sse-crlf:1",    "sse-cr",    "sse-cr:1",      "sse-split",     "sse-split:2",
    "sse-split:3",  "sse-bom",    "sse-lines",     "sse-nospace", "sse-comments", "sse-fields",   "sse-empty",
    "sse-other",    "sse-bad-json", "sse-retry:100", "sse-retry:x", "sse-retry:-1", "sse-retry:99999999999999999999",
    "sse-tail",     "sse-open",   "sse-null-id",   "sse-charset", "twice",
};

static void check(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    mcp_client_t *client = connected_to(&server, era);
    for (size_t i = 0; i < sizeof STYLES / sizeof STYLES[0]; i++) {
        char *arguments = format("{\"do\":\"%s\",\"text\":\"z\xc3\xbc \xe2\x98\x83 \xf0\x9f\x98\x80 z\"}", STYLES[i]);
        mcp_message_t *reply = call_tool(client, "fault", arguments, "{\"timeout_ms\":15000}");
        if (mcp_message_status(reply) != MCP_OK) {
            FAIL("%s: %s", STYLES[i], mcp_message_json(reply, NULL));
        }
        CHECK_TEXT(mcp_message_text(reply, NULL), "z\xc3\xbc \xe2\x98\x83 \xf0\x9f\x98\x80 z");
        mcp_message_free(reply);
        free(arguments);
        check_echo(client, STYLES[i]);
    }
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(argv[3], MODERN);
    check(argv[3], LEGACY);
    check_nothing_left(before);
    return 0;
}

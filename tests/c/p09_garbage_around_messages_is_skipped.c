/*
 * Field fault P09: banners, log lines, blank lines, a byte order mark and CRLF on the server's stdout harm
 * nothing: they are skipped and counted, and every call gets its answer.
 */
#include "check.h"

/* Passes the server's lines on with a carriage return, and a log line before each. */
static const char NOISY[] =
    "\"$0\" | while IFS= read -r line; do printf 'INFO: sending\\n\\n%s\\r\\n' \"$line\"; done";

static long long garbage_of(mcp_client_t *client) {
    char *info = info_of(client);
    long long count = json_number(info, "/counters/garbage_frames");
    mcp_string_free(info);
    return count;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[2], ARGS("banner"), NULL);
    check_echo(client, "behind the banner");
    CHECK_GE(garbage_of(client), 1);
    close_and_free(client);

    client = connected("sh", ARGS("-c", NOISY, argv[1]), NULL);
    for (int i = 0; i < 10; i++) {
        check_echo(client, "between the lines");
    }
    CHECK_GE(garbage_of(client), 10);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    close_and_free(client);
    return 0;
}

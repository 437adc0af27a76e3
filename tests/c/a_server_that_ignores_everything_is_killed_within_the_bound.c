/*
 * Close climbs from the end of input over SIGTERM to SIGKILL, each step bounded: a server that lives on after
 * the end of its input goes at SIGTERM, one that ignores that too is killed, and close takes no longer than
 * its bound either way.
 */
#include "check.h"

static void check_script(const char *server, const char *script) {
    mcp_client_t *client = connected(server, ARGS("--life", "120", script), NULL);
    pid_t pid = 0;
    CHECK_EQ(count_children(&pid), 1);
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, 1000), MCP_OK);
    CHECK_LE(now_ms() - begin, 1000 + slack());
    UNTIL(!process_runs(pid));
    CHECK_EQ(count_children(NULL), 0);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_script(argv[2], "slow-exit=100");
    check_script(argv[2], "ignore-eof");
    check_script(argv[2], "ignore-eof,ignore-term");
    check_script(argv[2], "stdout-close,ignore-eof,ignore-term");
    check_nothing_left(before);
    return 0;
}

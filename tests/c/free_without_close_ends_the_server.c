/*
 * A client that is freed without having been closed is closed by that: free returns quickly, also when the
 * server neither answers nor takes notice of the end of its input, and soon no process, descriptor or thread
 * is left.
 */
#include "check.h"

/* Ends neither at the end of its input nor at SIGTERM. */
#define STUBBORN ARGS("-c", "trap '' TERM; while :; do sleep 1; done")

static void check_free(mcp_client_t *client) {
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_LE(now_ms() - begin, 2000 + slack());
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();

    check_free(new_client(argv[1], NULL, NULL));

    mcp_client_t *ready = connected(argv[1], NULL, NULL);
    pid_t pid = server_pid(ready);
    start_tool(ready, "slow", "{\"ms\":3600000}", NULL, 1);
    check_free(ready);
    UNTIL(!process_runs(pid));
    check_nothing_left(before);

    mcp_client_t *stuck = new_client("sh", STUBBORN, NULL);
    CHECK_STATUS(mcp_call_start(stuck, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_OK);
    UNTIL(count_children(&pid) == 1 && getpgid(pid) != getpgrp());
    pid_t group = getpgid(pid);
    check_free(stuck);
    UNTIL(count_group(group) == 0);
    check_nothing_left(before);
    return 0;
}

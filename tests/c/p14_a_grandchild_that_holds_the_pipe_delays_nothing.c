/*
 * Field fault P14: a grandchild keeps the server's stdout and stderr open after the server is gone, so their
 * end never comes. Close does not wait for it, and a death is noticed by the process, not by the pipe.
 */
#include "check.h"

#define MEMBERS "\"reconnect\":false"

static void check_close(const char *server, const char *script) {
    mcp_client_t *client = connected(server, ARGS("--life", "30", script), MEMBERS);
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, 2000), MCP_OK);
    CHECK_LE(now_ms() - begin, 2000 + slack());
    CHECK_EQ(count_children(NULL), 0);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

static void check_death(const char *server, const char *script) {
    mcp_client_t *client = connected(server, ARGS("--life", "30", script), MEMBERS);
    pid_t pid = 0;
    CHECK_EQ(count_children(&pid), 1);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    await_state(client, MCP_STATE_CLOSED);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_close(argv[2], "grandchild");
    check_close(argv[2], "grandchild=setsid"); /* out of our reach; it ends by itself */
    check_close(argv[2], "grandchild,ignore-term");
    check_death(argv[2], "grandchild");
    check_death(argv[2], "grandchild=setsid");
    check_nothing_left(before);
    return 0;
}

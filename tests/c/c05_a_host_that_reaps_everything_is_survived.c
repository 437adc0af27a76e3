/*
 * Field fault C05, the other way round: a host that ignores SIGCHLD, so that the system throws exit statuses
 * away, or that waits for any child in a loop. The library then does not learn how its server ended, but that
 * it ended: calls end, the server is started again, close returns within its bound.
 */
#include "check.h"

static bool reaping; /* atomic */

static void *reap_everything(void *argument) {
    (void)argument;
    while (__atomic_load_n(&reaping, __ATOMIC_SEQ_CST)) {
        (void)waitpid(-1, NULL, WNOHANG);
        breathe();
    }
    return NULL;
}

static void live_and_die(const char *server) {
    mcp_client_t *client = connected(server, NULL, "\"reconnect\":{\"initial_ms\":10}");
    check_echo(client, "first");
    drain(client);
    mcp_message_t *reply = call_tool(client, "crash", NULL, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    mcp_message_free(reply);
    await_state(client, MCP_CLIENT_STATE_READY);
    check_echo(client, "second");
    long long begin = now_ms();
    close_and_free(client);
    CHECK_LE(now_ms() - begin, 2000 + slack());
    CHECK_EQ(count_children(NULL), 0);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    CHECK(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
    live_and_die(argv[1]);
    CHECK(signal(SIGCHLD, SIG_DFL) == SIG_IGN); /* it is unchanged */

    __atomic_store_n(&reaping, true, __ATOMIC_SEQ_CST);
    pthread_t reaper = start_thread(reap_everything, NULL);
    for (int i = 0; i < scaled(5, 1); i++) {
        live_and_die(argv[1]);
    }
    __atomic_store_n(&reaping, false, __ATOMIC_SEQ_CST);
    join_thread(reaper);
    return 0;
}

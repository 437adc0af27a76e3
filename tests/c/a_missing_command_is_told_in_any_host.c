/*
 * A command that does not exist ends mcp_client_connect at once, with an error that says so, also in a host
 * that ignores SIGCHLD and in one that waits for any child in a loop: nothing depends on the exit status of
 * the process that could not become the server. The client can be closed and freed without delay afterwards.
 */
#include "check.h"

#define MISSING "/no/such/directory/no-such-server"

static bool reaping; /* atomic */

static void *reap_everything(void *argument) {
    (void)argument;
    while (__atomic_load_n(&reaping, __ATOMIC_SEQ_CST)) {
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
        breathe();
    }
    return NULL;
}

static void fail_to_start(void) {
    char *error = NULL;
    mcp_client_t *client = new_client(MISSING, NULL, NULL);
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_connect(client, patience(), &error), MCP_ERROR_TRANSPORT);
    CHECK_LE(now_ms() - begin, slack());
    CHECK_CONTAINS(error, "cannot start '" MISSING "'");
    CHECK_CONTAINS(error, "no such file");
    CHECK_EQ(json_number(error, "/details/errno"), ENOENT);
    mcp_string_free(error);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_BACKOFF);

    begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_LE(now_ms() - begin, slack());
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    struct holdings before = holdings_now();
    fail_to_start();

    CHECK(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
    for (int i = 0; i < scaled(10, 2); i++) {
        fail_to_start();
    }
    CHECK(signal(SIGCHLD, SIG_DFL) == SIG_IGN); /* it is unchanged */

    __atomic_store_n(&reaping, true, __ATOMIC_SEQ_CST);
    pthread_t reaper = start_thread(reap_everything, NULL);
    for (int i = 0; i < scaled(20, 2); i++) {
        fail_to_start();
    }
    __atomic_store_n(&reaping, false, __ATOMIC_SEQ_CST);
    join_thread(reaper);
    check_nothing_left(before);
    return 0;
}

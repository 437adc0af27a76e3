/*
 * A host that forks without exec all the time, and whose children live on: each of them has a copy of every
 * descriptor that was open at that moment, the ends of a starting server's pipes among them. Starting a
 * server, failing to, noticing its death, closing and freeing are not held up by that.
 */
/* valgrind: skip a process that two threads fork at once hangs in the lock of Valgrind's own scheduler */
#include "check.h"

#define CHILDREN 150

static bool stop; /* atomic */

/* Forks as often as it can; all the children live until it is told to stop. */
static void *fork_and_fork(void *argument) {
    (void)argument;
    pid_t children[CHILDREN];
    int made = 0;
    while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST)) {
        if (made == CHILDREN) {
            breathe();
            continue;
        }
        pid_t child = fork();
        CHECK_GE(child, 0);
        if (child == 0) {
            alarm(120); /* whatever becomes of the test */
            for (;;) {
                pause();
            }
        }
        children[made++] = child;
    }
    for (int i = 0; i < made; i++) {
        CHECK_EQ(kill(children[i], SIGKILL), 0);
        CHECK_EQ(waitpid(children[i], NULL, 0), children[i]);
    }
    return NULL;
}

/* The server's input has copies, so that it does not end by closing it: it is told to after exit_ms. */
#define QUICK "\"timeouts\":{\"exit_ms\":50},\"reconnect\":{\"initial_ms\":10}"

static void live_and_die(const char *server) {
    long long begin = now_ms();
    mcp_client_t *client = connected(server, NULL, QUICK);
    check_echo(client, "first");
    CHECK_LE(now_ms() - begin, 2 * slack());

    begin = now_ms();
    mcp_message_t *reply = call_tool(client, "crash", NULL, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    mcp_message_free(reply);
    CHECK_LE(now_ms() - begin, slack());
    connect_client(client);
    check_echo(client, "second");

    begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_LE(now_ms() - begin, slack());
}

static void fail_to_start(const char *server) {
    (void)server;
    char *error = NULL;
    mcp_client_t *client = new_client("/no/such/server", NULL, NULL);
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_connect(client, patience(), &error), MCP_ERROR_TRANSPORT);
    CHECK_CONTAINS(error, "cannot start '/no/such/server'");
    mcp_string_free(error);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_LE(now_ms() - begin, 2 * slack());
}

static void meanwhile(void (*action)(const char *server), const char *server) {
    __atomic_store_n(&stop, false, __ATOMIC_SEQ_CST);
    pthread_t forker = start_thread(fork_and_fork, NULL);
    action(server);
    __atomic_store_n(&stop, true, __ATOMIC_SEQ_CST);
    join_thread(forker);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    for (int i = 0; i < scaled(20, 2); i++) {
        meanwhile(live_and_die, argv[1]);
        meanwhile(fail_to_start, argv[1]);
    }
    check_nothing_left(before);
    return 0;
}

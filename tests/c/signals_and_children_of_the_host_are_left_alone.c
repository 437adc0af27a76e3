/*
 * A host with handlers of signals and children of its own: they are left alone, and interrupt nothing.
 */
#include "check.h"

#include <sys/time.h>

/*
 * Field fault C05, the other way round: a host that ignores SIGCHLD, so that the system throws exit statuses
 * away, or that waits for any child in a loop. The library then does not learn how its server ended, but that
 * it ended: calls end, the server is started again, close returns within its bound.
 */
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

static void c05_a_host_that_reaps_everything_is_survived(char **argv) {
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
}

/*
 * Field fault C05: the host's own children and its SIGCHLD handler are not touched: the handler stays
 * installed, every child of the host can be waited for and gives its own exit status, while servers start,
 * die and are reaped beside it.
 */
#define CHILDREN 20

static volatile sig_atomic_t signals;

static void count_signal(int number) {
    (void)number;
    signals++;
}

static pid_t fork_child(int exit_status) {
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        _exit(exit_status);
    }
    return child;
}

/* A blocking wait that a signal may interrupt. */
static int exit_status_of(pid_t child) {
    int status = 0;
    pid_t waited;
    do {
        waited = waitpid(child, &status, 0);
    } while (waited == -1 && errno == EINTR);
    CHECK_EQ(waited, child);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void live_and_die_children(const char *server) {
    mcp_client_t *client = connected(server, NULL, "\"reconnect\":{\"initial_ms\":10}");
    drain(client);
    mcp_message_free(call_tool(client, "crash", NULL, NULL));
    await_state(client, MCP_CLIENT_STATE_READY);
    check_echo(client, "again");
    close_and_free(client);
}

static void c05_the_hosts_children_are_left_alone(char **argv) {
    pid_t children[CHILDREN];
    struct sigaction mine = {.sa_handler = count_signal};
    struct sigaction now;
    CHECK_EQ(sigaction(SIGCHLD, &mine, NULL), 0);
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork_child(i);
        if (i % 5 == 0) {
            live_and_die_children(argv[1]);
        }
    }
    for (int i = 0; i < CHILDREN; i++) {
        CHECK_EQ(exit_status_of(children[i]), i);
    }
    CHECK_GE(signals, 1);
    CHECK_EQ(sigaction(SIGCHLD, NULL, &now), 0);
    CHECK(now.sa_handler == count_signal);
    CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1); /* the library reaped its own */
    CHECK_EQ(errno, ECHILD);
}

/*
 * A host whose timer signal fires all the time, without SA_RESTART: blocking calls, waits, starts and closes
 * are interrupted in the middle of system calls again and again and work as if nothing had happened.
 */
static volatile sig_atomic_t ticks;

static void tick(int number) {
    (void)number;
    ticks++;
}

static void a_signal_handler_of_the_host_interrupts_nothing(char **argv) {
    struct sigaction action = {.sa_handler = tick};
    struct itimerval often = {.it_interval = {0, 500 * scale()}, .it_value = {0, 500 * scale()}};
    struct itimerval never = {{0, 0}, {0, 0}};
    mcp_message_t *message = NULL;
    CHECK_EQ(sigaction(SIGALRM, &action, NULL), 0);
    CHECK_EQ(setitimer(ITIMER_REAL, &often, NULL), 0);
    for (int round = 0; round < scaled(5, 1); round++) {
        mcp_client_t *client = connected(argv[1], NULL, NULL);
        for (int i = 0; i < 100; i++) {
            check_echo(client, "uninterrupted");
        }
        drain(client);
        long long begin = now_ms();
        CHECK_STATUS(mcp_client_poll(client, 100, &message), MCP_EMPTY);
        CHECK_GE(now_ms() - begin, 95);
        mcp_message_t *reply = call_tool(client, "big", "{\"bytes\":1000000}", NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        mcp_message_free(reply);
        close_and_free(client);
    }
    CHECK_EQ(setitimer(ITIMER_REAL, &never, NULL), 0);
    CHECK_GE(ticks, 5);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    c05_a_host_that_reaps_everything_is_survived(argv);
    c05_the_hosts_children_are_left_alone(argv);
    a_signal_handler_of_the_host_interrupts_nothing(argv);
    return 0;
}

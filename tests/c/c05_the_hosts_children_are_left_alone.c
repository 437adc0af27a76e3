/*
 * Field fault C05: the host's own children and its SIGCHLD handler are not touched: the handler stays
 * installed, every child of the host can be waited for and gives its own exit status, while servers start,
 * die and are reaped beside it.
 */
#include "check.h"

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

static void live_and_die(const char *server) {
    mcp_client_t *client = connected(server, NULL, "\"reconnect\":{\"initial_ms\":10}");
    drain(client);
    mcp_message_free(call_tool(client, "crash", NULL, NULL));
    await_state(client, MCP_CLIENT_STATE_READY);
    check_echo(client, "again");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    pid_t children[CHILDREN];
    struct sigaction mine = {.sa_handler = count_signal};
    struct sigaction now;
    CHECK_EQ(sigaction(SIGCHLD, &mine, NULL), 0);
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork_child(i);
        if (i % 5 == 0) {
            live_and_die(argv[1]);
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
    return 0;
}

/*
 * Field fault C04: writing to a server that is gone never raises SIGPIPE in the host, whose disposition is
 * the deadly default, on no thread. Nothing stays pending, and masks and dispositions are as before.
 */
#include "check.h"

static void *write_to_the_dead(void *argument) {
    mcp_client_t *client = argument;
    for (int i = 0; i < 20; i++) {
        (void)mcp_client_notify(client, "notifications/into/the/void", "{\"a\":1}", NULL);
        (void)mcp_call(client, "tools/call", "{\"name\":\"pid\"}", "{\"timeout_ms\":1000}", NULL);
    }
    sigset_t pending;
    CHECK_EQ(sigpending(&pending), 0);
    CHECK_EQ(sigismember(&pending, SIGPIPE), 0);
    sigset_t mask;
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &mask), 0);
    CHECK_EQ(sigismember(&mask, SIGPIPE), 0);
    return NULL;
}

/* The server is killed and written to before anybody can have noticed. */
static void check_killed(const char *server) {
    mcp_client_t *client = connected(server, NULL, "\"reconnect\":{\"initial_ms\":5,\"max_ms\":10}");
    for (int round = 0; round < scaled(30, 3); round++) {
        pid_t pid = 0;
        connect_client(client);
        if (count_children(&pid) == 1) {
            (void)kill(pid, SIGKILL);
        }
        pthread_t other = start_thread(write_to_the_dead, client);
        (void)write_to_the_dead(client);
        join_thread(other);
    }
    close_and_free(client);
}

/* Lives on without its standard input: the first process hands over and closes it after two lines of the
 * client. */
static void check_deaf(void) {
    static const char deaf[] =
        "read -r probe; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}';"
        "read -r initialize; echo "
        "'{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"protocolVersion\":\"2025-11-25\","
        "\"capabilities\":{},\"serverInfo\":{\"name\":\"deaf\",\"version\":\"1\"}}}';"
        "read -r initialized; exec <&-; while :; do sleep 1; done";
    mcp_client_t *client = connected("sh", ARGS("-c", deaf), "\"reconnect\":false");
    (void)write_to_the_dead(client);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct sigaction action;
    CHECK(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    check_killed(argv[1]);
    check_deaf();
    CHECK_EQ(sigaction(SIGPIPE, NULL, &action), 0);
    CHECK(action.sa_handler == SIG_DFL);
    return 0;
}

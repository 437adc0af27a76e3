/* A server that is dead, or whose children live on, neither ends the host nor holds it up. */
#include "check.h"

/*
 * Field fault C04: writing to a server that is gone never raises SIGPIPE in the host, whose disposition is
 * the deadly default, on no thread. Nothing stays pending, and masks and dispositions are as before.
 */

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

static void c04_a_dead_server_raises_no_sigpipe(char **argv) {
    struct sigaction action;
    CHECK(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    check_killed(argv[1]);
    check_deaf();
    CHECK_EQ(sigaction(SIGPIPE, NULL, &action), 0);
    CHECK(action.sa_handler == SIG_DFL);
}

/*
 * A server dies and leaves children that write to its output without end. They are killed with it; what they
 * wrote delays no other client's deadline. This program is its own server.
 */

#define HEIRS 4

/* Lines of so many bytes: under a slow tool each costs much, and there are thousands of short ones in one read. */
static int serve(size_t line) {
    for (int heir = 0; heir < HEIRS; heir++) {
        if (fork() == 0) {
            char lines[4096];
            memset(lines, '{', sizeof lines);
            for (size_t at = line - 1; at < sizeof lines; at += line) {
                lines[at] = '\n';
            }
            for (int write_count = 0; write_count < 1000000; write_count++) {
                if (write(STDOUT_FILENO, lines, sizeof lines) < 0) {
                    _exit(0);
                }
            }
            _exit(0);
        }
    }
    poll(NULL, 0, 50);
    return 3;
}

static void the_heirs_of_a_dead_server_hold_up_nobody(char **argv) {
    char self[4096] = "";
    struct holdings before = holdings_now();
    CHECK_GE(readlink("/proc/self/exe", self, sizeof self - 1), 1);
    mcp_client_t *steady = connected(argv[2], NULL, NULL);
    drain(steady);
    mcp_client_t *dying = new_client(self, ARGS(scale() > 1 ? "--serve-long" : "--serve"), "\"reconnect\":false");
    mcp_call_start(dying, "tools/list", NULL, NULL, 1, NULL, NULL);
    for (int round = 0; round < 3; round++) {
        long long begin = now_ms();
        start_tool(steady, "hang", "{}", "{\"timeout_ms\":200}", 2);
        mcp_message_t *reply = next_of_kind(steady, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
        CHECK_LE(now_ms() - begin, 200 + slack());
        mcp_message_free(reply);
    }
    mcp_message_t *reply = next_of_kind(dying, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    mcp_message_free(reply);
    close_and_free(dying);
    close_and_free(steady);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    if (argc == 2) {
        return serve(strcmp(argv[1], "--serve") == 0 ? 2 : 128);
    }
    CHECK_EQ(argc, 3);
    c04_a_dead_server_raises_no_sigpipe(argv);
    the_heirs_of_a_dead_server_hold_up_nobody(argv);
    return 0;
}

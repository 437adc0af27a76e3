/*
 * A host with handlers of its own for every signal, a mask, a locale, a folder and a umask, which empties
 * its environment: after servers were started over pipes and called, called over HTTP and a socket, killed, closed and
 * could not be started, all of that is as it was, no handler has run but for what the host's own children did, and these
 * are still the host's to wait for.
 */
#include "http.h"
#include "line_server.h"

#include <locale.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>

#define SIGNALS 65

/* All that a library may not change in its host. */
struct self {
    struct sigaction actions[SIGNALS];
    sigset_t mask;
    sigset_t pending;
    stack_t stack;
    char locale[128];
    char *const *environment;
    char *first_variable;
    char folder[4096];
    mode_t umask;
    pid_t session;
    pid_t group;
    int priority;
    struct rlimit limits[RLIM_NLIMITS];
    struct itimerval timer;
    int flags[3];
};

static atomic_int handled[SIGNALS];

static void handle(int signal) { atomic_fetch_add(&handled[signal], 1); }

static struct self self_now(void) {
    struct self self;
    memset(&self, 0, sizeof self);
    for (int signal = 1; signal < SIGNALS; signal++) {
        (void)sigaction(signal, NULL, &self.actions[signal]); /* two belong to the C library */
    }
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &self.mask), 0);
    CHECK_EQ(sigpending(&self.pending), 0);
    CHECK_EQ(sigaltstack(NULL, &self.stack), 0);
    snprintf(self.locale, sizeof self.locale, "%s", setlocale(LC_ALL, NULL));
    self.environment = environ;
    self.first_variable = environ != NULL ? environ[0] : NULL;
    CHECK(getcwd(self.folder, sizeof self.folder) != NULL);
    self.umask = umask(0);
    umask(self.umask);
    self.session = getsid(0);
    self.group = getpgrp();
    self.priority = getpriority(PRIO_PROCESS, 0);
    for (int limit = 0; limit < (int)RLIM_NLIMITS; limit++) {
        CHECK_EQ(getrlimit(limit, &self.limits[limit]), 0);
    }
    CHECK_EQ(getitimer(ITIMER_REAL, &self.timer), 0);
    for (int stream = 0; stream < 3; stream++) {
        self.flags[stream] = fcntl(stream, F_GETFL);
    }
    return self;
}

static void check_same(const struct self *before, const struct self *now) {
    for (int signal = 1; signal < SIGNALS; signal++) {
        const struct sigaction *was = &before->actions[signal];
        const struct sigaction *is = &now->actions[signal];
        if (was->sa_handler != is->sa_handler || was->sa_flags != is->sa_flags) {
            FAIL("the action of signal %d was changed", signal);
        }
        for (int masked = 1; masked < SIGNALS; masked++) {
            CHECK_EQ(sigismember(&is->sa_mask, masked), sigismember(&was->sa_mask, masked));
        }
        if (sigismember(&before->mask, signal) != sigismember(&now->mask, signal)) {
            FAIL("signal %d was blocked or let through", signal);
        }
        if (sigismember(&before->pending, signal) != sigismember(&now->pending, signal)) {
            FAIL("signal %d is pending", signal);
        }
    }
    CHECK(before->stack.ss_sp == now->stack.ss_sp);
    CHECK_TEXT(now->locale, before->locale);
    CHECK(before->environment == now->environment && before->first_variable == now->first_variable);
    CHECK_TEXT(now->folder, before->folder);
    CHECK_EQ(now->umask, before->umask);
    CHECK_EQ(now->session, before->session);
    CHECK_EQ(now->group, before->group);
    CHECK_EQ(now->priority, before->priority);
    CHECK(memcmp(before->limits, now->limits, sizeof before->limits) == 0);
    CHECK_EQ(now->timer.it_interval.tv_sec, before->timer.it_interval.tv_sec);
    for (int stream = 0; stream < 3; stream++) {
        CHECK_EQ(now->flags[stream], before->flags[stream]);
    }
}

/* Makes the process as peculiar as hosts may be. */
static void become_peculiar(void) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);
    sigaddset(&mask, SIGRTMIN + 3);
    action.sa_mask = mask;
    for (int signal = 1; signal < SIGNALS; signal++) {
        bool is_a_fault = signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE ||
                          signal == SIGABRT || signal == SIGTRAP || signal == SIGSYS;
        if (!is_a_fault) {
            (void)sigaction(signal, &action, NULL); /* KILL, STOP and the C library's own cannot be had */
        }
    }
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &mask, NULL), 0);
    CHECK(setlocale(LC_ALL, "C.UTF-8") != NULL || setlocale(LC_ALL, "C") != NULL);
    umask(0137);
}

/* Empties the environment, but for what tells how patient this test is to be. */
static void become_poor(void) {
    static const char *const kept[] = {"MCP_TEST_SCALE", "MCP_UNDER_VALGRIND"};
    char *values[2];
    for (int i = 0; i < 2; i++) {
        values[i] = getenv(kept[i]) != NULL ? format("%s", getenv(kept[i])) : NULL;
    }
    CHECK_EQ(clearenv(), 0);
    for (int i = 0; i < 2; i++) {
        CHECK(values[i] == NULL || setenv(kept[i], values[i], 1) == 0);
        free(values[i]);
    }
}

static pid_t own_child(void) {
    pid_t child = fork();
    if (child == 0) {
        _exit(7);
    }
    CHECK_GE(child, 1);
    return child;
}

/* It ended with 7, and nothing else has waited for it. */
static void check_child(pid_t child) {
    int status = 0;
    pid_t waited;
    do {
        waited = waitpid(child, &status, 0);
    } while (waited < 0 && errno == EINTR);
    CHECK_EQ(waited, child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void use_pipes(const char *example, const char *scripted) {
    mcp_client_t *client = connected(example, NULL, "\"reconnect\":{\"initial_ms\":10},\"when_unavailable\":\"wait\"");
    check_echo(client, "h\xc3\xa9");
    mcp_message_t *reply = call_tool(client, "add", "{\"a\":0.1,\"b\":0.2}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    mcp_message_free(call_tool(client, "crash", NULL, NULL));
    check_echo(client, "again");
    close_and_free(client);
    /* Killed in the end, and written to when it is dead. */
    client = connected(scripted, ARGS("ignore-eof,ignore-term"), "\"timeouts\":{\"exit_ms\":50,\"term_ms\":50}");
    check_echo(client, "x");
    close_and_free(client);
    client = connected(scripted, NULL, "\"reconnect\":false");
    mcp_message_free(call_tool(client, "crash", "{\"signal\":11}", NULL));
    mcp_message_free(call_tool(client, "echo", "{\"text\":\"x\"}", NULL));
    close_and_free(client);
    client = new_client("/no/such/program", NULL, "\"reconnect\":false");
    CHECK_STATUS(mcp_client_connect(client, patience(), NULL), MCP_ERROR_TRANSPORT);
    close_and_free(client);
}

static void use_http(const char *path) {
    struct server server = start_server(path, NULL);
    const char *const eras[] = {LEGACY, MODERN};
    for (int i = 0; i < 2; i++) {
        mcp_client_t *client = connected_to(&server, eras[i]);
        check_echo(client, "over HTTP");
        mcp_message_free(call_fault(client, "reset", "{\"timeout_ms\":2000}"));
        check_fine(client, "sse");
        close_and_free(client);
    }
    stop_server(&server);
    mcp_client_t *client = client_at(&(struct server){.port = 9}, "/mcp", "\"reconnect\":false");
    CHECK_STATUS(mcp_client_connect(client, patience(), NULL), MCP_ERROR_TRANSPORT);
    close_and_free(client);
}

static void use_socket(void) {
    struct line_server server = {0};
    char *name = socket_name("hygiene");
    char *address = format("unix:%s", name);
    line_server_on_unix(&server, name);
    mcp_client_t *client = socket_client(address, "\"reconnect\":false");
    connect_client(client);
    check_echo(client, "over a socket");
    line_server_stop(&server);
    mcp_message_free(call_tool(client, "echo", "{\"text\":\"x\"}", NULL));
    close_and_free(client);
    free(address);
    free(name);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    become_poor();
    become_peculiar();
    struct holdings holdings = holdings_now();
    struct self before = self_now();
    pid_t child = own_child();
    UNTIL(atomic_load(&handled[SIGCHLD]) == 1);
    use_pipes(argv[1], argv[2]);
    check_child(child);
    struct self now = self_now();
    check_same(&before, &now);
    child = own_child();
    use_http(argv[3]);
    use_socket();
    now = self_now();
    check_same(&before, &now);
    check_child(child);
    for (int signal = 1; signal < SIGNALS; signal++) {
        if (signal != SIGCHLD && atomic_load(&handled[signal]) != 0) {
            FAIL("the host's handler of signal %d ran %d times", signal, atomic_load(&handled[signal]));
        }
    }
    check_nothing_left(holdings);
    return 0;
}

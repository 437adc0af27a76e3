/*
 * A host that ends without closing its clients, and a server under a debugger.
 */
#include "check.h"

#include <sys/ptrace.h>

/*
 * A program that ends without closing its clients (returns from main, calls _exit, is killed) ends promptly,
 * with its own exit status, and its server does not outlive it.
 */
enum ending { BY_EXIT, BY_UNDERSCORE_EXIT, BY_KILL };

/* The life of the careless program: it tells its server's pid and ends with calls under way. */
static void be_careless(const char *server, enum ending ending, int tell) {
    mcp_client_t *client = connected(server, NULL, NULL);
    pid_t pid = server_pid(client);
    start_tool(client, "slow", "{\"ms\":3600000}", NULL, 1);
    CHECK_EQ(write(tell, &pid, sizeof pid), sizeof pid);
    if (ending == BY_EXIT) {
        exit(7);
    }
    if (ending == BY_UNDERSCORE_EXIT) {
        _exit(7);
    }
    (void)raise(SIGKILL);
}

static void check_ending(const char *server, enum ending ending) {
    int ends[2];
    pid_t pid = 0;
    int status = 0;
    CHECK_EQ(pipe2(ends, O_CLOEXEC), 0);
    fflush(NULL);
    pid_t careless = fork();
    CHECK_GE(careless, 0);
    if (careless == 0) {
        be_careless(server, ending, ends[1]);
        _exit(1);
    }
    close(ends[1]);
    CHECK_EQ(read(ends[0], &pid, sizeof pid), sizeof pid);
    long long begin = now_ms();
    CHECK_EQ(waitpid(careless, &status, 0), careless);
    CHECK_LE(now_ms() - begin, 1000 + slack());
    if (ending == BY_KILL) {
        CHECK(WIFSIGNALED(status));
    } else {
        CHECK(WIFEXITED(status));
        CHECK_EQ(WEXITSTATUS(status), 7);
    }
    UNTIL(!process_runs(pid));
    close(ends[0]);
}

static void exit_without_close_leaves_no_child(char **argv) {
    check_ending(argv[1], BY_EXIT);
    check_ending(argv[1], BY_UNDERSCORE_EXIT);
    check_ending(argv[1], BY_KILL);
}

/*
 * A server that is traced, by a debugger say, and ends: its tracer gets the exit status first, and as long as
 * it does not take it the server can be neither reaped nor killed any further. Closing says MCP_ERROR_TIMEOUT within
 * its bound, freeing returns too, and neither burns the processor while it waits.
 */
static long long cpu_ms(void) {
    struct timespec used;
    CHECK_EQ(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used), 0);
    return (long long)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* A process that traces the server and never waits for it; 0 if that is not permitted. */
static pid_t trace(pid_t server) {
    int ends[2];
    int failed = 0;
    CHECK_EQ(pipe2(ends, O_CLOEXEC), 0);
    pid_t tracer = fork();
    CHECK_GE(tracer, 0);
    if (tracer == 0) {
        alarm(120); /* whatever becomes of the test */
        failed = ptrace(PTRACE_SEIZE, server, NULL, NULL) == 0 ? 0 : errno;
        if (write(ends[1], &failed, sizeof failed) != sizeof failed) {
            _exit(1);
        }
        close(ends[0]);
        close(ends[1]);
        for (;;) {
            pause();
        }
    }
    close(ends[1]);
    CHECK_EQ(read(ends[0], &failed, sizeof failed), sizeof failed);
    close(ends[0]);
    if (failed != 0) {
        CHECK_EQ(kill(tracer, SIGKILL), 0);
        CHECK_EQ(waitpid(tracer, NULL, 0), tracer);
        return 0;
    }
    return tracer;
}

static void a_traced_server_is_closed_within_the_bound(char **argv) {
    struct holdings before = holdings_now();
    mcp_client_t *client = connected(argv[1], NULL, "\"timeouts\":{\"close_ms\":400}");
    pid_t server = server_pid(client);
    pid_t tracer = trace(server);
    if (tracer == 0) {
        fprintf(stderr, "skipped: tracing is not permitted here\n");
        close_and_free(client);
        return;
    }
    check_echo(client, "traced and well");

    long long begin = now_ms();
    long long used = cpu_ms();
    CHECK_STATUS(mcp_client_close(client, -1), MCP_ERROR_TIMEOUT);
    CHECK_LE(now_ms() - begin, 900 + slack());
    CHECK(!process_runs(server));
    begin = now_ms();
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_LE(now_ms() - begin, 900 + slack());
    CHECK_LE(cpu_ms() - used, 300 + (scale() > 1 ? slack() : 0));

    CHECK_EQ(kill(tracer, SIGKILL), 0);
    CHECK_EQ(waitpid(tracer, NULL, 0), tracer);
    (void)waitpid(server, NULL, 0); /* nothing else can any more */
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    exit_without_close_leaves_no_child(argv);
    a_traced_server_is_closed_within_the_bound(argv);
    return 0;
}

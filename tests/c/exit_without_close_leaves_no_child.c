/*
 * A program that ends without closing its clients (returns from main, calls _exit, is killed) ends promptly,
 * with its own exit status, and its server does not outlive it.
 */
#include "check.h"

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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_ending(argv[1], BY_EXIT);
    check_ending(argv[1], BY_UNDERSCORE_EXIT);
    check_ending(argv[1], BY_KILL);
    return 0;
}

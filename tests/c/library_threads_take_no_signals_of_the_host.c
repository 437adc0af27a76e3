/*
 * All signals are blocked in the library's threads, so that a handler of the host runs on the host's threads
 * only. The mask of the thread that calls the library is as it was afterwards. When no thread of the host is left,
 * a signal that ends a process ends this one all the same, or its handler runs; one that waits for a thread of the
 * host is left to it.
 */
#include "check.h"

#include <sys/resource.h>

/* A line of a thread's status that holds a bit mask, such as "SigBlk:". */
static unsigned long long mask_of(const char *task, const char *name) {
    char path[300];
    char line[256];
    unsigned long long mask = 0;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", task);
    FILE *status = fopen(path, "re");
    CHECK(status != NULL);
    while (fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) {
            mask = strtoull(line + strlen(name), NULL, 16);
        }
    }
    fclose(status);
    return mask;
}

static void check_library_threads(void) {
    static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGALRM, SIGUSR1,
                                  SIGUSR2, SIGCHLD, SIGPIPE, SIGPROF};
    char own[32];
    snprintf(own, sizeof own, "%ld", (long)getpid());
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    CHECK(tasks != NULL);
    while ((task = readdir(tasks)) != NULL) {
        if (task->d_name[0] == '.' || strcmp(task->d_name, own) == 0) {
            continue;
        }
        unsigned long long blocked = mask_of(task->d_name, "SigBlk:");
        for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
            if ((blocked >> (signals[i] - 1) & 1) == 0) {
                FAIL("thread %s does not block signal %d", task->d_name, signals[i]);
            }
        }
    }
    closedir(tasks);
}

static void exit_with_number(int number) { _exit(number); }

static void *wait_for_signal(void *signals) {
    int number = 0;
    CHECK_EQ(sigwait(signals, &number), 0);
    _exit(100 + number);
}

enum last { ENDED, HANDLED, AWAITED };

/* A child whose first thread ends while `what` is there; with a thread that waits for the signal, or none of its own. */
static void check_last_thread(const char *command, bool with_server, int number, enum last what) {
    int told[2];
    CHECK_EQ(pipe(told), 0);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        static sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, number);
        CHECK_EQ(setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}), 0);
        CHECK(signal(number, what == HANDLED ? exit_with_number : SIG_DFL) != SIG_ERR);
        if (what == AWAITED) {
            CHECK_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
            start_thread(wait_for_signal, &set);
        }
        if (with_server) {
            mcp_server_t *server = NULL;
            CHECK_STATUS(mcp_server_new("{\"name\":\"s\"}", NULL, &server, NULL), MCP_OK);
            CHECK_STATUS(mcp_server_serve(server, "{\"socket\":\"tcp:127.0.0.1:0\"}", NULL, NULL), MCP_OK);
        } else {
            connected(command, NULL, NULL);
        }
        CHECK_EQ(write(told[1], "x", 1), 1);
        pthread_exit(NULL);
    }
    char byte = 0;
    CHECK_EQ(read(told[0], &byte, 1), 1);
    UNTIL(!process_runs(child)); /* its first thread has ended */
    CHECK_EQ(kill(child, number), 0);
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (what == ENDED) {
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == number);
    } else {
        CHECK(WIFEXITED(status));
        CHECK_EQ(WEXITSTATUS(status), what == HANDLED ? number : 100 + number);
    }
    close(told[0]);
    close(told[1]);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    sigset_t before;
    sigset_t after;
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &before), 0);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    start_tool(client, "slow", "{\"ms\":100}", NULL, 1);
    UNTIL(count_threads() >= 2);
    check_library_threads();
    mcp_message_free(next_of_kind(client, MCP_KIND_REPLY));
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
    for (int number = 1; number < 32; number++) {
        CHECK_EQ(sigismember(&after, number), sigismember(&before, number));
    }
    close_and_free(client);
    if (scale() > 1) {
        return 0; /* sanitizers and valgrind have threads of their own, or take signals themselves */
    }
    static const int ending[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < 2 * sizeof ending / sizeof ending[0]; i++) {
        check_last_thread(argv[1], i % 2 == 1, ending[i / 2], ENDED);
    }
    check_last_thread(argv[1], false, SIGTERM, HANDLED);
    check_last_thread(argv[1], false, SIGTERM, AWAITED);
    return 0;
}

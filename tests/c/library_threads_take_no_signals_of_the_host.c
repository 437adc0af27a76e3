/*
 * All signals are blocked in the library's threads, so that a handler of the host runs on the host's threads
 * only. The mask of the thread that calls the library is as it was afterwards.
 */
#include "check.h"

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
    return 0;
}

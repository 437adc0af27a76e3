/*
 * A host that guards a lock of its own with pthread_atfork, and holds it while it waits for the library: starting
 * a server runs none of the host's handlers, so nothing waits for that lock.
 */
/* tsan: skip compiled for it the library forks with the handlers, the only way its runtime survives in the child */
#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t runs;

static void before_fork(void) {
    runs++;
    pthread_mutex_lock(&lock);
}

static void after_fork(void) {
    runs++;
    pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    CHECK_EQ(pthread_atfork(before_fork, after_fork, after_fork), 0);
    CHECK_EQ(pthread_mutex_lock(&lock), 0);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    check_echo(client, "with the lock held");
    close_and_free(client);
    CHECK_EQ(pthread_mutex_unlock(&lock), 0);
    CHECK_EQ(runs, 0);
    check_nothing_left(before);
    return 0;
}

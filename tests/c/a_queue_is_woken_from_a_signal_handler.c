/*
 * A signal handler of the host calls mcp_queue_wake, whatever the interrupted thread is doing in the library:
 * sleeping in mcp_queue_poll, calling, polling, starting and freeing, or freeing the very queue. Nothing
 * deadlocks, no wake is lost, errno stays as it was, and a handle that was freed, or belongs to the parent of
 * this process, gives its status.
 */
/* tsan: skip it puts off the handler of a thread that sleeps in a futex call of the library's own, perhaps for ever */
#include "check.h"

#include <sched.h>
#include <sys/time.h>

static mcp_queue_t *target; /* atomic: what the handler wakes */
static int runs;            /* atomic: how often the handler woke a live queue */
static int refusals;        /* atomic: how often the handle was refused */
static int faults;          /* atomic: other statuses, or a changed errno */

static void wake_target(int number) {
    (void)number;
    int saved = errno;
    errno = 4242;
    mcp_status_t status = mcp_queue_wake(__atomic_load_n(&target, __ATOMIC_SEQ_CST));
    bool is_kept = errno == 4242;
    errno = saved;
    int *counted = status == MCP_OK                 ? &runs
                   : status == MCP_ERROR_INVALID_ARGUMENT ? &refusals
                                                    : &faults;
    __atomic_fetch_add(is_kept ? counted : &faults, 1, __ATOMIC_SEQ_CST);
}

static int seen(int *counter) { return __atomic_load_n(counter, __ATOMIC_SEQ_CST); }

static void aim_at(mcp_queue_t *queue) { __atomic_store_n(&target, queue, __ATOMIC_SEQ_CST); }

static mcp_queue_t *new_queue(void) {
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    return queue;
}

/* SIGALRM comes to the main thread: all others are started with it blocked. One that blocked it itself could get the first
 * one, and then run the handler beside the main thread, not within it. */
static pthread_t start_without_ticks(void *(*run)(void *), void *argument) {
    sigset_t ticks, before;
    sigemptyset(&ticks);
    sigaddset(&ticks, SIGALRM);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &ticks, &before), 0);
    pthread_t thread = start_thread(run, argument);
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
    return thread;
}

static void tick(bool on) {
    suseconds_t period = on ? 300 * scale() : 0;
    struct itimerval often = {.it_interval = {0, period}, .it_value = {0, period}};
    CHECK_EQ(setitimer(ITIMER_REAL, &often, NULL), 0);
}

/* ---- the interrupted thread sleeps ------------------------------------------------------- */

struct wakes {
    pthread_t sleeper;
    int wanted; /* atomic: signals to send so far; negative ends */
};

static void *signal_once_each(void *argument) {
    struct wakes *wakes = argument;
    int sent = 0;
    for (;;) {
        int wanted = seen(&wakes->wanted);
        if (wanted < 0) {
            return NULL;
        }
        if (sent == wanted) {
            sched_yield();
            continue;
        }
        /* Sweeps over the moments before, at and in the sleep. */
        for (volatile int spin = sent % 64 * 300; spin > 0; spin--) {
        }
        CHECK_EQ(pthread_kill(wakes->sleeper, SIGUSR1), 0);
        sent++;
    }
}

/* Each of many wakes, one after the other, ends one wait. */
static void check_sleeping(mcp_queue_t *queue) {
    struct wakes wakes = {.sleeper = pthread_self()};
    mcp_message_t *message = NULL;
    int before = seen(&runs);
    aim_at(queue);
    pthread_t sender = start_without_ticks(signal_once_each, &wakes);
    int rounds = scaled(4000, 20);
    for (int round = 1; round <= rounds; round++) {
        __atomic_store_n(&wakes.wanted, round, __ATOMIC_SEQ_CST);
        CHECK_STATUS(mcp_queue_poll(queue, round % 2 == 0 ? -1 : patience(), &message), MCP_WOKEN);
    }
    __atomic_store_n(&wakes.wanted, -1, __ATOMIC_SEQ_CST);
    join_thread(sender);
    CHECK_EQ(seen(&runs) - before, rounds);
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_EMPTY);

    before = seen(&runs);
    tick(true);
    for (int round = 0; round < scaled(300, 10); round++) {
        CHECK_STATUS(mcp_queue_poll(queue, -1, &message), MCP_WOKEN);
    }
    tick(false);
    CHECK_GE(seen(&runs) - before, scaled(300, 10));
    while (mcp_queue_poll(queue, 0, &message) == MCP_WOKEN) {
    }
}

static void *wait_to_be_woken(void *argument) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_poll(__atomic_load_n(&target, __ATOMIC_SEQ_CST), patience(), &message), MCP_WOKEN);
    __atomic_fetch_add((int *)argument, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

/* A handler on one thread ends the waits of others, one with each wake. */
static void check_other_threads(mcp_queue_t *queue) {
    enum { WAITS = 4 };
    pthread_t threads[WAITS];
    mcp_message_t *message = NULL;
    int over = 0; /* atomic */
    aim_at(queue);
    for (int i = 0; i < WAITS; i++) {
        threads[i] = start_thread(wait_to_be_woken, &over);
    }
    for (int i = 1; i <= WAITS; i++) {
        CHECK_EQ(raise(SIGUSR1), 0);
        UNTIL(seen(&over) == i);
    }
    for (int i = 0; i < WAITS; i++) {
        join_thread(threads[i]);
    }
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_EMPTY);
}

/* ---- the interrupted thread is in the middle of the library ------------------------------ */

struct storm {
    pthread_t victim;
    bool ends; /* atomic */
};

static void *signal_all_the_time(void *argument) {
    struct storm *storm = argument;
    while (!__atomic_load_n(&storm->ends, __ATOMIC_SEQ_CST)) {
        int before = seen(&runs) + seen(&refusals) + seen(&faults);
        CHECK_EQ(pthread_kill(storm->victim, SIGUSR1), 0);
        /* One at a time: a thread that did nothing but run handlers would not be in the library. */
        while (seen(&runs) + seen(&refusals) + seen(&faults) == before &&
               !__atomic_load_n(&storm->ends, __ATOMIC_SEQ_CST)) {
        }
        for (volatile int spin = before % 97 * 10; spin > 0; spin--) {
        }
    }
    return NULL;
}

static pthread_t begin_storm(struct storm *storm) {
    *storm = (struct storm){.victim = pthread_self()};
    pthread_t thread = start_without_ticks(signal_all_the_time, storm);
    tick(true);
    return thread;
}

static void end_storm(struct storm *storm, pthread_t thread) {
    tick(false);
    __atomic_store_n(&storm->ends, true, __ATOMIC_SEQ_CST);
    join_thread(thread);
}

/* Takes everything. A wake between the last look and this one must be seen. */
static void take_all(mcp_queue_t *queue, int *looked) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    int before = seen(&runs);
    while ((status = mcp_queue_poll(queue, 0, &message)) == MCP_OK) {
        CHECK_STATUS(mcp_message_free(message), MCP_OK);
    }
    CHECK(status == MCP_WOKEN || (status == MCP_EMPTY && before == *looked));
    *looked = status == MCP_WOKEN ? seen(&runs) : before;
}

static bool is_readable(int fd) {
    struct pollfd look = {.fd = fd, .events = POLLIN};
    int count;
    do {
        count = poll(&look, 1, 0);
    } while (count < 0 && errno == EINTR);
    CHECK_GE(count, 0);
    return count > 0;
}

static void check_in_the_middle(mcp_queue_t *queue, const char *server, bool with_descriptor) {
    mcp_message_t *message = NULL;
    mcp_client_t *client = new_client_on(queue, server, NULL, NULL);
    connect_client(client);
    int fd = with_descriptor ? mcp_queue_fd(queue) : -1;
    aim_at(queue);
    int looked = seen(&runs);
    int before = looked;
    struct storm storm;
    pthread_t thread = begin_storm(&storm);
    long long deadline = now_ms() + patience();
    /* A busy machine may run the thread that sends signals rarely. */
    for (int round = 0;
         round < scaled(2000, 10) || (seen(&runs) - before < scaled(500, 5) && now_ms() < deadline); round++) {
        check_echo(client, "interrupted");
        start_tool(client, "echo", "{\"text\":\"x\"}", NULL, 1);
        take_all(queue, &looked);
        mcp_status_t status = mcp_queue_poll(queue, patience(), &message); /* the outcome, or a wake */
        CHECK(status == MCP_OK || status == MCP_WOKEN);
        if (status == MCP_OK) {
            CHECK_STATUS(mcp_message_free(message), MCP_OK);
        }
        for (int look = 0; look < 20; look++) {
            looked = seen(&runs);
            take_all(queue, &looked);
        }
    }
    end_storm(&storm, thread);
    CHECK_GE(seen(&runs) - before, scaled(500, 5));

    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    while (mcp_queue_poll(queue, 0, &message) == MCP_WOKEN) {
    }
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_EMPTY);
    if (with_descriptor) {
        CHECK(!is_readable(fd));
        CHECK_EQ(raise(SIGUSR1), 0);
        CHECK(is_readable(fd));
        CHECK_STATUS(mcp_queue_poll(queue, -1, &message), MCP_WOKEN);
        CHECK(!is_readable(fd));
    }
}

/* ---- the descriptor ---------------------------------------------------------------------- */

/* Whenever a wake waits to be taken, the descriptor is readable, though looks clear it meanwhile. */
static void check_descriptor(mcp_queue_t *queue) {
    mcp_message_t *message = NULL;
    int fd = mcp_queue_fd(queue);
    CHECK_GE(fd, 0);
    aim_at(queue);
    struct storm storm;
    pthread_t thread = begin_storm(&storm);
    for (int round = 0; round < scaled(100000, 100); round++) {
        int before = seen(&runs);
        bool was_readable = is_readable(fd);
        mcp_status_t status = mcp_queue_poll(queue, 0, &message);
        CHECK(status == MCP_WOKEN || status == MCP_EMPTY);
        CHECK(status == MCP_EMPTY || was_readable || seen(&runs) != before);
    }
    end_storm(&storm, thread);
    while (mcp_queue_poll(queue, 0, &message) == MCP_WOKEN) {
    }
    CHECK(!is_readable(fd));
}

/* ---- the queue is freed meanwhile -------------------------------------------------------- */

static void check_freed_once(bool with_descriptor) {
    mcp_message_t *message = NULL;
    mcp_queue_t *freed = new_queue();
    if (with_descriptor) {
        CHECK_GE(mcp_queue_fd(freed), 0);
    }
    aim_at(freed);
    CHECK_STATUS(mcp_queue_free(freed), MCP_OK);
    /* What comes next gets none of the wakes for the one that was freed. */
    mcp_queue_t *next = new_queue();
    CHECK_NE((uintptr_t)next, (uintptr_t)freed);
    CHECK_STATUS(mcp_queue_poll(next, 0, &message), MCP_EMPTY);
    CHECK_STATUS(mcp_queue_free(next), MCP_OK);
}

static void *free_all_the_time(void *argument) {
    bool *ends = argument;
    for (int round = 0; !__atomic_load_n(ends, __ATOMIC_SEQ_CST); round++) {
        check_freed_once(round % 2 == 0);
    }
    return NULL;
}

static void check_freed(void) {
    int before = seen(&refusals);
    struct storm storm;
    mcp_queue_t *freed = new_queue();
    aim_at(freed);
    CHECK_STATUS(mcp_queue_free(freed), MCP_OK);
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(seen(&refusals), before + 1);

    /* The handler interrupts the thread that frees. */
    pthread_t thread = begin_storm(&storm);
    for (int round = 0; round < scaled(20000, 20); round++) {
        check_freed_once(round % 2 == 0);
    }
    end_storm(&storm, thread);

    /* The handler runs while another thread frees. */
    bool ends = false;
    pthread_t freeing = start_thread(free_all_the_time, &ends);
    int rounds = scaled(50000, 100);
    for (int round = 0; round < rounds; round++) {
        CHECK_EQ(raise(SIGUSR1), 0);
    }
    __atomic_store_n(&ends, true, __ATOMIC_SEQ_CST);
    join_thread(freeing);
}

/* ---- in a child of fork ------------------------------------------------------------------ */

static void check_forked(void) {
    mcp_queue_t *queue = new_queue();
    fflush(NULL);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) { /* the first call in the child */
        if (mcp_queue_wake(queue) != MCP_ERROR_FORKED) _exit(2);
        mcp_queue_t *own = NULL;
        mcp_message_t *message = NULL;
        if (mcp_queue_new(NULL, &own, NULL) != MCP_OK) _exit(3);
        if (mcp_queue_wake(queue) != MCP_ERROR_FORKED) _exit(4);
        if (mcp_queue_wake(own) != MCP_OK) _exit(5);
        if (mcp_queue_poll(own, 0, &message) != MCP_WOKEN) _exit(6);
        if (mcp_queue_free(own) != MCP_OK) _exit(7);
        if (mcp_queue_wake(own) != MCP_ERROR_INVALID_ARGUMENT) _exit(8);
        _exit(0);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_EMPTY);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct sigaction action = {.sa_handler = wake_target};
    CHECK_EQ(sigaction(SIGUSR1, &action, NULL), 0);
    CHECK_EQ(sigaction(SIGALRM, &action, NULL), 0);
    struct holdings before = holdings_now();
    mcp_queue_t *queue = new_queue();
    check_sleeping(queue);
    check_other_threads(queue);
    check_in_the_middle(queue, argv[1], false);
    check_in_the_middle(queue, argv[1], true);
    check_descriptor(queue);
    check_sleeping(queue); /* now with a descriptor */
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    check_freed();
    check_forked();
    CHECK_EQ(faults, 0);
    check_nothing_left(before);
    return 0;
}

/*
 * A signal handler of the host calls mcp_server_wake, or mcp_queue_wake for mcp_server_queue, whatever the thread in mcp_server_run or mcp_server_poll is doing, also while
 * the server is freed: the wait ends with MCP_WOKEN, no wake is lost, errno stays as it was, and what was served ends in order.
 */
/* tsan: skip it puts off the handler of a thread that sleeps in a futex call of the library's own, perhaps for ever */
#include "served.h"

#include <sys/stat.h>
#include <sys/time.h>

static mcp_server_t *target; /* atomic: what the handler wakes */
static int faults;           /* atomic: other statuses, or a changed errno */
static int calls;            /* of the thread in mcp_server_run */
static int woken;            /* atomic: ends of its waits */

static void wake_target(int number) {
    (void)number;
    int saved = errno;
    errno = 4242;
    mcp_server_t *server = __atomic_load_n(&target, __ATOMIC_SEQ_CST);
    /* Both ways of a program, in turn. */
    static int times;
    mcp_status_t status = ++times % 2 != 0 ? mcp_server_wake(server) : mcp_queue_wake(mcp_server_queue(server));
    if (errno != 4242 || (status != MCP_OK && status != MCP_ERROR_INVALID_ARGUMENT)) {
        __atomic_fetch_add(&faults, 1, __ATOMIC_SEQ_CST);
    }
    errno = saved;
}

static void aim_at(mcp_server_t *server) { __atomic_store_n(&target, server, __ATOMIC_SEQ_CST); }

static void tick(bool on) {
    suseconds_t period = on ? 500 * scale() : 0;
    struct itimerval often = {.it_interval = {0, period}, .it_value = {0, period}};
    CHECK_EQ(setitimer(ITIMER_REAL, &often, NULL), 0);
}

static void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    calls++;
    CHECK_STATUS(mcp_request_respond_text(request, "hello", false, NULL), MCP_OK);
    mcp_message_free(request);
}

/* Calls until the server is gone; each call ends. */
static void *call_on(void *path) {
    mcp_client_t *client = client_at(path, NULL);
    for (mcp_status_t status = MCP_OK; status == MCP_OK;) {
        mcp_message_t *reply = NULL;
        status = mcp_client_call_tool(client, "hello", NULL, NULL, &reply);
        mcp_message_free(reply);
    }
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    return NULL;
}

static mcp_server_t *served(const char *path) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("hello"), on_hello, NULL);
    serve_at(server, path);
    return server;
}

/* The five lines of a program: the handler wakes, the thread in `run` frees. */
static void check_end(void) {
    char *path = new_path();
    mcp_server_t *server = served(path);
    aim_at(server);
    CHECK_EQ(kill(getpid(), SIGALRM), 0);
    CHECK_STATUS(mcp_server_run(server, -1), MCP_WOKEN);
    CHECK_STATUS(mcp_server_run(server, 0), MCP_EMPTY);
    CHECK_EQ(kill(getpid(), SIGALRM), 0);
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_server_poll(server, -1, &message), MCP_WOKEN);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    struct stat found;
    CHECK(stat(path, &found) != 0 && errno == ENOENT);
    CHECK_STATUS(mcp_server_wake(server), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_wake(NULL), MCP_ERROR_INVALID_ARGUMENT);
    remove_path(path);
}

static void check_any_moment(void) {
    sigset_t ticks, before;
    sigemptyset(&ticks);
    sigaddset(&ticks, SIGALRM);
    for (int round = 0; round < 5; round++) {
        char *path = new_path();
        mcp_server_t *server = served(path);
        /* The handler is to run on this thread, in the middle of what it does. */
        CHECK_EQ(pthread_sigmask(SIG_BLOCK, &ticks, &before), 0);
        pthread_t caller = start_thread(call_on, path);
        CHECK_EQ(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
        aim_at(server);
        tick(true);
        calls = 0;
        for (int woken = 0; woken < 100 || calls == 0; woken++) {
            CHECK_STATUS(mcp_server_run(server, -1), MCP_WOKEN);
        }
        CHECK_STATUS(mcp_server_free(server), MCP_OK);
        tick(false);
        join_thread(caller);
        remove_path(path);
    }
    CHECK_EQ(__atomic_load_n(&faults, __ATOMIC_SEQ_CST), 0);
}

static void *run_until_it_is_none(void *server) {
    mcp_status_t status = MCP_WOKEN;
    while ((status = mcp_server_run(server, -1)) == MCP_WOKEN) {
        __atomic_fetch_add(&woken, 1, __ATOMIC_SEQ_CST);
    }
    CHECK_STATUS(status, MCP_ERROR_CLOSED);
    return NULL;
}

/* Another thread wakes, which interrupts no system call of the one that waits on its descriptors. */
static void check_another_thread(mcp_server_t *server) {
    __atomic_store_n(&woken, 0, __ATOMIC_SEQ_CST);
    pthread_t runner = start_thread(run_until_it_is_none, server);
    for (int round = 1; round <= 50; round++) {
        CHECK_STATUS(round % 2 != 0 ? mcp_server_wake(server) : mcp_queue_wake(mcp_server_queue(server)), MCP_OK);
        UNTIL(__atomic_load_n(&woken, __ATOMIC_SEQ_CST) == round);
    }
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(runner);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

/* On a queue that several share, and in a child of fork(). */
static void check_others(void) {
    mcp_queue_t *queue = NULL;
    mcp_server_t *server = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\"}", queue, &server, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_wake(server), MCP_OK);
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_poll(queue, -1, &message), MCP_WOKEN);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        end_child(mcp_server_wake(server) == MCP_ERROR_FORKED ? 0 : 1);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

int main(void) {
    struct holdings held = holdings_now();
    struct sigaction action = {.sa_handler = wake_target, .sa_flags = SA_RESTART};
    CHECK_EQ(sigaction(SIGALRM, &action, NULL), 0);
    check_end();
    check_any_moment();
    check_others();
    char *path = new_path();
    check_another_thread(served(path));
    remove_path(path);
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    CHECK_STATUS(mcp_server_serve(server, "{\"url\":\"http://127.0.0.1:0/mcp\"}", NULL, NULL), MCP_OK);
    check_another_thread(server);
    check_nothing_left(held);
    return 0;
}

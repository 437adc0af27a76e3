/*
 * A process that used the library forks. In the child the handles of the parent are refused, and everything else works
 * from the start: clients over pipes and HTTP, queues, the descriptor, the ready function, the logger. That holds after
 * plain fork, also when every client was freed before; while other threads call, make and free clients; for a daemon that
 * forks twice and closes all descriptors; for workers that are forked beforehand; and for the child of a child. A program
 * that the child becomes with exec is not affected. The parent notices nothing.
 */
/* tsan: skip its runtime refuses to start a thread in the child of a program with several threads */
#include "http.h"

#include <sys/prctl.h>

static struct server server;
static char **paths;

/* ---- what a process does with the library ---------------------------------------------------- */

static void count_record(void *user, int32_t level, const char *record) {
    (void)level;
    CHECK(json_has(record, "/event"));
    __atomic_add_fetch((int *)user, 1, __ATOMIC_SEQ_CST);
}

static void count_ready(void *user) { __atomic_add_fetch((int *)user, 1, __ATOMIC_SEQ_CST); }

static void use_pipes(void) {
    mcp_client_t *client = connected(paths[1], NULL, NULL);
    check_echo(client, "over pipes");
    CHECK_GE(mcp_client_fd(client), 0);
    start_tool(client, "echo", "{\"text\":\"later\"}", NULL, 5);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), 5);
    CHECK_TEXT(mcp_message_text(reply, NULL), "later");
    CHECK(mcp_message_client(reply) == client);
    CHECK_STATUS(mcp_message_free(reply), MCP_OK);
    close_and_free(client);
    CHECK_STATUS(mcp_client_free(client), MCP_ERROR_INVALID_ARGUMENT); /* our own, and not the parent's */
}

static void use_http(const char *era) {
    mcp_client_t *client = connected_to(&server, era);
    check_echo(client, "over HTTP");
    close_and_free(client);
}

static void use_shared_queue(void) {
    static int ready;
    mcp_queue_t *queue = NULL;
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_on_ready(queue, count_ready, &ready, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, paths[1], NULL, NULL);
    connect_client(client);
    start_tool(client, "echo", "{\"text\":\"shared\"}", NULL, 6);
    do {
        mcp_message_free(message);
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
    } while (mcp_message_kind(message) != MCP_KIND_REPLY);
    mcp_message_free(message);
    UNTIL(__atomic_load_n(&ready, __ATOMIC_SEQ_CST) > 0);
    close_and_free(client);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void use_all(void) {
    int records = 0;
    struct holdings before = holdings_now();
    CHECK_STATUS(mcp_log_set_logger(count_record, MCP_LOG_DEBUG, &records, NULL), MCP_OK);
    use_pipes();
    use_http(MODERN);
    use_http(LEGACY);
    use_shared_queue();
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    CHECK_GE(__atomic_load_n(&records, __ATOMIC_SEQ_CST), 1);
    check_nothing_left(before);
}

/* ---- children ---------------------------------------------------------------------------------- */

/* A fork whose child ends when it hangs, or its parent fails. */
static pid_t fork_child(void) {
    fflush(NULL);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        alarm(50);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
    return child;
}

static void leave_child(void) {
    if (scale() > 1) end_child(0);
    exit(0); /* with all that runs at exit */
}

static void await_child(pid_t child) {
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        FAIL("the child ended with %s %d", WIFSIGNALED(status) ? "signal" : "status",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
}

static void in_child(void (*body)(void)) {
    pid_t child = fork_child();
    if (child == 0) {
        body();
        leave_child();
    }
    await_child(child);
}

static mcp_client_t *parents_client;
static mcp_queue_t *parents_queue;
static mcp_message_t *parents_message;

static void refuse_the_parents(void) {
    mcp_message_t *reply = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_call(parents_client, "tools/list", NULL, NULL, &reply), MCP_ERROR_FORKED);
    CHECK(reply == NULL);
    CHECK_STATUS(mcp_client_connect(parents_client, 100, &error), MCP_ERROR_FORKED);
    CHECK(json_has(error, "/message"));
    mcp_string_free(error);
    CHECK_STATUS(mcp_queue_poll(parents_queue, -1, &reply), MCP_ERROR_FORKED);
    CHECK_STATUS(mcp_client_close(parents_client, 100), MCP_ERROR_FORKED);
    CHECK_STATUS(mcp_client_free(parents_client), MCP_ERROR_FORKED);
    CHECK_STATUS(mcp_queue_free(parents_queue), MCP_ERROR_FORKED);
    CHECK(mcp_message_json(parents_message, NULL) != NULL);
    CHECK_STATUS(mcp_message_free(parents_message), MCP_ERROR_FORKED);
}

static void refuse_and_use(void) {
    refuse_the_parents();
    use_all();
    refuse_the_parents(); /* now, too, that there are handles of our own */
}

static void use_in_a_grandchild(void) {
    mcp_client_t *client = connected(paths[1], NULL, NULL);
    pid_t child = fork_child();
    if (child == 0) {
        CHECK_STATUS(mcp_client_close(client, 0), MCP_ERROR_FORKED);
        refuse_and_use();
        leave_child();
    }
    await_child(child);
    check_echo(client, "the child in the middle goes on");
    close_and_free(client);
}

/* Becomes this program again, which knows nothing of clients of its forefathers. */
static void become_another_program(void) {
    char port[16];
    char control_port[16];
    snprintf(port, sizeof port, "%d", server.port);
    snprintf(control_port, sizeof control_port, "%d", server.control);
    execl(paths[0], paths[0], paths[1], paths[2], paths[3], port, control_port, (char *)NULL);
    FAIL("no exec: %s", strerror(errno));
}

/* A daemon as it is in books: two forks, a session of its own, every descriptor closed. */
static void become_a_daemon(void) {
    int ends[2];
    CHECK_EQ(pipe(ends), 0);
    pid_t child = fork_child();
    if (child == 0) {
        CHECK_GE(setsid(), 0);
        pid_t daemon = fork_child();
        if (daemon != 0) {
            leave_child();
        }
        prctl(PR_SET_PDEATHSIG, 0); /* its parent ends at once */
        for (int number = 3; number < 1024; number++) {
            if (number != ends[1]) {
                close(number);
            }
        }
        refuse_and_use();
        CHECK_EQ(write(ends[1], "d", 1), 1);
        leave_child();
    }
    char done = 0;
    close(ends[1]);
    await_child(child);
    CHECK_EQ(read(ends[0], &done, 1), 1);
    close(ends[0]);
}

/* ---- workers ------------------------------------------------------------------------------------ */

#define WORKERS 8

static void *use_both(void *unused) {
    use_pipes();
    use_http("\"protocol\":\"auto\"");
    return unused;
}

static void fork_workers(void) {
    pid_t workers[WORKERS];
    int count = scaled(WORKERS, 2);
    for (int i = 0; i < count; i++) {
        workers[i] = fork_child();
        if (workers[i] == 0) {
            /* The first use of the library in this process, by two threads at once. */
            pthread_t other = start_thread(use_both, NULL);
            use_both(NULL);
            join_thread(other);
            refuse_the_parents();
            leave_child();
        }
    }
    for (int i = 0; i < count; i++) {
        await_child(workers[i]);
    }
}

/* ---- forks at any moment ------------------------------------------------------------------------- */

static bool stop; /* atomic */

static bool is_over(void) { return __atomic_load_n(&stop, __ATOMIC_SEQ_CST); }

static void *call_and_call(void *client) {
    while (!is_over()) {
        check_echo(client, "meanwhile");
    }
    return NULL;
}

static void *make_and_free(void *unused) {
    while (!is_over()) {
        mcp_client_t *pipes = new_client("/bin/true", NULL, NULL);
        mcp_client_t *http = client_at(&server, "/mcp", NULL);
        CHECK_STATUS(mcp_client_free(http), MCP_OK);
        CHECK_STATUS(mcp_client_free(pipes), MCP_OK);
        breathe();
    }
    return unused;
}

static void *log_and_log(void *unused) {
    static int records;
    while (!is_over()) {
        CHECK_STATUS(mcp_log_set_logger(count_record, MCP_LOG_TRACE, &records, NULL), MCP_OK);
        CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    }
    return unused;
}

static void fork_while_others_call(void) {
    mcp_client_t *pipes = connected(paths[1], NULL, NULL);
    mcp_client_t *http = connected_to(&server, MODERN);
    pthread_t threads[] = {start_thread(call_and_call, pipes), start_thread(call_and_call, pipes),
                           start_thread(call_and_call, http), start_thread(make_and_free, NULL),
                           start_thread(log_and_log, NULL)};
    for (int i = 0; i < scaled(30, 2); i++) {
        in_child(i % 10 == 0 ? refuse_and_use : use_pipes);
    }
    __atomic_store_n(&stop, true, __ATOMIC_SEQ_CST);
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        join_thread(threads[i]);
    }
    check_echo(pipes, "the parent goes on");
    check_echo(http, "the parent goes on");
    close_and_free(pipes);
    close_and_free(http);
}

int main(int argc, char **argv) {
    paths = argv;
    if (argc == 6) {
        server = (struct server){.port = atoi(argv[4]), .control = atoi(argv[5])};
        use_all();
        return 0;
    }
    CHECK_EQ(argc, 4);
    server = start_server(argv[3], NULL);
    CHECK_STATUS(mcp_queue_new(NULL, &parents_queue, NULL), MCP_OK);
    parents_client = new_client_on(parents_queue, argv[1], NULL, NULL);
    connect_client(parents_client);
    parents_message = call_tool(parents_client, "pid", NULL, NULL);
    in_child(refuse_and_use);
    in_child(become_another_program);
    in_child(use_in_a_grandchild);
    become_a_daemon();
    fork_workers();
    fork_while_others_call();

    check_echo(parents_client, "the parent goes on");
    CHECK_STATUS(mcp_message_free(parents_message), MCP_OK);
    CHECK_STATUS(mcp_client_free(parents_client), MCP_OK);
    CHECK_STATUS(mcp_queue_free(parents_queue), MCP_OK);
    in_child(use_all); /* though nothing of the parent's is left */
    stop_server(&server);
    return 0;
}

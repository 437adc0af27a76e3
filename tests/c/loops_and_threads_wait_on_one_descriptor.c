/*
 * The descriptor of a client in a loop, beside threads that call, and what wakes while nothing comes.
 */
#include "check.h"

/*
 * A program that waits costs nothing: neither an idle mcp_client_poll without a bound nor a long blocking call has the
 * library's own thread wake up now and then. Counted are the voluntary context switches of the thread.
 */
/* Under Valgrind the threads take turns, and each turn counts. */
static int a_handful(void) { return scale() > 1 ? 40 : 6; }

/* How often the library's thread has gone to sleep. */
static long long sleeps(void) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    long long count = -1;
    CHECK(tasks != NULL);
    while ((task = readdir(tasks)) != NULL) {
        char path[300];
        char line[256];
        bool ours = false;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
        FILE *status = isdigit((unsigned char)task->d_name[0]) ? fopen(path, "re") : NULL;
        while (status != NULL && fgets(line, sizeof line, status) != NULL) {
            ours = ours || strcmp(line, "Name:\tlibmcp\n") == 0;
            if (ours && strncmp(line, "voluntary_ctxt_switches:", 24) == 0) {
                count = atoll(line + 24);
            }
        }
        if (status != NULL) {
            fclose(status);
        }
    }
    closedir(tasks);
    CHECK_GE(count, 0);
    return count;
}

static void call_slow(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "slow", "{\"ms\":700}", "{\"timeout_ms\":60000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
}

static void *poll_until_closed(void *argument) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    while ((status = mcp_client_poll(argument, -1, &message)) == MCP_OK) {
        mcp_message_free(message);
    }
    CHECK_STATUS(status, MCP_ERROR_CLOSED);
    return NULL;
}

static void waiting_wakes_no_thread(char **argv) {
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    mcp_client_t *other = connected(argv[1], NULL, NULL);
    check_echo(client, "all has begun");
    drain(client);

    long long before = sleeps();
    call_slow(client); /* this thread waits for the answer */
    CHECK_LE(sleeps() - before, a_handful());

    pthread_t poller = start_thread(poll_until_closed, client);
    check_echo(client, "the other thread waits too");
    before = sleeps();
    poll(NULL, 0, 700); /* the time that is looked at, not a wait for anything */
    CHECK_LE(sleeps() - before, a_handful());

    before = sleeps();
    call_slow(other); /* one waits in vain, one for an answer */
    CHECK_LE(sleeps() - before, a_handful());

    close_and_free(other);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    join_thread(poller);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

/*
 * mcp_client_fd gives a descriptor for event loops: not readable while the queue is empty, readable as long
 * as messages wait (level-triggered), close-on-exec and non-blocking, always the same one.
 */
static bool readable(int descriptor, int timeout_ms) {
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    int ready = poll(&one, 1, timeout_ms);
    CHECK_GE(ready, 0);
    return ready == 1 && (one.revents & POLLIN) != 0;
}

static void check_client_descriptor(const char *server) {
    mcp_message_t *message = NULL;
    mcp_client_t *client = new_client(server, NULL, NULL);
    int descriptor = mcp_client_fd(client);
    CHECK_GE(descriptor, 0);
    CHECK((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
    CHECK(!readable(descriptor, 0));
    connect_client(client);
    CHECK(readable(descriptor, patience()));
    CHECK(readable(descriptor, 0));
    drain(client);
    CHECK(!readable(descriptor, 0));
    for (uint64_t tag = 0; tag < 3; tag++) {
        start_tool(client, "echo", "{\"text\":\"x\"}", NULL, tag);
    }
    for (int replies = 0; replies < 3;) {
        CHECK(readable(descriptor, patience()));
        /* A message may be on its way still. */
        mcp_status_t status = mcp_client_poll(client, 0, &message);
        if (status != MCP_EMPTY) {
            CHECK_STATUS(status, MCP_OK);
            mcp_message_free(message);
            replies++;
        }
    }
    CHECK(!readable(descriptor, 0));
    CHECK_EQ(mcp_client_fd(client), descriptor);
    close_and_free(client);
}

static void check_queue_descriptor(void) {
    mcp_queue_t *queue = NULL;
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    int descriptor = mcp_queue_fd(queue);
    CHECK_GE(descriptor, 0);
    CHECK(!readable(descriptor, 0));
    CHECK_STATUS(mcp_queue_wake(queue), MCP_OK);
    CHECK(readable(descriptor, patience())); /* a loop that sleeps on the descriptor is woken as well */
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_WOKEN);
    CHECK(!readable(descriptor, 0));
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void the_descriptor_is_readable_while_messages_wait(char **argv) {
    check_client_descriptor(argv[1]);
    check_queue_descriptor();
}

/*
 * The loop of a program reads what the server has written, in its own thread: also while other threads make blocking calls. While it
 * does not come back, the library's thread reads in its stead. When the server dies the loop is told once, and is not kept busy after.
 */
#define CALLS 300
#define CALLERS 3

static mcp_client_t *client;

static bool is_readable(int descriptor, int timeout_ms) {
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    int ready = poll(&one, 1, timeout_ms);
    CHECK_GE(ready, 0);
    return ready == 1;
}

/* One turn of the loop: takes all messages, and counts the replies. */
static int turn(int descriptor, mcp_status_t expected) {
    int replies = 0;
    mcp_status_t status;
    mcp_message_t *message = NULL;
    CHECK(is_readable(descriptor, patience()));
    while ((status = mcp_client_poll(client, 0, &message)) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_STATUS(mcp_message_status(message), expected);
            replies++;
        }
        mcp_message_free(message);
    }
    CHECK_STATUS(status, MCP_EMPTY);
    return replies;
}

static void *call_all_the_time(void *unused) {
    (void)unused;
    for (int call = 0; call < scaled(CALLS, 20); call++) {
        check_echo(client, "blocking");
    }
    return NULL;
}

static void one_after_another_and_beside_callers(int descriptor) {
    for (int call = 0; call < scaled(CALLS, 20); call++) {
        start_tool(client, "echo", "{\"text\":\"x\"}", NULL, 1);
        while (turn(descriptor, MCP_OK) == 0) {
        }
    }
    pthread_t callers[CALLERS];
    for (int caller = 0; caller < CALLERS; caller++) {
        callers[caller] = start_thread(call_all_the_time, NULL);
    }
    for (int call = 0; call < scaled(CALLS, 20); call++) {
        start_tool(client, "echo", "{\"text\":\"x\"}", NULL, 2);
        while (turn(descriptor, MCP_OK) == 0) {
        }
    }
    for (int caller = 0; caller < CALLERS; caller++) {
        join_thread(callers[caller]);
    }
}

/* Nothing looks at the descriptor: the calls end all the same. */
static void while_the_loop_does_something_else(int descriptor) {
    for (uint64_t tag = 0; tag < 3; tag++) {
        start_tool(client, "echo", "{\"text\":\"x\"}", NULL, tag);
    }
    long long deadline = now_ms() + patience();
    for (;;) {
        char *info = info_of(client);
        bool is_over = json_is(info, "/pending_calls", "0");
        mcp_string_free(info);
        if (is_over) {
            break;
        }
        CHECK(now_ms() < deadline);
        breathe();
    }
    int replies = 0;
    while (replies < 3) {
        replies += turn(descriptor, MCP_OK);
    }
    CHECK_EQ(replies, 3);
}

/* A large answer comes in many pieces, of which the loop sees each. */
static void in_pieces(int descriptor) {
    start_tool(client, "big", "{\"bytes\":3000000}", NULL, 3);
    while (turn(descriptor, MCP_OK) == 0) {
    }
}

static void after_the_end(int descriptor) {
    char *info = info_of(client);
    pid_t pid = (pid_t)json_number(info, "/pid");
    mcp_string_free(info);
    start_tool(client, "hang", "{}", NULL, 4);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    while (turn(descriptor, MCP_ERROR_TRANSPORT) == 0) {
    }
    long long deadline = now_ms() + patience();
    while (mcp_client_state(client) != MCP_CLIENT_STATE_BACKOFF) {
        CHECK(now_ms() < deadline);
        breathe();
    }
    drain(client);
    CHECK(!is_readable(descriptor, 0));
}

static void a_loop_and_blocking_calls_share_a_client(char **argv) {
    client = new_client(argv[2], NULL, "\"reconnect\":{\"initial_ms\":3600000,\"max_ms\":3600000}");
    int descriptor = mcp_client_fd(client);
    CHECK_GE(descriptor, 0);
    connect_client(client);
    drain(client);
    one_after_another_and_beside_callers(descriptor);
    while_the_loop_does_something_else(descriptor);
    in_pieces(descriptor);
    after_the_end(descriptor);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    waiting_wakes_no_thread(argv);
    the_descriptor_is_readable_while_messages_wait(argv);
    a_loop_and_blocking_calls_share_a_client(argv);
    return 0;
}

/*
 * The loop of a program reads what the server has written, in its own thread: also while other threads make blocking calls. While it
 * does not come back, the library's thread reads in its stead. When the server dies the loop is told once, and is not kept busy after.
 */
#include "check.h"

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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
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
    return 0;
}

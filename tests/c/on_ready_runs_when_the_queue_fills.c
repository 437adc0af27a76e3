/*
 * For loops without descriptors: the function given to mcp_queue_on_ready runs once when the queue turns from
 * empty to not empty, and not again before it was emptied. Its destroy function runs exactly once, when the
 * function is replaced or the queue is freed, and afterwards the function runs no more.
 */
#include "check.h"

struct listener {
    int calls;
    int destroyed;
};

static void ready(void *user) {
    struct listener *listener = user;
    CHECK_EQ(__atomic_load_n(&listener->destroyed, __ATOMIC_SEQ_CST), 0);
    __atomic_add_fetch(&listener->calls, 1, __ATOMIC_SEQ_CST);
}

static void destroy(void *user) {
    struct listener *listener = user;
    __atomic_add_fetch(&listener->destroyed, 1, __ATOMIC_SEQ_CST);
}

static int calls_of(struct listener *listener) { return __atomic_load_n(&listener->calls, __ATOMIC_SEQ_CST); }

static void empty(mcp_queue_t *queue) {
    mcp_message_t *message = NULL;
    while (mcp_queue_poll(queue, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
}

static void notify(mcp_client_t *client, const char *arguments) {
    mcp_message_free(call_tool(client, "notify", arguments, WITH_LOG));
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct listener first = {0};
    struct listener second = {0};
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_on_ready(queue, ready, &first, destroy), MCP_OK);
    CHECK_EQ(calls_of(&first), 0);

    mcp_client_t *client = new_client_on(queue, argv[1], NULL, NULL);
    connect_client(client);
    UNTIL(calls_of(&first) > 0); /* its state messages */

    for (int round = 1; round <= 5; round++) {
        empty(queue);
        int before = calls_of(&first);
        notify(client, "{\"count\":20,\"changes\":false}");
        UNTIL(calls_of(&first) > before);
        notify(client, "{\"count\":20,\"changes\":false}");
        check_echo(client, "time for more calls, were there any");
        CHECK_EQ(calls_of(&first), before + 1);
    }

    empty(queue);
    CHECK_STATUS(mcp_queue_on_ready(queue, ready, &second, destroy), MCP_OK);
    UNTIL(__atomic_load_n(&first.destroyed, __ATOMIC_SEQ_CST) == 1);
    notify(client, "{\"count\":1,\"changes\":false}");
    UNTIL(calls_of(&second) == 1);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    UNTIL(__atomic_load_n(&second.destroyed, __ATOMIC_SEQ_CST) == 1);
    CHECK_EQ(first.destroyed, 1);
    return 0;
}

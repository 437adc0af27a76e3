/*
 * mcp_client_fd gives a descriptor for event loops: not readable while the queue is empty, readable as long
 * as messages wait (level-triggered), close-on-exec and non-blocking, always the same one.
 */
#include "check.h"

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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_client_descriptor(argv[1]);
    check_queue_descriptor();
    return 0;
}

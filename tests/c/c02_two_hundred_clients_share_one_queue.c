/*
 * Field fault C02: two hundred clients in one process, each with its own server, all on one queue. Every one
 * works, the message says whose it is, clients cost no threads, and after all are freed no thread, descriptor
 * or child is left.
 */
#include "check.h"

#include <sys/resource.h>

#define MOST_CLIENTS 200
#define THREADS_OF_THE_LIBRARY 16 /* a bound that does not grow with the clients */

/* Every client needs some descriptors; the default bound of a process may be lower than that. */
static void allow_many_descriptors(void) {
    struct rlimit limit;
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static mcp_message_t *next_reply(mcp_queue_t *queue) {
    long long deadline = now_ms() + patience() * 2;
    for (;;) {
        mcp_message_t *message = NULL;
        CHECK_LE(now_ms(), deadline);
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            return message;
        }
        mcp_message_free(message);
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    static mcp_client_t *clients[MOST_CLIENTS];
    static int replies[MOST_CLIENTS];
    int count = scaled(MOST_CLIENTS, 10);
    mcp_queue_t *queue = NULL;
    allow_many_descriptors();
    struct holdings before = holdings_now();
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    for (int i = 0; i < count; i++) {
        char arguments[32];
        snprintf(arguments, sizeof arguments, "{\"text\":\"client %d\"}", i);
        clients[i] = new_client_on(queue, argv[1], NULL, NULL);
        start_tool(clients[i], "echo", arguments, NULL, (uint64_t)i);
    }
    for (int i = 0; i < count; i++) {
        char expected[32];
        mcp_message_t *message = next_reply(queue);
        uint64_t tag = mcp_message_tag(message);
        CHECK(tag < (uint64_t)count);
        CHECK_EQ(++replies[tag], 1);
        CHECK(mcp_message_client(message) == clients[tag]);
        snprintf(expected, sizeof expected, "client %d", (int)tag);
        CHECK_TEXT(mcp_message_text(message, NULL), expected);
        mcp_message_free(message);
    }
    CHECK_EQ(count_children(NULL), before.children + count);
    CHECK_LE(count_threads(), before.threads + THREADS_OF_THE_LIBRARY);
    check_echo(clients[count / 2], "blocking calls work beside it");
    for (int i = 0; i < count; i++) {
        CHECK_STATUS(mcp_client_free(clients[i]), MCP_OK);
    }
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    check_nothing_left(before);
    return 0;
}

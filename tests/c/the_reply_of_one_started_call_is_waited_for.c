/*
 * mcp_call_wait takes the reply of one started call, in any order, on a queue of the client's own and on a shared one, and leaves
 * every other message where it is. A wait that is over leaves the call; a call that is cancelled, or whose client is closed,
 * ends its wait. A reply that was taken, or a call that never was, is a mistake with its name, and no wait without an end.
 */
#include "check.h"

#include <pthread.h>

enum { CALLS = 6 };

static uint64_t slow(mcp_client_t *client, int ms, uint64_t tag) {
    uint64_t call = 0;
    char *arguments = format("{\"ms\":%d}", ms);
    CHECK_STATUS(mcp_client_call_tool_start(client, "slow", arguments, NULL, tag, &call, NULL), MCP_OK);
    free(arguments);
    return call;
}

static void check_unknown(mcp_client_t *client, uint64_t call) {
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call_wait(client, call, -1, &reply), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "has been taken");
    CHECK(json_is(mcp_message_json(reply, NULL), "/details/function", "mcp_call_wait"));
    mcp_message_free(reply);
}

static void check_all(mcp_client_t *client) {
    uint64_t calls[CALLS];
    mcp_message_t *reply = NULL;
    for (int i = 0; i < CALLS; i++) calls[i] = slow(client, 1, (uint64_t)i);
    for (int i = CALLS - 1; i >= 0; i--) {
        CHECK_STATUS(mcp_call_wait(client, calls[i], -1, &reply), MCP_OK);
        CHECK_EQ(mcp_message_call_id(reply), calls[i]);
        CHECK_EQ(mcp_message_tag(reply), i);
        CHECK_EQ(mcp_message_kind(reply), MCP_KIND_REPLY);
        mcp_message_free(reply);
    }
    check_unknown(client, calls[0]);
    check_unknown(client, 1000000);
}

struct waiting {
    mcp_client_t *client;
    uint64_t call;
};

static void *wait_for_end(void *given) {
    struct waiting *waiting = given;
    return (void *)(intptr_t)mcp_call_wait(waiting->client, waiting->call, -1, NULL);
}

static void check_ends(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--era", "modern"), NULL);
    struct waiting cancelled = {client, slow(client, 60000, 1)}, closed = {client, slow(client, 60000, 2)};
    mcp_message_t *reply = (mcp_message_t *)1;
    CHECK_STATUS(mcp_call_wait(client, cancelled.call, 0, &reply), MCP_EMPTY);
    CHECK(reply == NULL);
    CHECK_STATUS(mcp_call_wait(client, cancelled.call, 20, NULL), MCP_EMPTY);
    pthread_t threads[2];
    void *status = NULL;
    CHECK_EQ(pthread_create(&threads[0], NULL, wait_for_end, &cancelled), 0);
    CHECK_EQ(pthread_create(&threads[1], NULL, wait_for_end, &closed), 0);
    CHECK_STATUS(mcp_call_cancel(client, cancelled.call, NULL), MCP_OK);
    CHECK_EQ(pthread_join(threads[0], &status), 0);
    CHECK_STATUS((mcp_status_t)(intptr_t)status, MCP_ERROR_CANCELLED);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    CHECK_EQ(pthread_join(threads[1], &status), 0);
    CHECK_STATUS((mcp_status_t)(intptr_t)status, MCP_ERROR_CLOSED);
    mcp_client_free(client);
    CHECK_STATUS(mcp_call_wait(client, closed.call, -1, NULL), MCP_ERROR_INVALID_ARGUMENT);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], ARGS("--era", "legacy"), NULL);
    uint64_t connect = 0;
    mcp_message_t *message = NULL;
    drain(client);
    check_all(client);
    /* What else has arrived waits for the queue. */
    CHECK_STATUS(mcp_client_call_tool(client, "notify", "{\"count\":2,\"changes\":false}", NULL, NULL), MCP_OK);
    uint64_t call = slow(client, 1, 7);
    CHECK_STATUS(mcp_call_wait(client, call, -1, NULL), MCP_OK);
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_OK);
        CHECK_EQ(mcp_message_kind(message), MCP_KIND_NOTIFICATION);
        mcp_message_free(message);
    }
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    CHECK_STATUS(mcp_client_connect_start(client, -1, 8, &connect, NULL), MCP_OK);
    CHECK_STATUS(mcp_call_wait(client, connect, -1, NULL), MCP_OK);
    close_and_free(client);

    mcp_queue_t *queue = NULL;
    char *config = config_for(argv[1], ARGS("--era", "modern"), NULL);
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_new(config, queue, &client, NULL), MCP_OK);
    check_all(client);
    close_and_free(client);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    free(config);
    check_ends(argv[1]);
    return 0;
}

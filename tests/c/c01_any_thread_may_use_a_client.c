/*
 * Field fault C01: no function depends on the thread that calls it. A client is made by one thread, connected
 * by a second one that ends, used by a third, polled by a fourth and freed by a fifth.
 */
#include "check.h"

struct shared {
    const char *server;
    mcp_client_t *client;
};

static void *make(void *argument) {
    struct shared *shared = argument;
    shared->client = new_client(shared->server, NULL, NULL);
    return NULL;
}

static void *come_up(void *argument) {
    connect_client(((struct shared *)argument)->client);
    return NULL;
}

static void *use(void *argument) {
    mcp_client_t *client = ((struct shared *)argument)->client;
    check_echo(client, "third");
    start_tool(client, "slow", "{\"ms\":200}", NULL, 4);
    return NULL;
}

static void *take(void *argument) {
    mcp_message_t *reply = next_of_kind(((struct shared *)argument)->client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), 4);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    return NULL;
}

static void *give_back(void *argument) {
    CHECK_STATUS(mcp_client_free(((struct shared *)argument)->client), MCP_OK);
    return NULL;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    struct shared shared = {.server = argv[1]};
    void *(*const steps[])(void *) = {make, come_up, use, take, give_back};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        join_thread(start_thread(steps[i], &shared));
    }
    check_nothing_left(before);
    return 0;
}

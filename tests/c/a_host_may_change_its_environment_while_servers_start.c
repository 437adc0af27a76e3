/*
 * The environment of a server is taken when its client is made, with every kind of "inherit_env". After that
 * the host may change its own as it likes, on any thread and at any time: servers start and start again
 * undisturbed, and see what was there when their client was made.
 */
#include "check.h"

static const char *const KINDS[] = {"none", "default", "all"};
#define CLIENTS 3

static bool stop; /* atomic */
static long changes;

/* Adds variables until the list of them has moved a few times, and throws all of them away. */
static void *change_the_environment(void *argument) {
    (void)argument;
    char name[32];
    while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST)) {
        CHECK_EQ(setenv("MARK", "after", 1), 0);
        for (int i = 0; i < 500; i++) {
            snprintf(name, sizeof name, "VARIABLE_%d", i);
            CHECK_EQ(setenv(name, "value", 1), 0);
        }
        CHECK_EQ(clearenv(), 0);
        __atomic_add_fetch(&changes, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

/* Starts the server, or starts it again. Reads nothing of our environment, as patience() does. */
static void start(mcp_client_t *client, int32_t bound) {
    char *error = NULL;
    mcp_status_t status = mcp_client_connect(client, bound, &error);
    if (status != MCP_OK) {
        FAIL("not connected: %s", error != NULL ? error : mcp_status_name(status));
    }
    check_echo(client, "here");
}

static void check_mark(mcp_client_t *client, bool inherited) {
    mcp_message_t *reply = call_tool(client, "env", "{\"name\":\"MARK\"}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    if (inherited) {
        CHECK_TEXT(mcp_message_text(reply, NULL), "before");
    } else {
        CHECK(json_is(mcp_message_json(reply, NULL), "/isError", "true"));
    }
    mcp_message_free(reply);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    mcp_client_t *clients[CLIENTS];
    int32_t bound = patience();
    int rounds = scaled(15, 2);
    CHECK_EQ(setenv("MARK", "before", 1), 0);
    for (int i = 0; i < CLIENTS; i++) {
        char *members =
            format("\"inherit_env\":\"%s\",\"reconnect\":{\"initial_ms\":10,\"max_ms\":10}", KINDS[i]);
        clients[i] = new_client(argv[2], NULL, members);
        free(members);
    }
    pthread_t changer = start_thread(change_the_environment, NULL);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < CLIENTS; i++) {
            start(clients[i], bound);
            check_mark(clients[i], i == 2);
            mcp_message_t *reply = call_tool(clients[i], "crash", NULL, NULL);
            CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
            mcp_message_free(reply);
        }
    }
    __atomic_store_n(&stop, true, __ATOMIC_SEQ_CST);
    join_thread(changer);
    CHECK_GE(changes, 1);
    for (int i = 0; i < CLIENTS; i++) {
        close_and_free(clients[i]);
    }
    check_nothing_left(before);
    return 0;
}

/*
 * Field fault H01: the server forgets the session while calls are under way. Eight threads meet the 404; one new session
 * is opened for all of them, what is safe to repeat is repeated, and what was under way on the old one ends, whether with
 * its result or as MCP_ERROR_TRANSPORT. Nothing hangs.
 */
#include "http.h"

#define THREADS 8
#define UNDER_WAY 8

static void *call_echo(void *argument) {
    mcp_message_t *reply = call_tool(argument, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":30000}");
    if (mcp_message_status(reply) != MCP_OK) {
        FAIL("echo: %s", mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
    return NULL;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    pthread_t threads[THREADS];
    mcp_message_t *list = NULL;
    int ended[UNDER_WAY] = {0};
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *client = connected_to(&server, LEGACY ",\"retry\":\"safe\",\"when_unavailable\":\"wait\"");
    /* From the list the library knows that echo may be repeated. */
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &list), MCP_OK);
    mcp_message_free(list);
    for (uint64_t tag = 0; tag < UNDER_WAY; tag++) {
        start_tool(client, "slow", "{\"ms\":1000}", "{\"timeout_ms\":30000}", tag);
    }
    UNTIL(stat_of(&server, "/in_flight") >= UNDER_WAY);
    tell_server(&server, "/forget");
    for (int i = 0; i < THREADS; i++) {
        threads[i] = start_thread(call_echo, client);
    }
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    for (int i = 0; i < UNDER_WAY; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        mcp_status_t status = mcp_message_status(reply);
        if (status != MCP_OK && status != MCP_ERROR_TRANSPORT) {
            FAIL("a call under way: %s", mcp_message_json(reply, NULL));
        }
        CHECK(mcp_message_tag(reply) < UNDER_WAY);
        CHECK_EQ(++ended[mcp_message_tag(reply)], 1);
        mcp_message_free(reply);
    }
    check_echo(client, "afterwards");
    CHECK_EQ(count_of(&server, "initialize"), 2);
    CHECK_EQ(stat_of(&server, "/sessions"), 2);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    check_nothing_left(before);
    return 0;
}

/*
 * A thread with a stack of 64 KiB calls a tool whose schema and result nest as deep as they may: the check stays
 * within the stack, and what goes deeper is unchecked and not a crash.
 */
/* debug: skip it has the stack that the optimized library takes */
#include "check.h"

static mcp_client_t *client;

static void *call(void *unused) {
    (void)unused;
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_call_tool(client, "endless_promise", "{\"value\":{\"sum\":1}}", NULL, NULL),
                 MCP_OK);
    CHECK_STATUS(mcp_client_call_tool(client, "promise", "{\"value\":{\"sum\":true}}", NULL, &reply),
                 MCP_ERROR_PROTOCOL);
    mcp_message_free(reply);
    /* A value as deep as the client takes it. */
    char value[400] = "{\"value\":{\"sum\":1,\"deep\":";
    for (int i = 0; i < 110; i++) {
        strcat(value, "[");
    }
    for (int i = 0; i < 110; i++) {
        strcat(value, "]");
    }
    strcat(value, "}}");
    CHECK_STATUS(mcp_client_call_tool(client, "promise", value, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_call_tool(client, "endless_promise", value, NULL, NULL), MCP_OK);
    return NULL;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    client = connected(argv[2], NULL, NULL);
    pthread_attr_t small;
    pthread_t thread;
    CHECK_EQ(pthread_attr_init(&small), 0);
    CHECK_EQ(pthread_attr_setstacksize(&small, small_stack()), 0);
    CHECK_EQ(pthread_create(&thread, &small, call, NULL), 0);
    CHECK_EQ(pthread_attr_destroy(&small), 0);
    join_thread(thread);
    close_and_free(client);
    return 0;
}

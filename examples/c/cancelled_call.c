/* cancelled_call: a tool that reports progress and ends early when its answer is not wanted any more, and a client in
 * the same program that cancels it after three reports.
 */
#include <mcp.h>
#include <stdio.h>

/* A long piece of work: reports progress, and ends early when its answer is not wanted any more. */
static void on_count(void *user, mcp_message_t *request) {
    (void)user;
    for (int step = 1; !mcp_request_cancelled(request); step++) {
        mcp_request_progress(request, step, 0, "counting");
        for (volatile int i = 0; i < 1000000; i++) continue; /* the work */
    }
    printf("the answer is not wanted any more\n");
    mcp_message_free(request);
}

int main(void) {
    static const char COUNT[] = "{\"name\": \"count\", \"inputSchema\": {\"type\": \"object\"}}";
    static const char CALL[] = "{\"name\": \"count\", \"arguments\": {}}";
    mcp_server_t *server = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *message = NULL;
    uint64_t call = 0;
    int reports = 0, ended = 0;
    if (mcp_server_new("{\"name\": \"slow\", \"workers\": 1}", NULL, &server, NULL) != MCP_OK ||
        mcp_server_add_tool(server, COUNT, on_count, NULL, NULL, NULL) != MCP_OK ||
        mcp_client_new_in_process("{}", NULL, server, &client, NULL) != MCP_OK ||
        mcp_call_start(client, "tools/call", CALL, "{\"progress\": true}", 1, &call, NULL) != MCP_OK) {
        return 1;
    }
    while (!ended && mcp_client_poll(client, 10000, &message) == MCP_OK) {
        if (mcp_message_topic(message) == MCP_TOPIC_PROGRESS && ++reports == 3) mcp_call_cancel(client, call, "enough");
        ended = mcp_message_kind(message) == MCP_KIND_REPLY && mcp_message_status(message) == MCP_ERROR_CANCELLED;
        mcp_message_free(message);
    }
    mcp_client_free(client);
    mcp_server_free(server); /* waits for the handler */
    return ended && reports >= 3 ? 0 : 1;
}

/*
 * server_calls: what a server does besides answering tools, seen by a client in the same process: a method of its own, log messages and
 * notifications to all clients, what is known of it, and the end of its wait from elsewhere.
 */
#include <mcp.h>
#include <stdio.h>

/* The client declares what it can do; the method is for clients that know the extension. */
static const char CLIENT[] = "{\"capabilities\": {\"extensions\": {\"com.example/echo\": {}}}}";

/* A method that MCP does not have: its parameters come back. */
static void on_echo(void *user, mcp_message_t *request) {
    (void)user;
    mcp_request_respond(request, mcp_message_json(request, NULL), NULL);
    mcp_message_free(request);
}

int main(void) {
    mcp_server_t *server = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *message = NULL;
    char *info = NULL;
    uint64_t call = 0;
    if (mcp_server_new("{\"name\": \"calls\", \"announce\": {\"logging\": true}}", NULL, &server, NULL) != MCP_OK) return 1;
    mcp_server_add_method(server, "com.example/echo", "com.example/echo", "{\"most\": 10}", on_echo, NULL, NULL, NULL);
    if (mcp_client_new_in_process(CLIENT, NULL, server, &client, NULL) != MCP_OK) return mcp_server_free(server), 1;

    /* The handlers of a server run in mcp_server_run(), here between the looks for the reply. */
    mcp_status_t status = mcp_call_start(client, "com.example/echo", "{\"a\": 1}", NULL, 0, &call, NULL);
    for (int i = 0; status == MCP_OK && i < 1000 && mcp_call_wait(client, call, 0, &message) == MCP_EMPTY; i++)
        mcp_server_run(server, 10);
    printf("reply: %s\n", mcp_message_json(message, NULL));
    int failed = message == NULL || mcp_message_status(message) != MCP_OK;
    mcp_message_free(message);

    /* To every client; 0 is no single session. */
    failed |= mcp_server_log(server, "info", "calls", "\"ready\"", NULL) != MCP_OK;
    failed |= mcp_server_notify(server, 0, "notifications/com.example/tick", "{\"n\": 1}", NULL) != MCP_OK;
    if (mcp_server_info(server, &info, NULL) == MCP_OK) printf("server: %s\n", info);
    mcp_string_free(info);

    mcp_server_wake(server); /* from another thread, or a signal handler */
    failed |= mcp_server_run(server, -1) != MCP_WOKEN;
    mcp_client_free(client);
    mcp_server_free(server);
    return failed;
}

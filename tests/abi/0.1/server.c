/* What a server uses of mcp.h, compiled with the header of 0.1, and a transport of the program's own, whose struct has a public
 * layout: a client in the same process, and one whose transport refuses to open. */
#include <mcp.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static void on_greet(void *user, mcp_message_t *request) {
    (void)user;
    printf("request: kind %s\n", mcp_kind_name(mcp_message_kind(request)));
    printf("answered: %d\n", (int)mcp_request_respond_text(request, "hello", false, NULL));
    mcp_message_free(request);
}

static void *serve(void *server) {
    static mcp_status_t status;
    status = mcp_server_run(server, -1);
    return &status;
}

int main(void) {
    mcp_server_t *server = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    pthread_t thread;
    if (!MCP_ABI_MATCHES() || mcp_server_new("{\"name\":\"s\"}", NULL, &server, NULL) != MCP_OK ||
        mcp_server_add_tool(server, "{\"name\":\"greet\",\"inputSchema\":{\"type\":\"object\"}}", on_greet, NULL, NULL, NULL) != MCP_OK ||
        pthread_create(&thread, NULL, serve, server) != 0) {
        return 1;
    }
    printf("client: %d\n", (int)mcp_client_new_in_process("{}", NULL, server, &client, NULL));
    mcp_status_t status = mcp_client_call_tool(client, "greet", NULL, NULL, &reply);
    printf("greet: %d %s\n", (int)status, mcp_message_text(reply, NULL));
    mcp_message_free(reply);
    printf("freed: %d\n", (int)mcp_client_free(client));

    void *run = NULL;
    printf("closed: %d\n", (int)mcp_server_close(server, -1));
    if (pthread_join(thread, &run) == 0) {
        printf("run: %s\n", mcp_status_name(*(mcp_status_t *)run));
    }
    printf("freed: %d\n", (int)mcp_server_free(server));
    mcp_transport_functions_t functions = {.size = sizeof functions, .version = 99};
    printf("a transport of a later version: %s\n", mcp_status_name(mcp_client_new_with_transport("{}", NULL, &functions, NULL, &client, NULL)));
    return 0;
}

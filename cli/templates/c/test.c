#include "server.h"

#include <stdio.h>
#include <string.h>

static int failed(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why != NULL ? why : "no reason");
    return 1;
}

int main(void) {
    char *error = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    mcp_server_t *server = make_server(&error);
    if (server == NULL) return failed("the server", error);
    if (mcp_client_new_in_process("{}", NULL, server, &client, &error) != MCP_OK) return failed("the client", error);
    mcp_client_call_tool(client, "greet", "{\"name\": \"Ada\"}", NULL, &reply);
    const char *text = mcp_message_text(reply, NULL);
    if (text == NULL || strcmp(text, "Hello, Ada!") != 0) return failed("greet", mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    if (mcp_client_read_resource(client, "about://{{name}}", NULL, &reply) != MCP_OK ||
        strstr(mcp_message_json(reply, NULL), "A server that greets.") == NULL) {
        return failed("about", mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
    mcp_client_free(client);
    mcp_server_free(server);
    puts("the tests pass");
    return 0;
}

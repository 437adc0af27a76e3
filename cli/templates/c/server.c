#include "server.h"

#include <stdio.h>

static const char CONFIG[] = "{\"name\": \"{{name}}\", \"version\": \"0.1.0\", \"workers\": 1}";
static const char GREET[] = "{\"name\": \"greet\", \"description\": \"Greets a person by name\", \"inputSchema\": {"
                            "\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\", \"description\": \"Who is greeted\"}},"
                            "\"required\": [\"name\"], \"additionalProperties\": false}}";
static const char ABOUT[] = "{\"name\": \"about\", \"description\": \"What this server is\", \"uri\": \"about://{{name}}\","
                            " \"mimeType\": \"text/plain\"}";

/* The library has checked the arguments against the schema. */
static void on_greet(void *user, mcp_message_t *request) {
    (void)user;
    mcp_value_t arguments = mcp_value_get(mcp_message_value(request), "arguments");
    char text[512];
    snprintf(text, sizeof text, "Hello, %s!", mcp_value_string(mcp_value_get(arguments, "name"), NULL));
    mcp_request_respond_text(request, text, false, NULL);
    mcp_message_free(request);
}

mcp_server_t *make_server(char **error) {
    mcp_server_t *server = NULL;
    if (mcp_server_new(CONFIG, NULL, &server, error) != MCP_OK ||
        mcp_server_add_tool(server, GREET, on_greet, NULL, NULL, error) != MCP_OK ||
        mcp_server_add_text(server, ABOUT, "A server that greets.", error) != MCP_OK) {
        mcp_server_free(server);
        return NULL;
    }
    return server;
}

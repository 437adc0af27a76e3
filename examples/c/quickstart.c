#include <mcp.h>
#include <stdio.h>

int main(int argc, char **argv) { /* quickstart SERVER: lists the server's tools and calls "echo" */
    char config[4096], where[32], *text = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    if (argc != 2 || mcp_json_quote(argv[1], &text) != MCP_OK) return 2;
    snprintf(config, sizeof config, "{\"command\": %s, \"args\": []}", text);
    mcp_string_free(text);
    if (mcp_client_new(config, &client, &text) != MCP_OK) {
        fprintf(stderr, "%s\n", text);
        return mcp_string_free(text), 1;
    }
    mcp_status_t status = mcp_call(client, "tools/list", NULL, NULL, &reply); /* starts the server */
    if (status != MCP_OK) fprintf(stderr, "%s\n", mcp_message_json(reply, NULL));
    for (int i = 0; status == MCP_OK; i++) {
        snprintf(where, sizeof where, "/tools/%d/name", i);
        if (mcp_json_get(mcp_message_json(reply, NULL), where, &text, NULL) != MCP_OK) break;
        printf("tool: %s\n", text);
        mcp_string_free(text);
    }
    mcp_message_free(reply);
    const char *params = "{\"name\": \"echo\", \"arguments\": {\"text\": \"Hello from C\"}}";
    status = mcp_call(client, "tools/call", params, NULL, &reply);
    const char *answer = mcp_message_text(reply, NULL); /* an error has no text: print its JSON */
    printf("%s\n", answer ? answer : mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    return mcp_client_free(client) == MCP_OK && status == MCP_OK ? 0 : 1; /* free closes it as well */
}

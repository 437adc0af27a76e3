#include <mcp.h>
#include <stdio.h>

int main(int argc, char **argv) { /* quickstart SERVER: lists the server's tools and calls "echo" */
    char config[4096], *text = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    if (argc != 2 || mcp_json_quote(argv[1], &text) != MCP_OK) return 2;
    snprintf(config, sizeof config, "{\"command\": %s, \"args\": []}", text);
    mcp_string_free(text);
    if (mcp_client_new(config, NULL, &client, &text) != MCP_OK) {
        fprintf(stderr, "%s\n", text);
        return mcp_string_free(text), 1;
    }
    mcp_status_t status =
        mcp_client_list_tools(client, NULL, &reply); /* starts the server; all pages as one list */
    mcp_value_t tools = mcp_value_get(mcp_message_value(reply), "tools");
    for (mcp_value_t tool = mcp_value_first(tools); mcp_value_type(tool) == MCP_JSON_OBJECT; tool = mcp_value_next(tool))
        printf("tool: %s\n", mcp_value_string(mcp_value_get(tool, "name"), NULL));
    mcp_message_free(reply);
    const char *params = "{\"name\": \"echo\", \"arguments\": {\"text\": \"Hello from C\"}}";
    status = mcp_call(client, "tools/call", params, NULL, &reply);
    const char *answer = mcp_message_text(reply, NULL); /* an error has no text: print its JSON */
    printf("%s\n", answer ? answer : mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    return mcp_client_free(client) == MCP_OK && status == MCP_OK ? 0 : 1; /* free closes it as well */
}

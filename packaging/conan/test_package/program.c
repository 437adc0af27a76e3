/*
 * program SERVER: calls the tool "echo" of a server; without one (an empty name) it only uses the library.
 */
#include <mcp.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char config[4096];
    char *quoted = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    if (argc != 2 || !MCP_ABI_MATCHES() || mcp_json_quote(argv[1], &quoted) != MCP_OK) return 1;
    printf("libmcp %s\n", mcp_version());
    snprintf(config, sizeof config, "{\"command\": %s}", quoted);
    mcp_string_free(quoted);
    if (argv[1][0] == '\0') return 0;
    if (mcp_client_new(config, NULL, &client, NULL) != MCP_OK) return 1;
    mcp_call(client, "tools/call", "{\"name\": \"echo\", \"arguments\": {\"text\": \"packed\"}}", NULL, &reply);
    const char *text = mcp_message_text(reply, NULL);
    int failed = text == NULL || strcmp(text, "packed") != 0;
    mcp_message_free(reply);
    return mcp_client_free(client) == MCP_OK ? failed : 1;
}

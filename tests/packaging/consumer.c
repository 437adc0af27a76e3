/*
 * consumer SERVER: what a program that uses the installed library does at least: see that header and library belong
 * together, call the server once, and leave nothing.
 */
#include <mcp.h>

#include <stdio.h>
#include <string.h>

static int fail(const char *what, const char *why) {
    fprintf(stderr, "consumer: %s: %s\n", what, why);
    return 1;
}

int main(int argc, char **argv) {
    char config[4096];
    char *text = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    if (!MCP_ABI_MATCHES()) return fail("the library", "is not the one of this header");
    if (argc != 2 || mcp_json_quote(argv[1], &text) != MCP_OK) return fail("usage", "consumer SERVER");
    snprintf(config, sizeof config, "{\"command\": %s}", text);
    mcp_string_free(text);
    if (mcp_client_new(config, NULL, &client, &text) != MCP_OK) {
        fail("the configuration", text);
        mcp_string_free(text);
        return 1;
    }
    const char *params = "{\"name\": \"echo\", \"arguments\": {\"text\": \"installed\"}}";
    mcp_status_t status = mcp_call(client, "tools/call", params, NULL, &reply);
    const char *answer = mcp_message_text(reply, NULL);
    int failed = 0;
    if (status != MCP_OK || answer == NULL || strcmp(answer, "installed") != 0) {
        failed = fail(mcp_status_name(status), mcp_message_json(reply, NULL));
    } else {
        printf("libmcp %s: %s\n", mcp_version(), answer);
    }
    mcp_message_free(reply);
    return mcp_client_free(client) == MCP_OK ? failed : 1;
}

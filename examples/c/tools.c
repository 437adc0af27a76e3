/*
 * tools SERVER: lists the server's tools and calls two of them, on whichever revision the server speaks.
 *
 * A tool that fails is not an error of the call: its result says "isError". A result that is not what the tool's
 * outputSchema promises is one, and so is a tool that does not exist.
 */
#include <mcp.h>
#include <stdio.h>
#include <string.h>

/* A client of a server that is started by its command alone; NULL on failure, which is printed. */
static mcp_client_t *open_client(const char *command, const char *members) {
    char config[4096];
    char *text = NULL;
    mcp_client_t *client = NULL;
    if (mcp_json_quote(command, &text) != MCP_OK) {
        return NULL;
    }
    snprintf(config, sizeof config, "{\"command\": %s%s}", text, members);
    mcp_string_free(text);
    text = NULL;
    if (mcp_client_new(config, NULL, &client, &text) != MCP_OK ||
        mcp_client_connect(client, 10000, &text) != MCP_OK) {
        fprintf(stderr, "%s\n", text != NULL ? text : "no client");
        mcp_string_free(text);
        mcp_client_free(client);
        return NULL;
    }
    return client;
}

/* Prints the outcome of a call and frees it. */
static mcp_status_t show(const char *what, mcp_status_t status, mcp_message_t *reply) {
    const char *json = mcp_message_json(reply, NULL);
    const char *text = mcp_message_text(reply, NULL);
    char *failed = NULL;
    if (status != MCP_OK) {
        printf("%s: %s: %s\n", what, mcp_status_name(status), json);
    } else if (mcp_json_get(json, "/isError", &failed, NULL) == MCP_OK && strcmp(failed, "true") == 0) {
        printf("%s: the tool failed: %s\n", what, text != NULL ? text : json);
    } else {
        printf("%s: %s\n", what, text != NULL ? text : json);
    }
    mcp_string_free(failed);
    mcp_message_free(reply);
    return status;
}

int main(int argc, char **argv) {
    mcp_client_t *client = argc == 2 ? open_client(argv[1], "") : NULL;
    if (client == NULL) {
        return 1;
    }
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_client_list_tools(client, NULL, &reply);
    size_t count = mcp_value_size(mcp_value_get(mcp_message_value(reply), "tools"));
    printf("%zu tools: %s\n", count, mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    mcp_status_t added = mcp_client_call_tool(client, "add", "{\"a\": 2, \"b\": 3}", NULL, &reply);
    added = show("add", added, reply);
    mcp_status_t failed = mcp_client_call_tool(client, "fail", NULL, NULL, &reply);
    failed = show("fail", failed, reply);
    mcp_client_free(client);
    return status == MCP_OK && added == MCP_OK && failed == MCP_OK ? 0 : 1;
}

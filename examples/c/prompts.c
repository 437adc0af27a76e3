/*
 * prompts SERVER: lists the server's prompts, completes an argument of the first, and fills it in.
 */
#include <mcp.h>
#include <stdio.h>

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

int main(int argc, char **argv) {
    mcp_client_t *client = argc == 2 ? open_client(argv[1], "") : NULL;
    if (client == NULL) {
        return 1;
    }
    mcp_message_t *list = NULL;
    mcp_message_t *reply = NULL;
    char *name = NULL;
    char *argument = NULL;
    char *quoted = NULL;
    char *value = NULL;
    char text[1024];
    mcp_status_t status = mcp_call(client, "prompts/list", NULL, NULL, &list);
    const char *json = mcp_message_json(list, NULL);
    if (status == MCP_OK) {
        status = mcp_json_get(json, "/prompts/0/name", &name, NULL);
    }
    if (status == MCP_OK) {
        status = mcp_json_get(json, "/prompts/0/arguments/0/name", &argument, NULL);
    }
    if (status == MCP_OK) {
        status = mcp_json_quote(name, &quoted);
    }
    if (status == MCP_OK) {
        printf("prompt %s with %s\n", name, argument);
        snprintf(text, sizeof text, "{\"type\": \"ref/prompt\", \"name\": %s}", quoted);
        status = mcp_client_complete(client, text, argument, "A", NULL, NULL, &reply);
        printf("completions: %s\n", mcp_message_json(reply, NULL));
    }
    if (status == MCP_OK) {
        status = mcp_json_get(mcp_message_json(reply, NULL), "/completion/values/0", &value, NULL);
    }
    mcp_message_free(reply);
    reply = NULL;
    if (status == MCP_OK) {
        /* Names and values of this server need no escaping; mcp_json_quote() is for those that do. */
        snprintf(text, sizeof text, "{\"%s\": \"%s\"}", argument, value);
        status = mcp_client_get_prompt(client, name, text, NULL, &reply);
        printf("filled in: %s\n", mcp_message_text(reply, NULL));
    }
    mcp_message_free(reply);
    mcp_message_free(list);
    mcp_string_free(name);
    mcp_string_free(argument);
    mcp_string_free(quoted);
    mcp_string_free(value);
    mcp_client_free(client);
    return status == MCP_OK ? 0 : 1;
}

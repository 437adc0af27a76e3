/*
 * http_token URL [TOOL ARGUMENTS]: a server over HTTP that takes a bearer token, from the environment variable MCP_TOKEN.
 * Prints the names of the tools, and calls one of them.
 *
 *   MCP_TOKEN=... ./http_token https://mcp.example.com/mcp echo '{"text": "hi"}'
 *
 * The library sends the header to this server only, and writes it to no log and no error. Give a token to no http:// URL of
 * another machine: everyone on the way could read it. A token does not belong on a command line, which other users can see.
 */
#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A client of the server at this URL. The builder writes the token as a JSON string, whatever it contains. */
static mcp_status_t open_client(const char *url, const char *token, mcp_client_t **client, char **error) {
    const char *config = NULL;
    char *header = malloc(strlen("Bearer ") + strlen(token) + 1);
    mcp_builder_t *builder = mcp_builder_new();
    if (header != NULL) strcat(strcpy(header, "Bearer "), token);
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "url");
    mcp_builder_string(builder, url);
    mcp_builder_key(builder, "headers");
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "Authorization");
    mcp_builder_string(builder, header); /* NULL is a mistake, which mcp_builder_finish() returns */
    mcp_builder_end(builder);
    mcp_builder_end(builder);
    mcp_status_t status = mcp_builder_finish(builder, &config, NULL, error);
    if (status == MCP_OK) status = mcp_client_new(config, NULL, client, error);
    mcp_builder_free(builder);
    free(header);
    return status;
}

int main(int argc, char **argv) {
    const char *token = getenv("MCP_TOKEN");
    char *error = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    if ((argc != 2 && argc != 4) || token == NULL) {
        fprintf(stderr, "usage: MCP_TOKEN=... http_token URL [TOOL ARGUMENTS]\n");
        return 2;
    }
    mcp_status_t status = open_client(argv[1], token, &client, &error);
    if (status == MCP_OK) status = mcp_client_connect(client, -1, &error);
    if (status == MCP_ERROR_AUTH) fprintf(stderr, "The server does not accept the token in MCP_TOKEN.\n");
    if (status == MCP_OK) {
        status = mcp_client_list_tools(client, NULL, &reply);
        mcp_value_t tool = mcp_value_first(mcp_value_get(mcp_message_value(reply), "tools"));
        for (; mcp_value_type(tool) != MCP_JSON_ABSENT; tool = mcp_value_next(tool)) {
            printf("%s\n", mcp_value_string(mcp_value_get(tool, "name"), NULL));
        }
    }
    if (status == MCP_OK && argc == 4) {
        mcp_message_free(reply);
        status = mcp_client_call_tool(client, argv[2], argv[3], NULL, &reply);
        const char *text = mcp_message_text(reply, NULL);
        const char *how = mcp_message_is_tool_error(reply) ? "failed" : "says";
        if (status == MCP_OK) printf("%s %s: %s\n", argv[2], how, text != NULL ? text : mcp_message_json(reply, NULL));
    }
    if (status != MCP_OK) {
        const char *why = reply != NULL ? mcp_message_json(reply, NULL) : error;
        fprintf(stderr, "%s\n", why != NULL ? why : mcp_status_name(status));
    }
    mcp_message_free(reply);
    mcp_client_free(client);
    mcp_string_free(error);
    return status == MCP_OK ? 0 : 1;
}

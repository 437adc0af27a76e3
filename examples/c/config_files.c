/*
 * config_files FILE: the servers of a file with "mcpServers", each with the configuration that mcp_client_new() takes. mcp_config_open()
 * opens all of them at once; see agent.c.
 */
#include <mcp.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char *names = NULL, *error = NULL;
    mcp_document_t *document = NULL;
    if (argc != 2) return 2;
    mcp_status_t status = mcp_config_servers(argv[1], &names, &error);
    if (status == MCP_OK) status = mcp_document_new(names, strlen(names), &document, &error);
    mcp_value_t list = mcp_document_value(document);
    for (mcp_value_t it = mcp_value_first(list); mcp_value_type(it) == MCP_JSON_OBJECT; it = mcp_value_next(it)) {
        char *config = NULL, *why = NULL;
        const char *name = mcp_value_string(mcp_value_get(it, "name"), NULL);
        if (mcp_config_load(argv[1], name, &config, &why) == MCP_OK) {
            mcp_client_t *client = NULL; /* it starts nothing yet */
            printf("%s: %d\n", name, (int)mcp_client_new(config, NULL, &client, NULL));
            mcp_client_free(client);
        } else {
            printf("%s: %s\n", name, why);
        }
        mcp_string_free(config);
        mcp_string_free(why);
    }
    if (status != MCP_OK) fprintf(stderr, "%s\n", error);
    mcp_document_free(document);
    mcp_string_free(names);
    mcp_string_free(error);
    return status == MCP_OK ? 0 : 1;
}

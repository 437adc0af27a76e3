/*
 * all_tools FILE: prints every tool of every server of an "mcpServers" file, the format that editors use.
 *
 * All servers start at the same time and reply on one queue, so a slow server delays no other. A server that
 * fails is reported, and the program continues with the others.
 */
#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(const char *name, mcp_status_t status, char *error) {
    fprintf(stderr, "%s: %s\n", name, error != NULL ? error : mcp_status_name(status));
    mcp_string_free(error);
}

/* Makes a client of one server and asks for its tools. The tag of the call is a pointer to the name, for the reply. */
static mcp_client_t *ask(const char *path, const char *name, mcp_queue_t *queue) {
    char *config = NULL, *error = NULL;
    mcp_client_t *client = NULL;
    mcp_status_t status = mcp_config_load(path, name, &config, &error); /* also replaces "${VAR}" */
    if (status == MCP_OK) status = mcp_client_new(config, queue, &client, &error);
    if (status == MCP_OK) status = mcp_client_list_tools_start(client, NULL, (uintptr_t)name, NULL, &error);
    mcp_string_free(config);
    if (status == MCP_OK) return client;
    report(name, status, error);
    mcp_client_free(client);
    return NULL;
}

static void print_tools(const char *name, mcp_value_t tools) {
    printf("%s has %zu tools\n", name, mcp_value_size(tools));
    mcp_value_t tool = mcp_value_first(tools);
    for (; mcp_value_type(tool) != MCP_JSON_ABSENT; tool = mcp_value_next(tool)) {
        printf("  %s\n", mcp_value_string(mcp_value_get(tool, "name"), NULL));
    }
}

int main(int argc, char **argv) {
    char *text = NULL, *error = NULL;
    mcp_document_t *document = NULL;
    mcp_queue_t *queue = NULL;
    if (argc != 2) return fprintf(stderr, "usage: all_tools FILE\n"), 2;
    mcp_status_t status = mcp_config_servers(argv[1], &text, &error); /* [{"name":..., "disabled":...}, ...] */
    if (status == MCP_OK) status = mcp_document_new(text, strlen(text), &document, &error);
    if (status == MCP_OK) status = mcp_queue_new(NULL, &queue, &error);
    mcp_value_t servers = mcp_document_value(document);
    size_t count = mcp_value_size(servers), started = 0, ended = 0, answered = 0;
    mcp_client_t **clients = calloc(count + 1, sizeof(mcp_client_t *));
    if (status == MCP_OK && clients == NULL) status = MCP_ERROR_NO_MEMORY;
    mcp_value_t server = mcp_value_first(servers);
    for (; status == MCP_OK && mcp_value_type(server) != MCP_JSON_ABSENT; server = mcp_value_next(server)) {
        const char *name = mcp_value_string(mcp_value_get(server, "name"), NULL);
        bool disabled = false; /* "disabled": true in the file; a server without it keeps this */
        mcp_value_bool(mcp_value_get(server, "disabled"), &disabled);
        if (!disabled && (clients[started] = ask(argv[1], name, queue)) != NULL) started++;
    }
    while (status == MCP_OK && ended < started) {
        mcp_message_t *message = NULL; /* each call has exactly one outcome, so this wait needs no limit */
        status = mcp_queue_poll(queue, -1, &message);
        if (status == MCP_OK && mcp_message_kind(message) == MCP_KIND_REPLY) {
            const char *name = (const char *)(uintptr_t)mcp_message_tag(message);
            bool fine = mcp_message_status(message) == MCP_OK;
            if (fine) print_tools(name, mcp_value_get(mcp_message_value(message), "tools"));
            else fprintf(stderr, "%s: %s\n", name, mcp_message_error(message, NULL));
            answered += fine ? 1 : 0;
            ended++;
        }
        mcp_message_free(message);
    }
    if (status != MCP_OK) report(argv[1], status, error);
    else printf("%zu of %zu servers answered\n", answered, count);
    for (size_t i = 0; i < started; i++) mcp_client_free(clients[i]); /* this ends the server */
    mcp_queue_free(queue);
    mcp_document_free(document); /* the names of the servers belong to it */
    mcp_string_free(text);
    free(clients);
    return status == MCP_OK && answered > 0 ? 0 : 1;
}

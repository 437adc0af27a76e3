/*
 * all_tools FILE: prints every tool of every server of an "mcpServers" file, the format that editors use.
 *
 * All servers start at the same time and reply on one queue, so a slow server delays no other.
 */
#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>

/* A server of the file, by the pointer that is attached to its client. */
struct server {
    struct server *next;
    mcp_client_t *client;
    char name[64];
};

struct servers {
    struct server *first;
    size_t count, started;
};
/* Gets the client of each server that the file does not disable, or why there is none. Asks it for its tools. */
static void opened(void *user, const char *name, mcp_client_t *client, mcp_status_t status, const char *error) {
    struct servers *servers = user;
    char *why = NULL;
    struct server *server = status == MCP_OK ? calloc(1, sizeof *server) : NULL;
    servers->count++;
    if (server == NULL) { /* the program continues with the others */
        fprintf(stderr, "%s: %s\n", name, error != NULL ? error : "no memory is left");
        mcp_client_free(client);
        return;
    }
    snprintf(server->name, sizeof server->name, "%s", name);
    server->client = client;
    server->next = servers->first;
    servers->first = server;
    mcp_client_set_user(client, server);
    servers->started += mcp_call_start(client, "tools/list", NULL, NULL, 0, NULL, &why) == MCP_OK;
    if (why != NULL) fprintf(stderr, "%s: %s\n", name, why);
    mcp_string_free(why);
}

static void print_tools(const char *name, mcp_value_t result) {
    mcp_value_t tools = mcp_value_get(result, "tools");
    printf("%s has %zu tools\n", name, mcp_value_size(tools));
    for (mcp_value_t tool = mcp_value_first(tools); mcp_value_type(tool) != MCP_JSON_ABSENT; tool = mcp_value_next(tool)) {
        printf("  %s\n", mcp_value_string(mcp_value_get(tool, "name"), NULL));
    }
}

int main(int argc, char **argv) {
    struct servers servers = {NULL, 0, 0};
    size_t answered = 0, ended = 0;
    char *error = NULL;
    mcp_queue_t *queue = NULL;
    if (argc != 2) return fprintf(stderr, "usage: all_tools FILE\n"), 2;
    mcp_status_t status = mcp_queue_new(NULL, &queue, &error);
    if (status == MCP_OK) status = mcp_config_open(argv[1], queue, NULL, opened, &servers, &error); /* also replaces "${VAR}" */
    while (status == MCP_OK && ended < servers.started) {
        mcp_message_t *message = NULL; /* each call has exactly one outcome, so this wait needs no limit */
        status = mcp_queue_poll(queue, -1, &message);
        if (status == MCP_OK && mcp_message_kind(message) == MCP_KIND_REPLY) {
            const struct server *server = mcp_client_user(mcp_message_client(message));
            if (mcp_message_status(message) == MCP_OK) print_tools(server->name, mcp_message_value(message)), answered++;
            else fprintf(stderr, "%s: %s\n", server->name, mcp_message_error(message, NULL));
            ended++;
        }
        mcp_message_free(message);
    }
    if (status != MCP_OK) fprintf(stderr, "%s: %s\n", argv[1], error != NULL ? error : mcp_status_name(status));
    printf("%zu of %zu servers answered\n", answered, servers.count);
    mcp_string_free(error);
    for (struct server *server = servers.first, *next; server != NULL; server = next) {
        next = server->next;
        mcp_client_free(server->client); /* this ends the server */
        free(server);
    }
    mcp_queue_free(queue);
    return status == MCP_OK && answered > 0 ? 0 : 1;
}

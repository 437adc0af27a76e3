/*
 * multi_server FILE: every server of an "mcpServers" file, as editors and desktop programs have them, with one queue for
 * all. Each is asked for its tools; nothing waits for a slow one, and one that does not start is told and left out.
 */
#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>

#define PATIENCE_MS 30000

struct server {
    char *name;
    mcp_client_t *client;
};

/* The text of a file, NULL if it cannot be read; free() it. */
static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        size = ftell(file);
    }
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        text = malloc((size_t)size + 1);
    }
    if (text != NULL) {
        text[fread(text, 1, (size_t)size, file)] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static void complain(const char *name, mcp_status_t status, char *error) {
    fprintf(stderr, "%s: %s\n", name, error != NULL ? error : mcp_status_name(status));
    mcp_string_free(error);
}

/* Makes a client of one server and asks for its tools; the tag is its place in the list. Says whether it did. */
static int open_server(const char *path, struct server *server, mcp_queue_t *queue, size_t place) {
    char *config = NULL;
    char *error = NULL;
    /* This also fills in "${VAR}" from the environment. */
    mcp_status_t status = mcp_config_load(path, server->name, &config, &error);
    if (status == MCP_OK) {
        status = mcp_client_new_on(queue, config, &server->client, &error);
    }
    if (status == MCP_OK) {
        status = mcp_tools_list_start(server->client, NULL, place, NULL, &error);
    }
    mcp_string_free(config);
    if (status != MCP_OK) {
        complain(server->name, status, error);
    }
    return status == MCP_OK;
}

/* Prints how many tools a server has, and the name of the first. A program that wants all of them gives the list to a JSON
 * library: mcp_json_get() reads the whole text each time. */
static void show_tools(const char *name, const char *list) {
    char *tool = NULL;
    size_t count = 0;
    mcp_json_count(list, "/tools", &count);
    mcp_json_get(list, "/tools/0/name", &tool, NULL);
    printf("%s has %zu tools, the first is %s\n", name, count, tool != NULL ? tool : "without a name");
    mcp_string_free(tool);
}

int main(int argc, char **argv) {
    char *text = argc == 2 ? read_file(argv[1]) : NULL;
    size_t count = 0;
    if (text == NULL || mcp_json_count(text, "/mcpServers", &count) != MCP_OK || count == 0) {
        fprintf(stderr, "usage: multi_server FILE, a JSON file with an object \"mcpServers\"\n");
        free(text);
        return 2;
    }
    mcp_queue_t *queue = NULL;
    struct server *servers = calloc(count, sizeof *servers);
    mcp_status_t status = servers != NULL ? mcp_queue_new(NULL, &queue, NULL) : MCP_INTERNAL;
    size_t awaited = 0;
    size_t answered = 0;
    for (size_t i = 0; status == MCP_OK && i < count; i++) {
        if (mcp_json_key(text, "/mcpServers", i, &servers[i].name, NULL, NULL, NULL) == MCP_OK) {
            awaited += open_server(argv[1], &servers[i], queue, i) ? 1 : 0;
        }
    }
    while (status == MCP_OK && awaited > 0) {
        mcp_message_t *message = NULL;
        status = mcp_queue_poll(queue, PATIENCE_MS, &message);
        if (status != MCP_OK) {
            break;
        }
        /* Other kinds of messages are news of the connections. */
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            const struct server *server = &servers[mcp_message_tag(message)];
            awaited--;
            if (mcp_message_status(message) == MCP_OK) {
                answered++;
                show_tools(server->name, mcp_message_json(message, NULL));
            } else {
                fprintf(stderr, "%s: %s\n", server->name, mcp_message_json(message, NULL));
            }
        }
        mcp_message_free(message);
    }
    printf("%zu of %zu servers answered\n", answered, count);
    for (size_t i = 0; servers != NULL && i < count; i++) {
        mcp_client_free(servers[i].client);
        mcp_string_free(servers[i].name);
    }
    mcp_queue_free(queue);
    free(servers);
    free(text);
    return status == MCP_OK && answered > 0 ? 0 : 1;
}

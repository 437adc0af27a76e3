/*
 * resources_watch SERVER URI [COUNT]: reads a resource, and again whenever it changes, COUNT times (1).
 *
 * The same on every revision: up to 2025-11-25 the library sends a request to subscribe, later it opens a stream
 * for notifications. The subscription is there again after a reconnection. The example server changes nothing by
 * itself, so its tool "notify" is asked to say that something has changed.
 */
#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>

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

static mcp_status_t print_resource(mcp_client_t *client, const char *uri) {
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_client_read_resource(client, uri, NULL, &reply);
    const char *text = mcp_message_text(reply, NULL);
    printf("%s: %s\n", uri, text != NULL ? text : mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    return status;
}

int main(int argc, char **argv) {
    mcp_client_t *client = argc >= 3 ? open_client(argv[1], "") : NULL;
    if (client == NULL) {
        return 1;
    }
    mcp_message_t *message = NULL;
    mcp_status_t status = mcp_client_subscribe_resource(client, argv[2], NULL, &message);
    if (status != MCP_OK) {
        fprintf(stderr, "%s\n", mcp_message_json(message, NULL));
    }
    mcp_message_free(message);
    if (status == MCP_OK) {
        status = print_resource(client, argv[2]);
        mcp_client_call_tool_start(client, "notify", "{\"count\": 0}", NULL, 0, NULL, NULL);
    }
    for (int left = argc > 3 ? atoi(argv[3]) : 1; status == MCP_OK && left > 0;) {
        status = mcp_client_poll(client, 10000, &message);
        if (status != MCP_OK) {
            break;
        }
        if (mcp_message_topic(message) == MCP_TOPIC_RESOURCE_UPDATED) {
            printf("changed: %s\n", mcp_message_json(message, NULL));
            status = print_resource(client, argv[2]);
            left--;
        }
        mcp_message_free(message);
    }
    mcp_client_free(client);
    return status == MCP_OK ? 0 : 1;
}

/* weather_server: a resource that changes, and a client in the same program that hears of it.
 *
 * No handler runs before a client reads the resource.
 */
#include <mcp.h>
#include <stdio.h>

static const char NOW[] = "{\"name\": \"now\", \"uri\": \"weather://now\", \"mimeType\": \"application/json\"}";

static void on_now(void *user, mcp_message_t *request) {
    char result[128];
    snprintf(result, sizeof result, "{\"contents\": [{\"uri\": \"weather://now\", \"text\": \"%d degrees\"}]}", *(int *)user);
    mcp_request_respond(request, result, NULL);
    mcp_message_free(request);
}

int main(void) {
    int degrees = 7, told = 0;
    mcp_server_t *server = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *message = NULL, *reply = NULL;
    if (mcp_server_new("{\"name\": \"weather\", \"workers\": 1}", NULL, &server, NULL) != MCP_OK ||
        mcp_server_add_resource(server, NOW, on_now, &degrees, NULL, NULL) != MCP_OK ||
        mcp_client_new_in_process("{}", NULL, server, &client, NULL) != MCP_OK ||
        mcp_client_subscribe_resource(client, "weather://now", NULL, &reply) != MCP_OK) {
        return 1;
    }
    mcp_message_free(reply);
    degrees = 9; /* no handler runs yet: no read was asked for */
    mcp_server_resource_updated(server, "weather://now", NULL);
    while (!told && mcp_client_poll(client, 10000, &message) == MCP_OK) {
        told = mcp_message_topic(message) == MCP_TOPIC_RESOURCE_UPDATED;
        mcp_message_free(message);
    }
    mcp_client_read_resource(client, "weather://now", NULL, &reply);
    printf("%s\n", mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    mcp_client_free(client);
    mcp_server_free(server);
    return told ? 0 : 1;
}

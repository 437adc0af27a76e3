/*
 * client_calls SERVER: the calls of a client one after the other, on its own queue: connect without waiting, start calls and take their
 * outcomes from the queue or one by one, subscribe, set roots and the level of log messages, end a wait from elsewhere.
 */
#include <mcp.h>
#include <stdio.h>

/* Prints the outcome of a call; 1 if it failed. */
static int told(const char *what, mcp_status_t status, mcp_message_t *reply) {
    const char *text = mcp_message_text(reply, NULL);
    printf("%s: %s\n", what, text != NULL ? text : mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    return status != MCP_OK;
}

/* Takes messages until the reply with this tag. */
static int until_reply(mcp_client_t *client, uint64_t tag) {
    mcp_message_t *message = NULL;
    while (mcp_queue_poll(mcp_client_queue(client), 10000, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REPLY && mcp_message_tag(message) == tag)
            return told("from the queue", mcp_message_status(message), message);
        mcp_message_free(message);
    }
    return 1;
}

int main(int argc, char **argv) {
    char config[4096], *text = NULL, *error = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    uint64_t prompt = 0, resource = 0;
    mcp_status_t status;
    if (argc != 2 || mcp_json_quote(argv[1], &text) != MCP_OK) return 2;
    snprintf(config, sizeof config, "{\"command\": %s, \"roots\": []}", text);
    mcp_string_free(text);
    if (mcp_client_new(config, NULL, &client, &error) != MCP_OK ||
        mcp_client_connect_start(client, 10000, 1, NULL, &error) != MCP_OK) {
        fprintf(stderr, "%s\n", error);
        mcp_string_free(error);
        mcp_client_free(client);
        return 1;
    }
    int failed = until_reply(client, 1);

    /* Two calls at once; the replies in the order in which the program wants them. */
    mcp_client_get_prompt_start(client, "greet", "{\"name\": \"Ada\"}", NULL, 2, &prompt, NULL);
    mcp_client_read_resource_start(client, "demo://greeting", NULL, 3, &resource, NULL);
    status = mcp_call_wait(client, resource, -1, &reply);
    failed |= told("resource", status, reply);
    status = mcp_call_wait(client, prompt, -1, &reply);
    failed |= told("prompt", status, reply);

    /* Changes of a resource arrive as notifications between these two. */
    status = mcp_client_subscribe_resource(client, "demo://greeting", NULL, &reply);
    failed |= told("subscribed", status, reply);
    status = mcp_client_unsubscribe_resource(client, "demo://greeting", NULL, &reply);
    failed |= told("unsubscribed", status, reply);
    status = mcp_client_set_server_log_level(client, "warning", NULL, &reply);
    failed |= told("level", status, reply);

    failed |= mcp_client_set_roots(client, "[\"file:///home/ada/project\"]", NULL) != MCP_OK;
    failed |= mcp_client_notify(client, "notifications/com.example/saved", "{\"file\": \"a.c\"}", NULL) != MCP_OK;
    failed |= mcp_client_clear_cache(client) != MCP_OK;

    /* From another thread, or a signal handler: the wait ends although there is no message. */
    mcp_client_wake(client);
    while ((status = mcp_client_poll(client, 1000, &reply)) == MCP_OK) mcp_message_free(reply);
    printf("woken: %d\n", status == MCP_WOKEN);
    mcp_client_free(client);
    return failed || status != MCP_WOKEN;
}

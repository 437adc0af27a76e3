/*
 * tasks SERVER: a tool call that takes its time and runs as a task. Its states are printed as they come, its question is
 * answered, and in the end there is one outcome, as for any call. The id of the task is printed too: a program that keeps it
 * can ask for the outcome later with mcp_client_get_task_result(), even after a restart of its own.
 *
 * Whether the client asks for the task (2025-11-25) or the server decides (2026-07-28) makes no difference here.
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

/* Prints one member of the task's state, if it is there. */
static void print_member(const char *state, const char *pointer, const char *label) {
    char *value = NULL;
    if (mcp_json_get(state, pointer, &value, NULL) == MCP_OK) {
        printf("%s%s", label, value);
        mcp_string_free(value);
    }
}

int main(int argc, char **argv) {
    mcp_client_t *client =
        argc == 2 ? open_client(argv[1], ", \"tasks\": true, \"capabilities\": {\"elicitation\": {}}") : NULL;
    if (client == NULL) {
        return 1;
    }
    char *error = NULL;
    mcp_status_t status = mcp_client_call_tool_start(
        client, "research", "{\"topic\": \"honey\", \"ms\": 400, \"question\": \"Which colour?\"}", NULL, 1, NULL, &error);
    if (status != MCP_OK) {
        fprintf(stderr, "%s\n", error);
        mcp_string_free(error);
    }
    for (int done = 0; status == MCP_OK && !done;) {
        mcp_message_t *message = NULL;
        status = mcp_client_poll(client, 60000, &message);
        if (status != MCP_OK) {
            break;
        }
        const char *json = mcp_message_json(message, NULL);
        if (mcp_message_topic(message) == MCP_TOPIC_TASK) {
            print_member(json, "/taskId", "task ");
            print_member(json, "/status", ": ");
            printf("\n");
        } else if (mcp_message_topic(message) == MCP_TOPIC_ELICITATION) {
            print_member(json, "/message", "the server asks: ");
            printf("\n");
            status = mcp_request_respond_elicitation(message, "accept", "{\"answer\": \"amber\"}", NULL);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            const char *text = mcp_message_text(message, NULL);
            status = mcp_message_status(message);
            printf("the outcome: %s\n", text != NULL ? text : json);
            done = 1;
        }
        mcp_message_free(message);
    }
    mcp_client_free(client);
    return status == MCP_OK ? 0 : 1;
}

/*
 * elicitation SERVER: a tool that asks the person something. The question is printed, the answer read from the
 * terminal; an empty line declines, and the end of the input cancels.
 *
 * Whether the server sends a request of its own (up to 2025-11-25) or answers the call with what it wants to know
 * (2026-07-28) makes no difference here.
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

/* Answers a form with one field, "answer". An answer that the form does not allow is asked for again. */
static mcp_status_t answer(mcp_message_t *request) {
    char *question = NULL;
    char line[512];
    mcp_status_t status = mcp_json_get(mcp_message_json(request, NULL), "/message", &question, NULL);
    do {
        printf("The server asks: %s\n> ", status == MCP_OK ? question : "?");
        fflush(stdout);
        char *quoted = NULL;
        char *error = NULL;
        char content[4096];
        if (fgets(line, sizeof line, stdin) == NULL) {
            status = mcp_request_respond_elicitation(request, "cancel", NULL, &error);
        } else if (line[strcspn(line, "\n")] = '\0', line[0] == '\0') {
            status = mcp_request_respond_elicitation(request, "decline", NULL, &error);
        } else if ((status = mcp_json_quote(line, &quoted)) == MCP_OK) {
            snprintf(content, sizeof content, "{\"answer\": %s}", quoted);
            status = mcp_request_respond_elicitation(request, "accept", content, &error);
        }
        if (status != MCP_OK) {
            printf("%s\n", error != NULL ? error : mcp_status_name(status));
        }
        mcp_string_free(error);
        mcp_string_free(quoted);
    } while (status == MCP_ERROR_INVALID_ARGUMENT);
    mcp_string_free(question);
    return status;
}

int main(int argc, char **argv) {
    mcp_client_t *client = argc == 2 ? open_client(argv[1], ", \"capabilities\": {\"elicitation\": {}}") : NULL;
    if (client == NULL) {
        return 1;
    }
    mcp_status_t status =
        mcp_client_call_tool_start(client, "ask", "{\"question\": \"Which colour?\"}", NULL, 1, NULL, NULL);
    for (int done = 0; status == MCP_OK && !done;) {
        mcp_message_t *message = NULL;
        status = mcp_client_poll(client, 60000, &message);
        if (status != MCP_OK) {
            break;
        }
        if (mcp_message_topic(message) == MCP_TOPIC_ELICITATION) {
            status = answer(message);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            status = mcp_message_status(message);
            const char *text = mcp_message_text(message, NULL);
            printf("The tool says: %s\n", text != NULL ? text : mcp_message_json(message, NULL));
            done = 1;
        }
        mcp_message_free(message);
    }
    mcp_client_free(client);
    return status == MCP_OK ? 0 : 1;
}

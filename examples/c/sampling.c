/*
 * sampling SERVER TOOL [ARGUMENTS]: calls a tool whose server asks for a model's answer on the way, and gives it one. The
 * model here is canned: it says what it was told, in as many words as maxTokens allows.
 *
 * A program with a real model shows the request to a person first, and the answer before it is sent: a server can write
 * anything into either. Whether the server sends a request of its own (up to 2025-11-25) or answers the call with what it
 * wants to know (2026-07-28) makes no difference here.
 */
#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of the last message that the model is to answer; NULL if it has none. It is valid as long as the request. */
static const char *last_text(const mcp_message_t *request) {
    mcp_value_t messages = mcp_value_get(mcp_message_value(request), "messages");
    mcp_value_t content = mcp_value_get(mcp_value_at(messages, mcp_value_size(messages) - 1), "content");
    /* The content is one block, or from 2025-11-25 on a list of them. */
    mcp_value_t block = mcp_value_type(content) == MCP_JSON_ARRAY ? mcp_value_first(content) : content;
    return mcp_value_string(mcp_value_get(block, "text"), NULL);
}

/* Cuts a text to this many words. Says whether there were more. */
static int cut(char *text, long words) {
    for (char *at = text; *at != '\0'; at++) {
        if (*at == ' ' && --words <= 0) {
            *at = '\0';
            return 1;
        }
    }
    return 0;
}

/* Answers one request for a model. */
static mcp_status_t answer(mcp_message_t *request) {
    const char *prompt = last_text(request);
    char *limit = NULL;
    char *error = NULL;
    char *quoted = NULL;
    char *result = NULL;
    mcp_status_t status = MCP_OK;
    if (prompt == NULL) {
        status =
            mcp_request_respond_error(request, -32602, "There is no text to answer", NULL, &error);
    } else {
        mcp_json_get(mcp_message_json(request, NULL), "/maxTokens", &limit, NULL);
        printf("The server asks the model: %s (at most %s tokens)\n", prompt, limit != NULL ? limit : "?");
        size_t size = strlen(prompt) + 32;
        char *said = malloc(size);
        if (said == NULL) {
            status = MCP_ERROR_INTERNAL;
        } else {
            snprintf(said, size, "I was told: %s", prompt);
            int more = cut(said, limit != NULL ? strtol(limit, NULL, 10) : 100);
            status = mcp_json_quote(said, &quoted);
            size = quoted != NULL ? strlen(quoted) + 160 : 0;
            result = status == MCP_OK ? malloc(size) : NULL;
            if (result != NULL) {
                snprintf(result, size,
                         "{\"role\": \"assistant\", \"model\": \"canned\", \"stopReason\": \"%s\", "
                         "\"content\": {\"type\": \"text\", \"text\": %s}}",
                         more ? "maxTokens" : "endTurn", quoted);
                status = mcp_request_respond(request, result, &error);
                printf("The model says: %s\n", said);
            }
        }
        free(said);
    }
    if (status != MCP_OK) {
        fprintf(stderr, "%s\n", error != NULL ? error : mcp_status_name(status));
    }
    free(result);
    mcp_string_free(quoted);
    mcp_string_free(limit);
    mcp_string_free(error);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: sampling SERVER TOOL [ARGUMENTS]\n");
        return 2;
    }
    char config[4096];
    char *text = NULL;
    mcp_client_t *client = NULL;
    if (mcp_json_quote(argv[1], &text) != MCP_OK) {
        return 1;
    }
    snprintf(config, sizeof config, "{\"command\": %s, \"capabilities\": {\"sampling\": {}}}", text);
    mcp_string_free(text);
    text = NULL;
    mcp_status_t status = mcp_client_new(config, NULL, &client, &text);
    if (status == MCP_OK) {
        status = mcp_client_call_tool_start(client, argv[2], argc > 3 ? argv[3] : NULL, NULL, 1, NULL, &text);
    }
    for (int done = 0; status == MCP_OK && !done;) {
        mcp_message_t *message = NULL;
        status = mcp_client_poll(client, 60000, &message);
        if (status != MCP_OK) {
            break;
        }
        if (mcp_message_topic(message) == MCP_TOPIC_SAMPLING) {
            status = answer(message);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            const char *said = mcp_message_text(message, NULL);
            status = mcp_message_status(message);
            printf("The tool says: %s\n", said != NULL ? said : mcp_message_json(message, NULL));
            done = 1;
        }
        mcp_message_free(message);
    }
    if (text != NULL) {
        fprintf(stderr, "%s\n", text);
        mcp_string_free(text);
    }
    mcp_client_free(client);
    return status == MCP_OK ? 0 : 1;
}

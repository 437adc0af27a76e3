/*
 * progress SERVER: a call that takes a while, with a bar that follows it.
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
    if (mcp_client_new(config, &client, &text) != MCP_OK || mcp_client_connect(client, 10000, &text) != MCP_OK) {
        fprintf(stderr, "%s\n", text != NULL ? text : "no client");
        mcp_string_free(text);
        mcp_client_free(client);
        return NULL;
    }
    return client;
}

static double number_at(const char *json, const char *pointer, double otherwise) {
    char *text = NULL;
    double number = mcp_json_get(json, pointer, &text, NULL) == MCP_OK ? strtod(text, NULL) : otherwise;
    mcp_string_free(text);
    return number;
}

int main(int argc, char **argv) {
    mcp_client_t *client = argc == 2 ? open_client(argv[1], "") : NULL;
    if (client == NULL) {
        return 1;
    }
    char *error = NULL;
    mcp_status_t status = mcp_tools_call_start(client, "slow", "{\"ms\": 400, \"steps\": 8}", "{\"progress\": true}", 1,
                                               NULL, &error);
    if (status != MCP_OK) {
        fprintf(stderr, "%s\n", error != NULL ? error : mcp_status_name(status));
        mcp_string_free(error);
    }
    for (int done = 0; status == MCP_OK && !done;) {
        mcp_message_t *message = NULL;
        status = mcp_poll(client, 10000, &message);
        if (status != MCP_OK) {
            break;
        }
        const char *json = mcp_message_json(message, NULL);
        if (mcp_message_kind(message) == MCP_KIND_PROGRESS) {
            int percent = (int)(100 * number_at(json, "/progress", 0) / number_at(json, "/total", 1));
            printf("\r[%-25.*s] %3d %%", percent / 4, "#########################", percent);
            fflush(stdout);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            status = mcp_message_status(message);
            printf("\n%s\n", status == MCP_OK ? mcp_message_text(message, NULL) : json);
            done = 1;
        }
        mcp_message_free(message);
    }
    mcp_client_free(client);
    return status == MCP_OK ? 0 : 1;
}

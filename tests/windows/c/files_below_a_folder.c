/*
 * The files below a folder are resources, and nothing else is read: not what lies above it, no device, no stream of a file, and no
 * folder.
 */
#include "served.h"

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    CHECK_GE(fputs(text, file), 0);
    CHECK_EQ(fclose(file), 0);
}

static mcp_message_t *reading(mcp_client_t *client, const char *uri) {
    mcp_message_t *reply = NULL;
    char *params = format("{\"uri\":\"%s\"}", uri);
    (void)mcp_call(client, "resources/read", params, NULL, &reply);
    CHECK(reply != NULL);
    free(params);
    return reply;
}

int main(void) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    const char *template = "{\"name\":\"docs\",\"uriTemplate\":\"docs:///{+path}\"}";
    mkdir("folder");
    mkdir("folder/deep");
    put("folder-secret.txt", "secret text");
    put("folder/a.txt", "first");
    put("folder/deep/b", "second");
    CHECK_STATUS(mcp_server_add_folder(server, template, "no-such-folder", &error), MCP_ERROR_UNAVAILABLE);
    CHECK_CONTAINS(error, "no-such-folder");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_add_folder(server, template, "folder", NULL), MCP_OK);
    pthread_t serving = start_thread(serve_on, server);
    CHECK_STATUS(mcp_client_new_in_process("{}", NULL, server, &client, NULL), MCP_OK);

    mcp_message_t *reply = reading(client, "docs:///a.txt");
    CHECK(json_is(mcp_message_json(reply, NULL), "/contents/0/text", "first"));
    mcp_message_free(reply);
    reply = reading(client, "docs:///deep/b");
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    static const char *const refused[] = {
        "docs:///../folder-secret.txt", "docs:///%2e%2e/folder-secret.txt", "docs:///..%5cfolder-secret.txt",
        "docs:///deep",                 "docs:///NUL",                      "docs:///a.txt:stream",
        "docs:///a.txt::$DATA",         "docs:///C:/windows/win.ini",       "docs:///none",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        reply = reading(client, refused[i]);
        if (mcp_message_status(reply) != MCP_ERROR_SERVER) {
            FAIL("%s: %s", refused[i], mcp_message_json(reply, NULL));
        }
        mcp_message_free(reply);
    }
    close_and_free(client);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(serving);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    return 0;
}

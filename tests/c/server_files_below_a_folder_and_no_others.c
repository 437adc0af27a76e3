/* The files below a folder are resources: text or bytes, in folders of folders; what a name could lead to outside of it, symbolic
 * links among it, is not found, in whatever way it is written; a file over the bound is an error; a folder that is not there is
 * told when it is added. */
#include "served.h"

#include <sys/stat.h>

static void put(const char *folder, const char *name, const void *bytes, size_t length) {
    char *path = format("%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(bytes, 1, length, file), length);
    CHECK_EQ(fclose(file), 0);
    free(path);
}

/* Reads a resource; free the reply. */
static mcp_message_t *reading(mcp_client_t *client, const char *uri) {
    mcp_message_t *reply = NULL;
    char *params = format("{\"uri\":\"%s\"}", uri);
    (void)mcp_call(client, "resources/read", params, NULL, &reply);
    CHECK(reply != NULL);
    free(params);
    return reply;
}

static void is_refused(mcp_client_t *client, const char *uri, const char *code) {
    mcp_message_t *reply = reading(client, uri);
    if (mcp_message_status(reply) != MCP_ERROR_SERVER || !json_is(mcp_message_json(reply, NULL), "/code", code)) {
        FAIL("%s: %s", uri, mcp_message_json(reply, NULL));
    }
    CHECK(strstr(mcp_message_json(reply, NULL), "secret text") == NULL);
    mcp_message_free(reply);
}

static void check(mcp_server_t *server, const char *protocol, const char *not_found) {
    mcp_client_t *client = NULL;
    char *config = format("{\"protocol\":\"%s\"}", protocol);
    CHECK_STATUS(mcp_client_new_in_process(config, NULL, server, &client, NULL), MCP_OK);
    free(config);
    mcp_message_t *reply = reading(client, "docs:///a.txt");
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK(json_is(mcp_message_json(reply, NULL), "/contents/0/text", "first"));
    CHECK(json_is(mcp_message_json(reply, NULL), "/contents/0/uri", "docs:///a.txt"));
    CHECK(json_is(mcp_message_json(reply, NULL), "/contents/0/mimeType", "text/plain"));
    mcp_message_free(reply);
    reply = reading(client, "docs:///deep/er/b%20c");
    CHECK(json_is(mcp_message_json(reply, NULL), "/contents/0/blob", "/wA="));
    mcp_message_free(reply);
    static const char *const refused[] = {
        "docs:///../secret",  "docs:///%2e%2e/secret", "docs:///deep/../../secret", "docs:///deep/%2E%2E/%2e%2e/secret",
        "docs:////etc/hosts", "docs:///link",          "docs:///up/secret",         "docs:///%2e%2e%2fsecret",
        "docs:///deep",       "docs:///pipe",          "docs:///none",              "docs:///a.txt%00",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        is_refused(client, refused[i], not_found);
    }
    is_refused(client, "docs:///large", "-32603");
    close_and_free(client);
}

int main(void) {
    struct holdings held = holdings_now();
    char root[] = "/tmp/mcp-test-XXXXXX";
    CHECK(mkdtemp(root) != NULL);
    static const char large[1001];
    char *inside = format("%s/inside", root);
    char *deep = format("%s/inside/deep", root);
    char *deeper = format("%s/inside/deep/er", root);
    char *link = format("%s/inside/link", root);
    char *up = format("%s/inside/up", root);
    char *fifo = format("%s/inside/pipe", root);
    CHECK_EQ(mkdir(inside, 0700) + mkdir(deep, 0700) + mkdir(deeper, 0700), 0);
    CHECK_EQ(symlink("../secret", link) + symlink("..", up) + mkfifo(fifo, 0600), 0);
    put(root, "secret", "secret text", 11);
    put(inside, "a.txt", "first", 5);
    put(inside, "large", large, sizeof large);
    put(deeper, "b c", "\xff\0", 2);

    mcp_server_t *server = new_server("{\"name\":\"s\",\"workers\":1,\"limits\":{\"file_bytes\":1000}}");
    static const char template[] = "{\"name\":\"docs\",\"uriTemplate\":\"docs:///{+path}\",\"mimeType\":\"text/plain\"}";
    char *error = NULL;
    CHECK_STATUS(mcp_server_add_folder(server, template, "/nowhere/at/all", &error), MCP_ERROR_UNAVAILABLE);
    CHECK_CONTAINS(error, "/nowhere/at/all");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_add_folder(server, "{\"name\":\"d\",\"uriTemplate\":\"d:///{name}\"}", inside, &error),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "{+path}");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_add_folder(server, "{\"name\":\"d\"}", inside, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "uriTemplate");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_add_folder(server, template, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_add_folder(server, template, inside, NULL), MCP_OK);
    check(server, "legacy", "-32002");
    check(server, "modern", "-32602");
    CHECK_STATUS(mcp_server_free(server), MCP_OK);

    char *command = format("rm -r %s", root);
    CHECK_EQ(system(command), 0);
    free(command);
    free(fifo);
    free(up);
    free(link);
    free(deeper);
    free(deep);
    free(inside);
    check_nothing_left(held);
    return 0;
}

/*
 * mcp_config_open makes a client for each server of an mcpServers file that is not disabled, in the order of the file, on one queue.
 * A server whose entry is wrong is an error of its own, with file and server, and costs no other. Defaults are for what an entry
 * does not say. A file that is wrong as a whole is an error of the call, and nothing is opened.
 */
#include "check.h"

static char path[] = "/tmp/mcp-test-XXXXXX";

static void write_file(const char *text) {
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    CHECK_GE(fputs(text, file), 0);
    CHECK_EQ(fclose(file), 0);
}

struct seen {
    size_t count, clients;
    mcp_client_t *client[4];
    char names[200];
    char error[2000];
    mcp_status_t failed;
};

static void opened(void *user, const char *name, mcp_client_t *client, mcp_status_t status, const char *error) {
    struct seen *seen = user;
    seen->count++;
    strcat(seen->names, name);
    strcat(seen->names, " ");
    CHECK_EQ(client != NULL, status == MCP_OK);
    CHECK_EQ(error == NULL, status == MCP_OK);
    if (client != NULL) {
        CHECK(seen->clients < 4);
        seen->client[seen->clients++] = client;
    } else {
        seen->failed = status;
        snprintf(seen->error, sizeof seen->error, "%s", error);
    }
}

static void check_all(const char *server) {
    char *text = format("{\"mcpServers\":{"
                        "\"first\":{\"command\":\"%s\",\"protocol\":\"2025-03-26\"},"
                        "\"off\":{\"command\":\"%s\",\"disabled\":true},"
                        "\"unset\":{\"command\":\"x\",\"env\":{\"KEY\":\"${MCP_TEST_NOT_SET}\"}},"
                        "\"second\":{\"command\":\"%s\",\"autoApprove\":[]},\"away\":{\"command\":\"x\",\"enabled\":false}}}",
                        server, server, server);
    write_file(text);
    free(text);
    CHECK_EQ(unsetenv("MCP_TEST_NOT_SET"), 0);
    mcp_queue_t *queue = NULL;
    struct seen seen = {0};
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    char *error = NULL;
    CHECK_STATUS(mcp_config_open(path, queue, "{\"defaults\":{\"protocol\":\"2025-06-18\"}}", opened, &seen, &error), MCP_OK);
    CHECK(error == NULL);
    CHECK_TEXT(seen.names, "first unset second ");
    CHECK_EQ(seen.clients, 2);
    CHECK_STATUS(seen.failed, MCP_ERROR_INVALID_ARGUMENT);
    CHECK(json_is(seen.error, "/details/server", "unset"));
    CHECK(json_is(seen.error, "/details/path", path));
    CHECK_CONTAINS(seen.error, "MCP_TEST_NOT_SET");
    for (size_t i = 0; i < seen.clients; i++) {
        CHECK_STATUS(mcp_call_start(seen.client[i], "tools/list", NULL, NULL, i, NULL, NULL), MCP_OK);
    }
    for (size_t replies = 0; replies < seen.clients;) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_STATUS(mcp_message_status(message), MCP_OK);
            CHECK(mcp_message_client(message) == seen.client[mcp_message_tag(message)]);
            replies++;
        }
        mcp_message_free(message);
    }
    static const char *const revisions[] = {"2025-03-26", "2025-06-18"};
    for (size_t i = 0; i < seen.clients; i++) {
        char *info = NULL;
        CHECK_STATUS(mcp_client_info(seen.client[i], &info, NULL), MCP_OK);
        CHECK(json_is(info, "/revision", revisions[i]));
        mcp_string_free(info);
        CHECK_STATUS(mcp_client_free(seen.client[i]), MCP_OK);
    }
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void check_refused(mcp_status_t expected, const char *options, const char *says) {
    struct seen seen = {0};
    char *error = NULL;
    CHECK_STATUS(mcp_config_open(path, NULL, options, opened, &seen, &error), expected);
    CHECK_EQ(seen.count, 0);
    if (says != NULL) {
        CHECK_CONTAINS(error, says);
    }
    mcp_string_free(error);
}

int main(int argc, char **argv) {
    struct holdings held = holdings_now();
    CHECK_EQ(argc, 3);
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    close(file);
    check_all(argv[1]);
    check_refused(MCP_ERROR_INVALID_ARGUMENT, "{\"default\":{}}", "defaults");
    check_refused(MCP_ERROR_INVALID_ARGUMENT, "{\"defaults\":7}", "defaults");
    CHECK_STATUS(mcp_config_open(path, NULL, NULL, NULL, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    write_file("{\"mcpServers\":{\"off\":{\"disabled\":true}}}");
    check_refused(MCP_EMPTY, NULL, NULL);
    write_file("{\"mcpServers\":{\"a\":{},\"a\":{}}}");
    check_refused(MCP_ERROR_INVALID_ARGUMENT, NULL, path);
    write_file("{\"mcpServers\":");
    check_refused(MCP_ERROR_INVALID_ARGUMENT, NULL, "JSON");
    CHECK_EQ(unlink(path), 0);
    check_refused(MCP_ERROR_INVALID_ARGUMENT, NULL, path);
    check_nothing_left(held);
    return 0;
}

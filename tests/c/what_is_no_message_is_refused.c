/*
 * Messages are looked up, not followed: a number, the address of something else, a handle of another kind and a message
 * that was freed are refused by every function that takes a message. Nothing is read through them.
 */
#include "check.h"

static void check_refused(const void *address) {
    const mcp_message_t *message = address;
    size_t length = 7;
    char *error = NULL;
    CHECK_EQ(mcp_message_kind(message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(mcp_message_client(message) == NULL);
    CHECK_EQ(mcp_message_call_id(message), 0);
    CHECK_EQ(mcp_message_tag(message), 0);
    CHECK(mcp_message_method(message) == NULL);
    CHECK_EQ(mcp_message_topic(message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(mcp_message_json(message, &length) == NULL);
    CHECK(mcp_message_text(message, &length) == NULL);
    CHECK_STATUS(mcp_request_respond(message, "{}", &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, message == NULL ? "mcp_request_respond(): request is NULL" : "request is no live message");
    mcp_string_free(error);
    CHECK_STATUS(mcp_request_respond_error(message, -1, "no", NULL, NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_accept_elicitation(message, "{}", NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_decline_elicitation(message, NULL), MCP_ERROR_INVALID_ARGUMENT);
    if (message != NULL) {
        CHECK_STATUS(mcp_message_free((mcp_message_t *)message), MCP_ERROR_INVALID_ARGUMENT);
    }
}

/* Many messages at once, and each handle of an old one tried while the memory of all is used again. */
static void check_many(mcp_client_t *client) {
    enum { MANY = 300 };
    mcp_message_t *first[MANY];
    mcp_message_t *second[MANY];
    for (int i = 0; i < MANY; i++) {
        CHECK(mcp_call(client, "", NULL, NULL, &first[i]) == MCP_ERROR_INVALID_ARGUMENT);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK_EQ(mcp_message_kind(first[i]), MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_free(first[i]), MCP_OK);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK(mcp_call(client, "", NULL, NULL, &second[i]) == MCP_ERROR_INVALID_ARGUMENT);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK_STATUS(mcp_message_free(first[i]), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_EQ(mcp_message_kind(first[i]), MCP_ERROR_INVALID_ARGUMENT);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK_EQ(mcp_message_kind(second[i]), MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_free(second[i]), MCP_OK);
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_message_t *freed = call_tool(client, "pid", NULL, NULL);
    mcp_message_t *live = call_tool(client, "pid", NULL, NULL);
    CHECK_STATUS(mcp_message_free(freed), MCP_OK);

    static long ours[64];
    void *block = malloc(64);
    check_refused(NULL);
    for (uintptr_t number = 1; number < 256; number++) {
        check_refused((const void *)number);
    }
    check_refused((const void *)UINTPTR_MAX);
    check_refused(ours);
    check_refused((const char *)ours + 4);
    check_refused(block);
    check_refused("text");
    check_refused(mcp_message_json(live, NULL));
    check_refused(client);
    check_refused(queue);
    check_refused(freed);
    CHECK_STATUS(mcp_client_connect((mcp_client_t *)live, 10, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_free((mcp_queue_t *)live), MCP_ERROR_INVALID_ARGUMENT);
    check_many(client);

    CHECK_EQ(mcp_message_kind(live), MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_free(live), MCP_OK);
    check_refused(live);
    free(block);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    close_and_free(client);
    return 0;
}

/*
 * The values of a message: results, error objects and parameters are read from threads at the same time and in
 * a child of fork, strings stay where they are, also when the text of a large result was asked for first. After
 * the message is freed its values do not exist.
 */
#include "check.h"

#define THREADS 8

static mcp_value_t shared;

static mcp_value_t first_text(mcp_message_t *reply) {
    return mcp_value_get(mcp_value_at(mcp_value_get(mcp_message_value(reply), "content"), 0), "text");
}

/* All threads are given the same strings, decoded once. */
static void *read_strings(void *unused) {
    (void)unused;
    const void *seen = NULL;
    for (int i = 0; i < scaled(2000, 100); i++) {
        size_t length = 0;
        const char *text = mcp_value_string(shared, &length);
        CHECK_TEXT(text, "a\n\"b\"");
        CHECK_EQ(length, 5);
        CHECK(seen == NULL || seen == text);
        seen = text;
        for (mcp_value_t member = mcp_value_first(mcp_value_get(mcp_value_key(shared), "none"));
             mcp_value_type(member) != MCP_JSON_ABSENT; member = mcp_value_next(member)) {
            FAIL("a string has no members");
        }
    }
    return (void *)(uintptr_t)seen;
}

static void check_threads(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"a\\n\\\"b\\\"\"}", NULL);
    shared = first_text(reply);
    pthread_t threads[THREADS];
    void *seen[THREADS];
    for (int i = 0; i < THREADS; i++) {
        threads[i] = start_thread(read_strings, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK_EQ(pthread_join(threads[i], &seen[i]), 0);
        CHECK(seen[i] == seen[0]);
    }
    CHECK_STATUS(mcp_message_free(reply), MCP_OK);
    CHECK_EQ(mcp_value_type(shared), MCP_JSON_ABSENT);
    CHECK(mcp_value_string(shared, NULL) == NULL);
    CHECK_EQ(mcp_value_type(mcp_value_next(shared)), MCP_JSON_ABSENT);
}

static void check_large(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "big", "{\"bytes\":100000}", NULL);
    size_t text_length = 0;
    const char *text = mcp_message_text(reply, &text_length);
    CHECK_EQ(text_length, 100000);
    size_t length = 0;
    const char *view = mcp_value_view(first_text(reply), &length);
    CHECK_EQ(length, text_length);
    CHECK(memcmp(view, text, length) == 0);
    const char *copy = mcp_value_string(first_text(reply), &length);
    CHECK_EQ(strlen(copy), text_length);
    CHECK(mcp_value_is(first_text(reply), text));
    CHECK_EQ(mcp_value_type(mcp_value_next(mcp_message_value(reply))), MCP_JSON_ABSENT);
    const char *json = mcp_message_json(reply, &length);
    size_t written = 0;
    CHECK(mcp_value_json(mcp_message_value(reply), &written) == json && written == length);
    CHECK_STATUS(mcp_message_free(reply), MCP_OK);
}

static void check_failure(mcp_client_t *client) {
    mcp_message_t *failure = NULL;
    int64_t code = 0;
    bool retryable = true;
    CHECK_STATUS(mcp_call(client, "no/such/method", NULL, NULL, &failure), MCP_ERROR_SERVER);
    mcp_value_t error = mcp_message_value(failure);
    CHECK_STATUS(mcp_value_int64(mcp_value_get(error, "code"), &code), MCP_OK);
    CHECK_EQ(code, -32601);
    CHECK(mcp_value_is(mcp_value_get(error, "status"), "server"));
    CHECK_STATUS(mcp_value_bool(mcp_value_get(error, "retryable"), &retryable), MCP_OK);
    CHECK(mcp_value_string(mcp_value_get(error, "message"), NULL) != NULL);
    CHECK_STATUS(mcp_message_free(failure), MCP_OK);
}

/* Runs in the child; the result tells which check failed. */
static int read_in_child(mcp_message_t *reply, mcp_document_t *document, mcp_builder_t *builder) {
    const char *json = NULL;
    mcp_document_t *own = NULL;
    const char *text = mcp_value_string(first_text(reply), NULL);
    if (text == NULL || strcmp(text, "c\td") != 0) return 2;
    text = mcp_value_string(mcp_value_first(mcp_document_value(document)), NULL);
    if (text == NULL || strcmp(text, "x\ny") != 0) return 3;
    if (mcp_document_free(document) != MCP_ERROR_FORKED || mcp_builder_free(builder) != MCP_ERROR_FORKED) return 4;
    mcp_builder_null(builder);
    if (mcp_builder_finish(builder, &json, NULL, NULL) != MCP_ERROR_FORKED || json != NULL) return 5;
    if (mcp_document_new("[7]", 3, &own, NULL) != MCP_OK) return 6;
    if (mcp_value_size(mcp_document_value(own)) != 1 || mcp_document_free(own) != MCP_OK) return 7;
    return 0;
}

static void check_fork(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"c\\td\"}", NULL);
    mcp_document_t *document = NULL;
    CHECK_STATUS(mcp_document_new("[\"x\\ny\"]", 8, &document, NULL), MCP_OK);
    mcp_builder_t *builder = mcp_builder_new();
    pid_t child = fork();
    CHECK_NE(child, -1);
    if (child == 0) {
        end_child(read_in_child(reply, document, builder));
    }
    int outcome = 0;
    CHECK_EQ(waitpid(child, &outcome, 0), child);
    CHECK(WIFEXITED(outcome));
    CHECK_EQ(WEXITSTATUS(outcome), 0);
    CHECK_STATUS(mcp_builder_free(builder), MCP_OK);
    CHECK_STATUS(mcp_document_free(document), MCP_OK);
    CHECK_STATUS(mcp_message_free(reply), MCP_OK);
}

/* Each kind of handle is refused where another is expected, and a slot that is used again names nothing old. */
static void check_handles(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "pid", NULL, NULL);
    mcp_document_t *document = NULL;
    CHECK_STATUS(mcp_document_new("[1]", 3, &document, NULL), MCP_OK);
    CHECK_EQ(mcp_value_type(mcp_message_value((mcp_message_t *)document)), MCP_JSON_ABSENT);
    CHECK_EQ(mcp_value_type(mcp_document_value((mcp_document_t *)reply)), MCP_JSON_ABSENT);
    CHECK_STATUS(mcp_document_free((mcp_document_t *)reply), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_message_free((mcp_message_t *)document), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(mcp_message_json((mcp_message_t *)document, NULL) == NULL);
    CHECK_EQ(mcp_value_type(mcp_message_value(NULL)), MCP_JSON_ABSENT);
    CHECK_EQ(mcp_value_type(mcp_message_value((mcp_message_t *)client)), MCP_JSON_ABSENT);
    mcp_value_t old = mcp_document_value(document);
    CHECK_STATUS(mcp_document_free(document), MCP_OK);
    CHECK_STATUS(mcp_document_new("[2]", 3, &document, NULL), MCP_OK);
    CHECK_EQ(mcp_value_type(old), MCP_JSON_ABSENT);
    CHECK_STATUS(mcp_document_free(document), MCP_OK);
    CHECK_STATUS(mcp_message_free(reply), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    check_threads(client);
    check_large(client);
    check_failure(client);
    check_fork(client);
    check_handles(client);
    close_and_free(client);
    return 0;
}

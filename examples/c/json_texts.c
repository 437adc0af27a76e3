/*
 * json_texts: JSON without a library for it. It reads a text of its own with values, writes one with a builder, and makes the URI of a
 * resource from a template; a logger of the program hears what the library has to say meanwhile.
 */
#include <mcp.h>
#include <stdio.h>
#include <string.h>

static const char SETTINGS[] = "{\"servers\": [{\"name\": \"files\", \"limit\": 20, \"tags\": [\"a\", \"b\"]}]}";

/* The logger: it is called with records of the level that was chosen, on any thread. */
static void on_record(void *user, int32_t level, const char *record_json) {
    fprintf(user, "level %d: %s\n", (int)level, record_json);
}

/* Reads a text: values are places in it, so that nothing is copied. */
static int read_text(void) {
    mcp_document_t *document = NULL;
    char *error = NULL;
    if (mcp_document_new(SETTINGS, strlen(SETTINGS), &document, &error) != MCP_OK) {
        char text[256];
        fprintf(stderr, "%s\n", mcp_error_text(error, text, sizeof text));
        mcp_string_free(error);
        return 1;
    }
    mcp_value_t server = mcp_value_at(mcp_value_get(mcp_document_value(document), "servers"), 0);
    int64_t limit = 10; /* the default, if there is none in the text */
    size_t length = 0;
    mcp_value_int64(mcp_value_get(server, "limit"), &limit);
    const char *tags = mcp_value_json(mcp_value_get(server, "tags"), &length); /* a view: no NUL behind it */
    printf("limit %d, tags %.*s\n", (int)limit, (int)length, tags);
    mcp_document_free(document);
    return 0;
}

/* Writes a text; mistakes are told at the end. */
static int write_text(void) {
    mcp_builder_t *builder = mcp_builder_new();
    const char *json = NULL;
    mcp_builder_begin_object(builder);
    mcp_builder_key_view(builder, "path/of", 4); /* a name without a NUL behind it */
    mcp_builder_string(builder, "notes \"today\".txt");
    mcp_builder_key(builder, "until");
    mcp_builder_null(builder);
    mcp_builder_end(builder);
    int failed = mcp_builder_finish(builder, &json, NULL, NULL) != MCP_OK;
    if (!failed) printf("written: %s\n", json);
    mcp_builder_free(builder);
    return failed;
}

int main(void) {
    if (mcp_abi_version() != MCP_ABI_VERSION) return 2; /* or MCP_ABI_MATCHES() */
    printf("topic %s\n", mcp_topic_name(MCP_TOPIC_TOOLS_CHANGED));
    mcp_log_set_logger(on_record, MCP_LOG_WARN, stderr, NULL);
    int failed = read_text() | write_text();
    char *uri = NULL;
    if (mcp_uri_template_expand("file:///{name}{?page}", "{\"name\": \"a b\", \"page\": 2}", &uri, NULL) == MCP_OK) {
        printf("uri %s\n", uri);
        mcp_string_free(uri);
    }
    mcp_log_set_logger(NULL, MCP_LOG_NONE, NULL, NULL); /* no call of the logger is under way any more */
    return failed;
}

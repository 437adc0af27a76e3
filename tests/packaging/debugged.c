/*
 * debugged: has values for a debugger to show when it stops in look().
 */
#include <mcp.h>

#include <string.h>

static void look(const mcp_value_t *values) {
    (void)values;
}

int main(void) {
    const char *text = "{\"name\": \"caf\\u00e9\", \"tags\": [1, 2.50, null]}";
    mcp_document_t *document = NULL;
    if (mcp_document_new(text, strlen(text), &document, NULL) != MCP_OK) return 1;
    mcp_value_t whole = mcp_document_value(document);
    mcp_value_t values[] = {mcp_value_get(whole, "name"), mcp_value_get(whole, "tags")};
    mcp_value_t absent = mcp_value_get(whole, "title");
    look(values);
    mcp_document_free(document);
    look(values);
    return mcp_value_type(absent) == MCP_JSON_ABSENT ? 0 : 1;
}

/*
 * mcp_client_set_roots() sets what a server is told when it asks for the roots, and tells a legacy server that they have
 * changed. What is no list of roots is refused, and so is a client that never declared any.
 */
#include "check.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[2], NULL, "\"roots\":[\"file:///first\"]");
    char *error = NULL;
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_set_roots(client,
                                      "[{\"uri\":\"file:///second\",\"name\":\"b\"},\"file:///third\"]", &error),
                 MCP_OK);
    CHECK(error == NULL);
    CHECK_STATUS(mcp_client_call_tool(client, "received", "{\"method\":\"initialize\",\"lines\":true}", NULL,
                                      &reply),
                 MCP_OK);
    char *line = json_at(mcp_message_json(reply, NULL), "/structuredContent/lines/0");
    CHECK(json_is(line, "/params/capabilities/roots/listChanged", "true"));
    CHECK_EQ(json_number(mcp_message_json(reply, NULL),
                         "/structuredContent/counts/notifications~1roots~1list_changed"),
             1);
    mcp_string_free(line);
    mcp_message_free(reply);
    const struct {
        const char *roots;
        const char *why;
    } wrong[] = {{"{}", "no list"},
                 {"[", "no JSON"},
                 {"[\"https://example.com\"]", "no file:// URI"},
                 {"[7]", "neither"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK_STATUS(mcp_client_set_roots(client, wrong[i].roots, &error), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_CONTAINS(error, wrong[i].why);
        mcp_string_free(error);
    }
    CHECK_STATUS(mcp_client_set_roots(client, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    close_and_free(client);

    client = connected(argv[2], NULL, NULL);
    CHECK_STATUS(mcp_client_set_roots(client, "[]", &error), MCP_ERROR_UNSUPPORTED);
    CHECK_CONTAINS(error, "has not declared roots");
    mcp_string_free(error);
    close_and_free(client);
    return 0;
}

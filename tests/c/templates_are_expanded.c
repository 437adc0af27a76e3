/*
 * A resource template of the server and values for its variables make a URI that the server knows (RFC 6570).
 */
#include "check.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_list_resource_templates(client, NULL, &reply), MCP_OK);
    char *template = json_at(mcp_message_json(reply, NULL), "/resourceTemplates/0/uriTemplate");
    mcp_message_free(reply);
    char *uri = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_uri_template_expand(template, "{\"name\":\"Ada L.\"}", &uri, &error), MCP_OK);
    CHECK_TEXT(uri, "demo://greeting/Ada%20L.");
    CHECK_STATUS(mcp_client_read_resource(client, uri, NULL, &reply), MCP_OK);
    CHECK_CONTAINS(mcp_message_text(reply, NULL), "Ada L.");
    mcp_message_free(reply);
    mcp_string_free(uri);
    mcp_string_free(template);
    close_and_free(client);

    uri = NULL;
    CHECK_STATUS(mcp_uri_template_expand("a{?list*,n}", "{\"list\":[\"x\",\"y\"],\"n\":7}", &uri, NULL),
                 MCP_OK);
    CHECK_TEXT(uri, "a?list=x&list=y&n=7");
    mcp_string_free(uri);
    uri = NULL;
    CHECK_STATUS(mcp_uri_template_expand("a{b", "{}", &uri, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "no partner");
    CHECK(uri == NULL);
    mcp_string_free(error);
    CHECK_STATUS(mcp_uri_template_expand(NULL, "{}", &uri, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_uri_template_expand("a", NULL, &uri, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_uri_template_expand("a", "{}", NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    return 0;
}

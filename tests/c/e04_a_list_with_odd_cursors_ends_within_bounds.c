/*
 * E04: an empty cursor ends a list, as some servers write it; a cursor that comes again, or pages without an end, make the
 * list an error that says so, and not a loop or a list cut short.
 */
#include "check.h"

static mcp_message_t *tools(const char *server, const char *behaviour, const char *members,
                            mcp_status_t expected) {
    mcp_client_t *client = connected(server, ARGS(behaviour), members);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_list_tools(client, NULL, &reply), expected);
    CHECK_STATUS(mcp_message_status(reply), expected);
    close_and_free(client);
    return reply;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    const char *server = argv[2];

    mcp_message_t *reply = tools(server, "empty-cursor", NULL, MCP_OK);
    size_t count = 0;
    CHECK_STATUS(mcp_json_count(mcp_message_json(reply, NULL), "/tools", &count), MCP_OK);
    char *last = format("/tools/%zu/name", count - 1);
    CHECK(!json_is(mcp_message_json(reply, NULL), last, "page-"));
    free(last);
    mcp_message_free(reply);

    reply = tools(server, "cursor-loop", NULL, MCP_ERROR_PROTOCOL);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "the cursor \\\"again\\\" a second time, after 2 pages");
    mcp_message_free(reply);

    reply = tools(server, "endless-pages", "\"limits\":{\"list_pages\":20}", MCP_ERROR_TOO_LARGE);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "limits.list_pages");
    CHECK_EQ(json_number(mcp_message_json(reply, NULL), "/details/pages"), 20);
    mcp_message_free(reply);

    reply = tools(server, "endless-pages", "\"limits\":{\"list_items\":200}", MCP_ERROR_TOO_LARGE);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "limits.list_items");
    mcp_message_free(reply);

    reply = tools(server, "endless-pages", "\"limits\":{\"list_bytes\":16384}", MCP_ERROR_TOO_LARGE);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "limits.list_bytes");
    mcp_message_free(reply);

    /* A list in one page has the same bounds. A page that is asked for by itself has not: it is the way to read the rest. */
    mcp_client_t *client = connected(argv[1], NULL, "\"limits\":{\"list_items\":3}");
    CHECK_STATUS(mcp_client_list_tools(client, NULL, &reply), MCP_ERROR_TOO_LARGE);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "the list has more than 3 entries (limits.list_items)");
    CHECK_EQ(json_number(mcp_message_json(reply, NULL), "/details/pages"), 1);
    CHECK_GE(json_number(mcp_message_json(reply, NULL), "/details/items"), 4);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_list_tools(client, "{\"one_page\":true}", &reply), MCP_OK);
    CHECK_STATUS(mcp_json_count(mcp_message_json(reply, NULL), "/tools", &count), MCP_OK);
    CHECK_GE(count, 4);
    mcp_message_free(reply);
    close_and_free(client);
    return 0;
}

/*
 * A feature that the server did not declare is MCP_ERROR_UNSUPPORTED at once and nothing is sent, in both eras; with
 * capability_checks false the server is asked and says itself what it thinks of it.
 */
#include "check.h"

static void check_era(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), NULL);
    mcp_message_t *reply = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_client_list_prompts(client, NULL, &reply), MCP_ERROR_UNSUPPORTED);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "did not declare the capability 'prompts'");
    CHECK(json_is(mcp_message_json(reply, NULL), "/details/capability", "prompts"));
    CHECK(json_is(mcp_message_json(reply, NULL), "/operation", "prompts/list"));
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_subscribe_resource_start(client, "file:///a", NULL, 1, NULL, &error),
                 MCP_ERROR_UNSUPPORTED);
    CHECK_CONTAINS(error, "resources.subscribe");
    mcp_string_free(error);
    CHECK_STATUS(mcp_client_complete(client, "{}", "a", "b", NULL, NULL, NULL), MCP_ERROR_UNSUPPORTED);
    CHECK_STATUS(mcp_client_call_tool(client, "received", NULL, NULL, &reply), MCP_OK);
    CHECK(!json_has(mcp_message_json(reply, NULL), "/structuredContent/counts/prompts~1list"));
    CHECK(!json_has(mcp_message_json(reply, NULL), "/structuredContent/counts/completion~1complete"));
    mcp_message_free(reply);
    close_and_free(client);

    /* Asked for before the server's capabilities are known. */
    client = new_client(server, ARGS("--era", era), NULL);
    CHECK_STATUS(mcp_client_list_resources_start(client, NULL, 7, NULL, &error), MCP_OK);
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_UNSUPPORTED);
    CHECK_EQ(mcp_message_tag(reply), 7);
    mcp_message_free(reply);
    close_and_free(client);

    client = connected(server, ARGS("--era", era), "\"capability_checks\":false");
    CHECK_STATUS(mcp_client_list_prompts(client, NULL, &reply), MCP_ERROR_SERVER);
    CHECK_EQ(json_number(mcp_message_json(reply, NULL), "/code"), -32601);
    mcp_message_free(reply);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_era(argv[2], "legacy");
    check_era(argv[2], "modern");
    return 0;
}

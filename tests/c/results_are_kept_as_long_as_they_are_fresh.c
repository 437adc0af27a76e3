/*
 * With a cache, lists and resources that are fresh come without asking the server: as long as it says (2026-07-28)
 * or as the configuration says (before). A change notification, a named tool, mcp_client_clear_cache(), the options
 * refresh and bypass, and a new connection ask again; a list that could not be had may be stood in for by the old.
 */
#include "check.h"

static long long cached(mcp_client_t *client, const char *what) {
    char *info = info_of(client);
    char *pointer = format("/cache/%s", what);
    long long number = json_number(info, pointer);
    free(pointer);
    mcp_string_free(info);
    return number;
}

static void read_greeting(mcp_client_t *client, const char *options, long long hits) {
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_read_resource(client, "demo://greeting", options, &reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "Hello, world!");
    CHECK_NE(mcp_message_call_id(reply), 0);
    mcp_message_free(reply);
    CHECK_EQ(cached(client, "hits"), hits);
}

static void check_modern(const char *server) {
    mcp_client_t *client = connected(server, NULL, "\"cache\":{\"invalidate_on_tools\":[\"add\"]}");
    read_greeting(client, NULL, 0);
    read_greeting(client, NULL, 1);
    CHECK_EQ(cached(client, "entries"), 1);
    uint64_t call = 0;
    CHECK_STATUS(mcp_client_read_resource_start(client, "demo://greeting", NULL, 5, &call, NULL), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_call_id(reply), call);
    CHECK_EQ(mcp_message_tag(reply), 5);
    CHECK_TEXT(mcp_message_text(reply, NULL), "Hello, world!");
    mcp_message_free(reply);
    read_greeting(client, NULL, 3);
    read_greeting(client, "{\"cache\":\"refresh\"}", 3);
    read_greeting(client, "{\"cache\":\"bypass\"}", 3);
    read_greeting(client, NULL, 4);
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_list_tools(client, "{\"one_page\":true}", NULL), MCP_OK);
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    CHECK_EQ(cached(client, "hits"), 5);
    CHECK_EQ(cached(client, "entries"), 3);
    CHECK_STATUS(mcp_client_call_tool(client, "echo", "{\"text\":\"x\"}", NULL, NULL), MCP_OK);
    CHECK_EQ(cached(client, "entries"), 3);
    CHECK_STATUS(mcp_client_call_tool(client, "add", "{\"a\":1,\"b\":2}", NULL, NULL), MCP_OK);
    CHECK_EQ(cached(client, "entries"), 0);
    read_greeting(client, NULL, 5);
    CHECK_STATUS(mcp_client_clear_cache(client), MCP_OK);
    CHECK_EQ(cached(client, "entries"), 0);
    CHECK_EQ(cached(client, "bytes"), 0);
    close_and_free(client);
    CHECK_STATUS(mcp_client_clear_cache(NULL), MCP_ERROR_INVALID_ARGUMENT);
}

static void check_legacy(const char *server) {
    mcp_client_t *client =
        connected(server, NULL,
                  "\"protocol\":\"2025-06-18\",\"reconnect\":{\"initial_ms\":1},\"cache\":{\"serve_stale_on_error\":true,"
                  "\"ttl_ms\":{\"tools/list\":60000,\"resources/read\":60000}}");
    read_greeting(client, NULL, 0);
    read_greeting(client, NULL, 1);
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    CHECK_EQ(cached(client, "hits"), 2);
    CHECK_STATUS(mcp_call(client, "prompts/list", NULL, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_call(client, "prompts/list", NULL, NULL, NULL), MCP_OK);
    CHECK_EQ(cached(client, "hits"), 2);
    /* The list of tools has changed; the resource has not. */
    CHECK_STATUS(mcp_client_call_tool(client, "notify", "{\"count\":0}", NULL, NULL), MCP_OK);
    long long misses = cached(client, "misses");
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    CHECK_EQ(cached(client, "misses"), misses + 1);
    read_greeting(client, NULL, 3);
    /* The server dies: on the next connection everything is asked for again. */
    CHECK_STATUS(mcp_client_call_tool(client, "crash", NULL, NULL, NULL), MCP_ERROR_TRANSPORT);
    drain(client);
    connect_client(client);
    read_greeting(client, NULL, 3);
    /* What cannot be had is stood in for. */
    CHECK_STATUS(mcp_client_call_tool(client, "crash", NULL, NULL, NULL), MCP_ERROR_TRANSPORT);
    connect_client(client);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_read_resource(client, "demo://greeting",
                                          "{\"cache\":\"refresh\",\"timeout_ms\":1}", &reply),
                 mcp_message_status(reply));
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "Hello, world!");
    mcp_message_free(reply);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_modern(argv[1]);
    check_legacy(argv[1]);

    /* Without the key nothing is kept. */
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    char *info = info_of(client);
    CHECK(json_is(info, "/cache", "null"));
    mcp_string_free(info);
    CHECK_STATUS(mcp_client_clear_cache(client), MCP_OK);
    close_and_free(client);
    return 0;
}

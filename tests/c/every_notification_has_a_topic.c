/*
 * A program switches on the topic of what arrives, whatever the revision: list changes, updated resources, log
 * messages, progress, requests; a method that the library does not know is MCP_TOPIC_UNKNOWN, and messages that
 * are not the server's have none.
 */
#include "check.h"

static int seen[32];

static void take_until(mcp_client_t *client, mcp_topic_t wanted) {
    long long deadline = now_ms() + patience();
    while (seen[wanted] == 0) {
        mcp_message_t *message = NULL;
        if (now_ms() > deadline || mcp_client_poll(client, 200, &message) < 0) {
            FAIL("no message of the topic %s", mcp_topic_name(wanted));
        }
        if (message != NULL) {
            mcp_topic_t topic = mcp_message_topic(message);
            CHECK(topic >= 0 && topic < 32);
            bool is_servers = mcp_message_kind(message) == MCP_KIND_NOTIFICATION ||
                              mcp_message_kind(message) == MCP_KIND_REQUEST ||
                              mcp_message_kind(message) == MCP_KIND_PROGRESS;
            CHECK_EQ(topic != MCP_TOPIC_NONE, is_servers);
            seen[topic]++;
            mcp_message_free(message);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client =
        connected(argv[1], ARGS("--era", "legacy"), "\"capabilities\":{\"elicitation\":{}}");
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call(client, "resources/list", NULL, NULL, &reply), MCP_OK);
    char *uri = json_at(mcp_message_json(reply, NULL), "/resources/0/uri");
    mcp_message_free(reply);
    char *params = format("{\"uri\":\"%s\"}", uri);
    CHECK_STATUS(mcp_call(client, "resources/subscribe", params, NULL, NULL), MCP_OK);
    free(params);
    mcp_string_free(uri);
    start_tool(client, "notify", "{\"count\":1}", NULL, 1);
    take_until(client, MCP_TOPIC_LOG);
    take_until(client, MCP_TOPIC_TOOLS_CHANGED);
    take_until(client, MCP_TOPIC_RESOURCES_CHANGED);
    take_until(client, MCP_TOPIC_PROMPTS_CHANGED);
    take_until(client, MCP_TOPIC_RESOURCE_UPDATED);
    take_until(client, MCP_TOPIC_NONE);
    start_tool(client, "slow", "{\"ms\":20,\"steps\":2}", "{\"progress\":true}", 2);
    take_until(client, MCP_TOPIC_PROGRESS);
    start_tool(client, "ask", "{\"question\":\"Who?\"}", NULL, 3);
    take_until(client, MCP_TOPIC_ELICITATION);
    CHECK_EQ(seen[MCP_TOPIC_UNKNOWN], 0);
    close_and_free(client);

    CHECK_EQ(mcp_message_topic(NULL), MCP_ERROR_INVALID_ARGUMENT);
    return 0;
}

/*
 * A program subscribes to a resource by one function, and hears of its changes and of changed lists by the same
 * messages on every revision: up to 2025-11-25 by requests, in 2026-07-28 by a stream that the library opens,
 * changes and opens again on the next connection.
 */
#include "check.h"

static const char *const REVISIONS[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

/* What the server announces when its tool is called; `counts` gets how many of each topic came. */
static void announce(mcp_client_t *client, int *counts) {
    memset(counts, 0, 32 * sizeof *counts);
    drain(client);
    CHECK_STATUS(mcp_client_call_tool(client, "notify", "{\"count\":0}", NULL, NULL), MCP_OK);
    mcp_message_t *message = NULL;
    /* Everything came before the answer. */
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        mcp_topic_t topic = mcp_message_topic(message);
        CHECK(topic >= 0 && topic < 32);
        counts[topic]++;
        if (topic == MCP_TOPIC_RESOURCE_UPDATED) {
            CHECK(json_is(mcp_message_json(message, NULL), "/uri", "demo://greeting"));
        }
        mcp_message_free(message);
    }
    CHECK_EQ(counts[MCP_TOPIC_UNKNOWN], 0);
}

static void check_revision(const char *server, const char *revision) {
    char *members = format("\"protocol\":\"%s\",\"reconnect\":{\"initial_ms\":1}", revision);
    mcp_client_t *client = connected(server, NULL, members);
    int counts[32];
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_ping(client, NULL, NULL), MCP_OK);
    announce(client, counts);
    CHECK_EQ(counts[MCP_TOPIC_TOOLS_CHANGED], 1);
    CHECK_EQ(counts[MCP_TOPIC_RESOURCES_CHANGED], 1);
    CHECK_EQ(counts[MCP_TOPIC_PROMPTS_CHANGED], 1);
    CHECK_EQ(counts[MCP_TOPIC_RESOURCE_UPDATED], 0);

    CHECK_STATUS(mcp_client_subscribe_resource(client, "demo://greeting", NULL, &reply), MCP_OK);
    CHECK(json_has(mcp_message_json(reply, NULL), ""));
    mcp_message_free(reply);
    announce(client, counts);
    CHECK_EQ(counts[MCP_TOPIC_TOOLS_CHANGED], 1);
    CHECK_EQ(counts[MCP_TOPIC_RESOURCE_UPDATED], 1);

    /* The server dies; the subscription is there again on the next connection. */
    CHECK_STATUS(mcp_client_call_tool(client, "crash", NULL, NULL, NULL), MCP_ERROR_TRANSPORT);
    connect_client(client);
    CHECK_STATUS(mcp_client_ping(client, NULL, NULL), MCP_OK);
    announce(client, counts);
    CHECK_EQ(counts[MCP_TOPIC_RESOURCE_UPDATED], 1);
    CHECK_EQ(counts[MCP_TOPIC_TOOLS_CHANGED], 1);

    uint64_t call = 0;
    CHECK_STATUS(mcp_client_unsubscribe_resource_start(client, "demo://greeting", NULL, 3, &call, NULL),
                 MCP_OK);
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_call_id(reply), call);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    announce(client, counts);
    CHECK_EQ(counts[MCP_TOPIC_RESOURCE_UPDATED], 0);
    CHECK_EQ(counts[MCP_TOPIC_TOOLS_CHANGED], 1);
    close_and_free(client);
    free(members);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    for (size_t i = 0; i < sizeof REVISIONS / sizeof REVISIONS[0]; i++) {
        check_revision(argv[1], REVISIONS[i]);
    }

    /* A modern server says which subscriptions it takes. */
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_subscribe_resource(client, "demo://nothing", NULL, &reply),
                 MCP_ERROR_UNSUPPORTED);
    CHECK(json_is(mcp_message_json(reply, NULL), "/details/uri", "demo://nothing"));
    mcp_message_free(reply);
    close_and_free(client);

    /* The server ends the streams; they are opened again. Asked not to, the library opens none. */
    client = connected(argv[2], ARGS("--era", "modern"), "\"reconnect\":{\"initial_ms\":1}");
    for (int round = 0; round < 3; round++) {
        long long deadline = now_ms() + patience();
        for (bool opened = false; !opened;) {
            CHECK_LE(now_ms(), deadline);
            char *text = tool_text(client, "change", NULL);
            opened = strcmp(text, "told 1 streams") == 0;
            free(text);
        }
        reply = next_of_kind(client, MCP_KIND_NOTIFICATION);
        CHECK_EQ(mcp_message_topic(reply), MCP_TOPIC_TOOLS_CHANGED);
        mcp_message_free(reply);
        CHECK_STATUS(mcp_client_call_tool(client, "end_listens", "{\"how\":\"both\"}", NULL, NULL), MCP_OK);
    }
    close_and_free(client);
    client = connected(argv[2], ARGS("--era", "modern"), "\"change_notifications\":false");
    char *text = tool_text(client, "change", NULL);
    CHECK_TEXT(text, "told 0 streams");
    free(text);
    close_and_free(client);
    return 0;
}

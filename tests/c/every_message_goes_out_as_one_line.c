/*
 * What the program gives may be spread over many lines: parameters of calls and notifications, metadata, and
 * answers to the server's requests. On the server's input each message is one line with the same values, and
 * there is nothing else, in both eras and with calls made by several threads at once.
 */
#include "check.h"

#define SPREAD "{\r\n  \"text\" : \"one \\n two\" ,\n\n\t\"more\":[1,\r2\n]\n}\n"

static void *call_often(void *argument) {
    for (int i = 0; i < scaled(100, 10); i++) {
        char *text = tool_text(argument, "echo", SPREAD);
        CHECK_TEXT(text, "one \n two");
        free(text);
    }
    return NULL;
}

static void check_question(mcp_client_t *client) {
    start_tool(client, "ask_forever", "{\"method\":\"elicitation/create\",\"wait_ms\":20000}", NULL, 1);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_STATUS(mcp_request_respond(request, "{\n\"action\"\r\n:\n\"decline\"\n}", NULL), MCP_OK);
    mcp_message_free(request);
    mcp_message_free(next_of_kind(client, MCP_KIND_REPLY));
}

static void check_era(const char *server, const char *era, bool asks) {
    mcp_client_t *client =
        connected(server, ARGS("--era", era), "\"capabilities\":{\"elicitation\":{\"form\":\n{}}}");
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        threads[i] = start_thread(call_often, client);
    }
    for (int i = 0; i < 4; i++) {
        join_thread(threads[i]);
    }
    mcp_message_free(call_tool(client, "echo", SPREAD, "{\n\"meta\":{\n\"com.example/x\":{\n\"y\":1}}}"));
    CHECK_STATUS(mcp_client_notify(client, "notifications/spread", SPREAD, NULL), MCP_OK);
    if (asks) {
        check_question(client);
    }
    char *seen = tool_text(client, "received", NULL);
    CHECK_EQ(json_number(seen, "/counts/tools~1call"), 4 * scaled(100, 10) + 2 + (asks ? 1 : 0));
    CHECK(json_is(seen, "/counts/notifications~1spread", "1"));
    CHECK(json_is(seen, "/counts/(response)", "1") == asks);
    CHECK(!json_has(seen, "/counts/(not a message)"));
    free(seen);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_era(argv[2], "legacy", true);
    check_era(argv[2], "modern", false);
    return 0;
}

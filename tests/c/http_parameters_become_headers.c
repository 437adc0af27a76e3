/*
 * Modern: parameters that a tool's schema marks with x-mcp-header go into headers too. Tools whose marks break a rule are
 * not listed. A server that refuses a call because its headers differ is listed again, and the call is made once more.
 */
#include "http.h"

static int count_tools(mcp_client_t *client, const char *beginning) {
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &reply), MCP_OK);
    const char *list = mcp_message_json(reply, NULL);
    int found = 0;
    for (int i = 0;; i++) {
        char *pointer = format("/tools/%d/name", i);
        char *name = NULL;
        mcp_status_t status = mcp_json_get(list, pointer, &name, NULL);
        free(pointer);
        if (status != MCP_OK) {
            break;
        }
        found += strncmp(name, beginning, strlen(beginning)) == 0 ? 1 : 0;
        mcp_string_free(name);
    }
    mcp_message_free(reply);
    return found;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], ARGS("broken-tools,late-header"));
    mcp_client_t *client = connected_to(&server, MODERN);
    /* Called before anybody listed the tools. */
    char *headers = tool_text(client, "headers", "{\"region\":\"eu west\",\"count\":-7,\"flag\":false,\"place\":{\"city\":\"\"},\"plain\":\"x\"}");
    CHECK_TEXT(headers, "{\"mcp-param-city\":\"\",\"mcp-param-count\":\"-7\",\"mcp-param-flag\":\"false\",\"mcp-param-region\":\"eu west\"}");
    free(headers);
    headers = tool_text(client, "headers", "{\"region\":\" Z\xc3\xbcrich\\t\",\"count\":null}");
    CHECK_CONTAINS(headers, "=?base64?");
    free(headers);
    headers = tool_text(client, "headers", "{}");
    CHECK_TEXT(headers, "{}");
    free(headers);
    CHECK_EQ(count_tools(client, "broken-"), 0);
    CHECK_EQ(count_tools(client, "headers"), 1);
    CHECK_GE(count_tools(client, ""), 15);
    /* Its list said nothing of a header; the refusal makes the client look again. */
    long long lists = count_of(&server, "tools/list");
    long long calls = count_of(&server, "tools/call");
    headers = tool_text(client, "moved", "{\"region\":\"eu\"}");
    CHECK_TEXT(headers, "{\"mcp-param-region\":\"eu\"}");
    free(headers);
    CHECK_EQ(count_of(&server, "tools/list"), lists + 1);
    CHECK_EQ(count_of(&server, "tools/call"), calls + 2);
    headers = tool_text(client, "moved", "{\"region\":\"eu\"}");
    free(headers);
    CHECK_EQ(count_of(&server, "tools/call"), calls + 3);
    /* Once more only: a server that never agrees is told of. */
    set_script(&server, "on-call=own-error:400:32020");
    mcp_message_t *reply = call_tool(client, "moved", "{\"region\":\"eu\"}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_SERVER);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "-32020");
    mcp_message_free(reply);
    CHECK_EQ(count_of(&server, "tools/call"), calls + 5);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    check_nothing_left(before);
    return 0;
}

/*
 * Nothing of what a server sends is lost or rewritten on its way to the program: unknown members,
 * metadata of extensions, numbers beyond what a double holds, escapes, spaces and the order of members are in
 * mcp_message_json byte for byte. It holds for results, for the parameters of notifications and for the data
 * of errors, in both eras.
 */
#include "check.h"

#define ODD                                                                                                  \
    "{ \"z\":1.50, \"big\":123456789012345678901234567890,\"e\" : -0.0e+2,"                                  \
    "\"\\u0061\":\"\\u00e9\\/\\ud834\\udd1e \xc3\xa9\",\"_meta\":{\"com.example/x\":[{\"y\":null} ],"        \
    "\"io.modelcontextprotocol/made-up\":{\"t\":1}},\"content\":[{\"type\":\"of_the_future\",\"k\":{}}],"    \
    "\"twice\":1,\"twice\":2 }"

/* Has the server answer with this line, in which $id stands for the call's id. */
static mcp_message_t *answered_with(mcp_client_t *client, const char *line, const char *more) {
    char *quoted = NULL;
    CHECK_STATUS(mcp_json_quote(line, &quoted), MCP_OK);
    char *arguments = format("{\"line\":%s%s}", quoted, more);
    mcp_message_t *reply = call_tool(client, "raw", arguments, NULL);
    free(arguments);
    mcp_string_free(quoted);
    return reply;
}

static void check_era(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), NULL);
    mcp_message_t *message =
        answered_with(client, "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":" ODD ",\"later\":[1]}", "");
    CHECK_STATUS(mcp_message_status(message), MCP_OK);
    CHECK_TEXT(mcp_message_json(message, NULL), ODD);
    mcp_message_free(message);

    message = answered_with(
        client, "{\"jsonrpc\":\"2.0\",\"params\":" ODD ",\"x\":1,\"method\":\"notifications/of/the/future\"}",
        ",\"right_after\":true");
    CHECK_STATUS(mcp_message_status(message), MCP_OK);
    mcp_message_free(message);
    CHECK_STATUS(mcp_poll_notification(client, patience(), &message), MCP_OK);
    CHECK_TEXT(mcp_message_method(message), "notifications/of/the/future");
    CHECK_TEXT(mcp_message_json(message, NULL), ODD);
    mcp_message_free(message);

    message = answered_with(
        client,
        "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32042,\"x\":1,\"message\":\"m\",\"data\":" ODD
        "}}",
        "");
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_SERVER);
    CHECK(json_is(mcp_message_json(message, NULL), "/code", "-32042"));
    CHECK_CONTAINS(mcp_message_json(message, NULL), "\"data\":" ODD);
    mcp_message_free(message);
    check_echo(client, "fine");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_era(argv[2], "legacy");
    check_era(argv[2], "modern");
    return 0;
}

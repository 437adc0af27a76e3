/*
 * The functions mcp_json_*: they read and quote, and give back what they do not know as it came.
 */
#include "check.h"

/*
 * The JSON helpers: values found by pointer (RFC 6901, with ~0 and ~1), strings decoded, everything else as
 * its JSON text, MCP_EMPTY for what is not there, MCP_ERROR_INVALID_ARGUMENT for what is no JSON or no pointer;
 * any text quoted so that it reads back the same.
 */
static const char DOCUMENT[] =
    " { \"text\" : \"caf\\u00e9 \\ud83d\\ude00 \\\"q\\\" \\\\ \\/ \\n\\t\" , \"raw\":\"caf\xc3\xa9\", "
    "\"a/b\": 1, \"m~n\": 2,"
    " \"~1\": \"tilde one\", \"\": \"empty key\", \" \": \"a space\", \"number\": -1.50e+3, \"yes\": true, "
    "\"none\": null,"
    " \"list\": [10, [20, 30], {\"deep\": [ ]}], \"object\": {\"x\":{\"y\" : \"z\"},\"w\":0},"
    " \"empty\": \"\", \"caf\\u00e9\": \"escaped key\", \"nul\":\"a\\u0000b\" } ";

static void check_get(const char *pointer, const char *expected) {
    char *value = NULL;
    size_t length = 0;
    mcp_status_t status = mcp_json_get(DOCUMENT, pointer, &value, &length);
    if (status != MCP_OK || strcmp(value, expected) != 0 || length != strlen(expected)) {
        FAIL("\"%s\" gives %s, \"%s\" of length %zu, expected \"%s\"", pointer, mcp_status_name(status),
             value != NULL ? value : "(NULL)", length, expected);
    }
    mcp_string_free(value);
}

static void check_no_value(const char *json, const char *pointer, mcp_status_t expected) {
    char *value = NULL;
    size_t length = 77;
    mcp_status_t status = mcp_json_get(json, pointer, &value, &length);
    if (status != expected || value != NULL || length != 0) {
        FAIL("\"%s\" in %s gives %s, expected %s", pointer != NULL ? pointer : "NULL",
             json != NULL ? json : "NULL", mcp_status_name(status), mcp_status_name(expected));
    }
}

static void check_values(void) {
    check_get("/text", "caf\xc3\xa9 \xf0\x9f\x98\x80 \"q\" \\ / \n\t");
    check_get("/raw", "caf\xc3\xa9");
    check_get("/caf\xc3\xa9", "escaped key");
    check_get("/a~1b", "1");
    check_get("/m~0n", "2");
    check_get("/~01", "tilde one");
    check_get("/", "empty key");
    check_get("/ ", "a space");
    check_get("/number", "-1.50e+3");
    check_get("/yes", "true");
    check_get("/none", "null");
    check_get("/empty", "");
    check_get("/list/0", "10");
    check_get("/list/1", "[20, 30]");
    check_get("/list/1/1", "30");
    check_get("/list/2/deep", "[ ]");
    check_get("/object", "{\"x\":{\"y\" : \"z\"},\"w\":0}");
    check_get("/object/x/y", "z");

    char *value = NULL;
    size_t length = 0;
    CHECK_STATUS(mcp_json_get(DOCUMENT, "/nul", &value, &length), MCP_OK);
    CHECK_EQ(length, 3);
    CHECK(memcmp(value, "a\0b", 4) == 0);
    mcp_string_free(value);
    CHECK_STATUS(mcp_json_get(DOCUMENT, "", &value, NULL), MCP_OK); /* the whole document */
    CHECK(json_is(value, "/object/w", "0"));
    mcp_string_free(value);
    CHECK_STATUS(mcp_json_get("\"alone\"", "", &value, NULL), MCP_OK);
    CHECK_TEXT(value, "alone");
    mcp_string_free(value);
    CHECK_STATUS(mcp_json_get("\"a\\ud800b\"", "", &value, NULL), MCP_OK); /* half a surrogate pair */
    CHECK_TEXT(value, "a\xef\xbf\xbd" "b");
    mcp_string_free(value);
}

static void check_absence(void) {
    static const char *const absent[] = {"/nothing", "/list/3",  "/list/-",     "/list/01",
                                         "/list/x",  "/list/+1", "/text/0",     "/none/none",
                                         "/list/",   "/yes/",    "/object/x/q", "/A~1B"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        check_no_value(DOCUMENT, absent[i], MCP_EMPTY);
    }
    check_no_value(NULL, "", MCP_ERROR_INVALID_ARGUMENT);
    check_no_value(DOCUMENT, NULL, MCP_ERROR_INVALID_ARGUMENT);
    check_no_value(DOCUMENT, "text", MCP_ERROR_INVALID_ARGUMENT);
    check_no_value(DOCUMENT, "/\xff", MCP_ERROR_INVALID_ARGUMENT);
    check_no_value(DOCUMENT, "/a~2", MCP_ERROR_INVALID_ARGUMENT);
    check_no_value(DOCUMENT, "/a~", MCP_ERROR_INVALID_ARGUMENT);
    check_no_value("", "", MCP_ERROR_INVALID_ARGUMENT);
    check_no_value("{", "/a", MCP_ERROR_INVALID_ARGUMENT);
    check_no_value("{\"a\":1,}", "/a", MCP_ERROR_INVALID_ARGUMENT);
    check_no_value("{\"a\":\"\xff\"}", "/a", MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_json_get(DOCUMENT, "/text", NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
}

/* What was quoted reads back as it was, and holds no byte that would end a line. */
static void check_round_trip(const char *text) {
    char *quoted = NULL;
    char *back = NULL;
    CHECK_STATUS(mcp_json_quote(text, &quoted), MCP_OK);
    CHECK_EQ(quoted[0], '"');
    CHECK_EQ(quoted[strlen(quoted) - 1], '"');
    for (const char *byte = quoted; *byte != '\0'; byte++) {
        CHECK_GE((unsigned char)*byte, 0x20);
    }
    CHECK_STATUS(mcp_json_get(quoted, "", &back, NULL), MCP_OK);
    CHECK_TEXT(back, text);
    mcp_string_free(back);
    mcp_string_free(quoted);
}

static void check_quotes(void) {
    char *quoted = NULL;
    CHECK_STATUS(mcp_json_quote("say \"hi\"", &quoted), MCP_OK);
    CHECK_TEXT(quoted, "\"say \\\"hi\\\"\"");
    mcp_string_free(quoted);
    quoted = NULL;
    check_round_trip("");
    check_round_trip("plain");
    check_round_trip("back\\slash and \"quotes\" and /slashes/");
    check_round_trip("\x01\x02\b\f\n\r\t\x1f\x7f");
    check_round_trip("caf\xc3\xa9 \xf0\x9f\x98\x80 \xe2\x80\xa8");
    CHECK_STATUS(mcp_json_quote("\xc3\x28", &quoted), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_json_quote("\xed\xa0\x80", &quoted),
                 MCP_ERROR_INVALID_ARGUMENT); /* half a surrogate pair */
    CHECK_STATUS(mcp_json_quote(NULL, &quoted), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_json_quote("x", NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(quoted == NULL);
}

static void json_helpers_read_and_quote(void) {
    check_values();
    check_absence();
    check_quotes();
}

/*
 * Nothing of what a server sends is lost or rewritten on its way to the program: unknown members,
 * metadata of extensions, numbers beyond what a double holds, escapes, spaces and the order of members are in
 * mcp_message_json byte for byte. It holds for results, for the parameters of notifications and for the data
 * of errors, in both eras.
 */
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

static void unknown_fields_survive_byte_for_byte(char **argv) {
    check_era(argv[2], "legacy");
    check_era(argv[2], "modern");
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    json_helpers_read_and_quote();
    unknown_fields_survive_byte_for_byte(argv);
    return 0;
}

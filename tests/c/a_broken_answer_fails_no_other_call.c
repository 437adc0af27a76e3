/*
 * Answers that break JSON, UTF-8, JSON-RPC or MCP in every way the scripted server knows: the call ends once,
 * with an error or with what is right in it, and the same connection carries the next call. No answer of the
 * server can make the client crash, hang or reconnect.
 */
#include "check.h"

struct broken {
    const char *tool;
    const char *arguments;
};

static const struct broken ANSWERS[] = {
    {"error", NULL},
    {"error", "{\"code\":0,\"message\":\"\",\"data\":[1,{\"a\":null}]}"},
    {"both", NULL},
    {"neither", NULL},
    {"odd_result", "{\"value\":null}"},
    {"odd_result", "{\"value\":5}"},
    {"odd_result", "{\"value\":\"text\"}"},
    {"odd_result", "{\"value\":[]}"},
    {"odd_result", "{\"value\":{\"content\":7}}"},
    {"odd_result", "{\"value\":{\"content\":[1,{\"type\":\"text\"},{\"type\":\"text\",\"text\":1}]}}"},
    {"odd_error", "{\"value\":null}"},
    {"odd_error", "{\"value\":\"text\"}"},
    {"odd_error", "{\"value\":{\"code\":\"x\",\"message\":1}}"},
    {"odd_error", "{\"value\":{\"message\":\"no code\"}}"},
    {"wrong_jsonrpc", NULL},
    {"wrong_jsonrpc", "{\"version\":2.0}"},
    {"null_id", NULL},
    {"batch", NULL},
    {"deep", "{\"levels\":100}"},
    {"deep", "{\"levels\":1000}"},
    {"deep", "{\"levels\":100000}"},
    {"duplicate_keys", "{\"where\":\"content\"}"},
    {"duplicate_keys", "{\"where\":\"result\"}"},
    {"duplicate_keys", "{\"where\":\"id\"}"},
    {"duplicate_keys", "{\"where\":\"all\"}"},
    {"garbage", NULL},
    {"garbage", "{\"bom\":true}"},
    {"not_messages", NULL},
    {"bad_utf8", NULL},
    {"nul_escape", NULL},
    {"nul_escape", "{\"raw\":true}"},
    {"lone_surrogate", NULL},
    {"raw", "{\"line\":\"\"}"},
    {"raw", "{\"line\":\"{\"}"},
    {"raw", "{\"line\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"result\\\":{}\"}"},
    {"raw", "{\"line\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"result\\\":{}}}\"}"},
    {"raw", "{\"line\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id.0,\\\"result\\\":{}}\"}"},
    {"raw", "{\"line\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":[$id],\\\"result\\\":{}}\"}"},
    {"raw", "{\"line\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":18446744073709551616,\\\"result\\\":{}}\"}"},
    {"unknown_request", "{\"wait_ms\":100}"},
    {"second_initialize", "{\"wait_ms\":100}"},
    {"bad_progress", NULL},
    {"stray_cancel", NULL},
    {"stray_cancel", "{\"id\":{\"no\":\"id\"}}"},
};

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[2], NULL, NULL);
    char options[64];
    snprintf(options, sizeof options, "{\"progress\":true,\"timeout_ms\":%d}", 200 * (scale() > 1 ? 10 : 1));
    for (size_t i = 0; i < sizeof ANSWERS / sizeof ANSWERS[0]; i++) {
        const char *arguments = ANSWERS[i].arguments != NULL ? ANSWERS[i].arguments : "{}";
        mcp_message_t *reply = call_tool(client, ANSWERS[i].tool, arguments, options);
        size_t length = 0;
        const char *json = mcp_message_json(reply, &length);
        mcp_status_t status = mcp_message_status(reply);
        (void)mcp_message_text(reply, NULL);
        bool expected =
            status == MCP_OK || status == MCP_ERROR_SERVER || status == MCP_ERROR_PROTOCOL || status == MCP_ERROR_TIMEOUT ||
            status == MCP_ERROR_TOO_LARGE;
        if (!expected || strlen(json) != length) {
            FAIL("%s %s gives %s: %s", ANSWERS[i].tool, arguments, mcp_status_name(status), json);
        }
        mcp_message_free(reply);
        char *text = tool_text(client, "echo", "{\"text\":\"still well\"}");
        if (strcmp(text, "still well") != 0) {
            FAIL("after %s %s the next call gives \"%s\"", ANSWERS[i].tool, arguments, text);
        }
        free(text);
    }
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    mcp_string_free(info);
    close_and_free(client);
    return 0;
}

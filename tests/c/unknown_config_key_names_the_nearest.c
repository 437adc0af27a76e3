/*
 * A key that the config does not have is refused, at every depth, by an error that names the key and the
 * known key that is nearest to it. The same holds for the options of a call.
 */
#include "check.h"

static void check_names(const char *error, const char *unknown, const char *nearest) {
    CHECK(json_is(error, "/status", "invalid_argument"));
    char *message = json_at(error, "/message");
    CHECK_CONTAINS(message, unknown);
    CHECK_CONTAINS(message, nearest);
    mcp_string_free(message);
}

static void check_config(const char *config, const char *unknown, const char *nearest) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &client, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(client == NULL);
    check_names(error, unknown, nearest);
    CHECK(json_has(error, "/details"));
    mcp_string_free(error);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_config("{\"comand\":\"x\"}", "comand", "command");
    check_config("{\"command\":\"x\",\"arguments\":[]}", "arguments", "args");
    check_config("{\"command\":\"x\",\"time_outs\":{}}", "time_outs", "timeouts");
    check_config("{\"command\":\"x\",\"timeouts\":{\"cal_ms\":5}}", "cal_ms", "call_ms");
    check_config("{\"command\":\"x\",\"reconnect\":{\"inital_ms\":5}}", "inital_ms", "initial_ms");
    check_config("{\"command\":\"x\",\"limits\":{\"frame_byte\":5}}", "frame_byte", "frame_bytes");

    mcp_client_t *client = new_client(argv[1], NULL, NULL);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, "{\"timeout\":5}", &reply), MCP_ERROR_INVALID_ARGUMENT);
    check_names(mcp_message_json(reply, NULL), "timeout", "timeout_ms");
    mcp_message_free(reply);
    close_and_free(client);
    return 0;
}

/*
 * mcp_config_load reads one server of a well-known mcpServers file, with ${VAR} and ${VAR:-default} filled
 * in, as a config that mcp_client_new takes as it is. mcp_config_servers lists them in the order of the file. A file that is not there, a name that is not in it and
 * a variable that is not set are errors that say which.
 */
#include "check.h"

static char path[] = "/tmp/mcp-test-XXXXXX";

static void write_file(const char *server) {
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    char *text = format(
        "{\"mcpServers\":{"
        "\"example\":{\"command\":\"${MCP_TEST_SERVER}\",\"args\":[\"--era\",\"${MCP_TEST_ERA:-legacy}\"],"
        "\"env\":{\"GREETING\":\"${MCP_TEST_GREETING:-hello} \\\"you\\\"\"}},"
        "\"oth\\u0065r\":{\"command\":\"%s\",\"disabled\":true},"
        "\"unset\":{\"command\":\"x\",\"env\":{\"KEY\":\"${MCP_TEST_NOT_SET}\"}}}}",
        server);
    CHECK_EQ(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    free(text);
    CHECK_EQ(setenv("MCP_TEST_SERVER", server, 1), 0);
    CHECK_EQ(setenv("MCP_TEST_GREETING", "ahoj", 1), 0);
    CHECK_EQ(unsetenv("MCP_TEST_ERA"), 0);
    CHECK_EQ(unsetenv("MCP_TEST_NOT_SET"), 0);
}

static void check_error(const char *file, const char *name, const char *part) {
    char *config = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_config_load(file, name, &config, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(config == NULL);
    char *message = json_at(error, "/message");
    CHECK_CONTAINS(message, part);
    mcp_string_free(message);
    mcp_string_free(error);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    char *config = NULL;
    mcp_client_t *client = NULL;
    write_file(argv[1]);
    CHECK_STATUS(mcp_config_load(path, "example", &config, NULL), MCP_OK);
    CHECK(json_is(config, "/command", argv[1]));
    CHECK(json_is(config, "/args/1", "legacy"));
    CHECK(json_is(config, "/env/GREETING", "ahoj \"you\""));
    CHECK_STATUS(mcp_client_new(config, NULL, &client, NULL), MCP_OK);
    char *greeting = tool_text(client, "env", "{\"name\":\"GREETING\"}");
    CHECK_TEXT(greeting, "ahoj \"you\"");
    free(greeting);
    close_and_free(client);
    mcp_string_free(config);

    char *servers = NULL;
    CHECK_STATUS(mcp_config_servers(path, &servers, NULL), MCP_OK);
    CHECK_TEXT(servers, "[{\"disabled\":false,\"name\":\"example\"},{\"disabled\":true,\"name\":\"other\"},"
                        "{\"disabled\":false,\"name\":\"unset\"}]");
    mcp_string_free(servers);
    servers = NULL;
    char *why = NULL;
    CHECK_STATUS(mcp_config_servers("/nowhere/mcp.json", &servers, &why), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(servers == NULL && json_is(why, "/details/path", "/nowhere/mcp.json"));
    CHECK(json_is(why, "/operation", "config_servers"));
    mcp_string_free(why);
    CHECK_STATUS(mcp_config_servers(path, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);

    check_error("/nowhere/mcp.json", "example", "/nowhere/mcp.json");
    check_error(path, "exmaple", "example");
    check_error(path, "unset", "MCP_TEST_NOT_SET");
    unlink(path);
    return 0;
}
